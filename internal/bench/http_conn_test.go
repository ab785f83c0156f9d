package bench

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHTTPConn(t *testing.T) {
	var peers []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peers = append(peers, r.RemoteAddr)
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("X-Test", r.Method)
		switch r.URL.Path {
		case "/length":
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write(body)
		case "/chunks":
			for range 3 {
				_, _ = w.Write(body)
				w.(http.Flusher).Flush()
			}
		case "/end":
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	conn := newHTTPConn(server.Listener.Addr().String())
	conn.headers = http.Header{}
	require.NoError(t, conn.allow(time.Now().Add(10*time.Second)))

	body := strings.Repeat("0123456789", 10_000)
	status, answer, err := conn.do(http.MethodPost, "/length", "Authorization: Bearer t\r\n", []byte(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, status)
	require.Equal(t, body, string(answer))
	require.Equal(t, "POST", conn.headers.Get("X-Test"))

	status, answer, err = conn.do(http.MethodPut, "/chunks", "Authorization: Bearer t\r\n", []byte(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, body+body+body, string(answer))

	status, answer, err = conn.do(http.MethodGet, "/length", "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Empty(t, answer)
	require.Equal(t, peers[0], peers[2], "the connection is kept")

	_, _, err = conn.do(http.MethodGet, "/end", "Authorization: Bearer t\r\n", nil)
	require.Error(t, err)
	require.NoError(t, conn.allow(time.Now().Add(10*time.Second)), "another connection is opened")
	_, _, err = conn.do(http.MethodGet, "/length", "", nil)
	require.NoError(t, err)
	require.NoError(t, conn.close())
}

func TestHTTPConnRefusesWhatIsNoAnswer(t *testing.T) {
	for _, answer := range []string{
		"SSH-2.0\r\n\r\n",
		"HTTP/1.1 abc\r\n\r\n",
		"HTTP/1.1 200 OK\r\n\r\nno length",
		"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, answer)
				_ = conn.Close()
			}
		}))
		conn := newHTTPConn(server.Listener.Addr().String())
		require.NoError(t, conn.allow(time.Now().Add(10*time.Second)))
		_, _, err := conn.do(http.MethodGet, "/", "", nil)
		require.Error(t, err, "%q", answer)
		server.Close()
	}
}
