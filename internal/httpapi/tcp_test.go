package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// listen serves the API as in production and returns the address.
func listen(t *testing.T, a *API) (string, *http.Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := NewServer(a, time.Second, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Shutdown(context.Background())
		<-done
	})
	return l.Addr().String(), server
}

// converse sends raw text over one connection and reads until the server closes it.
func converse(t *testing.T, address, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(conn, strings.ReplaceAll(text, "\n", "\r\n"))
	require.NoError(t, err)
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func TestSmuggledRequestsGetOneResponse(t *testing.T) {
	address, _ := listen(t, newTestAPI(t, Options{}))
	const login = "POST /api/auth/login HTTP/1.1\nHost: x\nContent-Type: application/json\n"
	const smuggled = "GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n"
	for _, c := range []struct{ name, text, status, body string }{
		{"content length and chunks", login + "Content-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n" + smuggled, "400", "VALIDATION_ERROR"},
		{"chunks alone", login + "Transfer-Encoding: chunked\n\n0\n\n" + smuggled, "400", "VALIDATION_ERROR"},
		{"a chunk that is none", login + "Transfer-Encoding: chunked\n\nzz\n{}\n0\n\n" + smuggled, "400", "could not be read"},
		{"two lengths", login + "Content-Length: 2\nContent-Length: 3\n\n{}" + smuggled, "400", ""},
		{"an unknown coding", login + "Transfer-Encoding: xchunked\n\n0\n\n" + smuggled, "501", ""},
		{"two hosts", "GET /healthz HTTP/1.1\nHost: x\nHost: y\n\n" + smuggled, "400", ""},
		{"a length that is none", login + "Content-Length: -1\n\n{}" + smuggled, "400", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := converse(t, address, c.text)
			require.True(t, strings.HasPrefix(answer, "HTTP/1.1 "+c.status), answer)
			require.Equal(t, 1, strings.Count(answer, "HTTP/1.1 "), answer)
			require.Contains(t, answer, c.body)
			require.Contains(t, answer, "Connection: close")
		})
	}
	t.Run("a chunk that ends in a bare line feed", func(t *testing.T) {
		answer := converse(t, address, login+"Transfer-Encoding: chunked\n\n2\r\n{}")
		require.Equal(t, 1, strings.Count(answer, "HTTP/1.1 "), answer)
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, strings.ReplaceAll(login+"Transfer-Encoding: chunked\n\n", "\n", "\r\n")+"2\n{}\n0\n\n")
		require.NoError(t, err)
		line, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "400")
	})
}

func TestSlowClientsAreCutOff(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	address, server := listen(t, newTestAPI(t, Options{}))
	require.Equal(t, 5*time.Second, server.ReadHeaderTimeout)
	t.Run("header", func(t *testing.T) {
		t.Parallel()
		require.Less(t, sendSlowly(t, address, "GET /healthz HTTP/1.1\r\nX: "), 12*time.Second)
	})
	t.Run("body", func(t *testing.T) {
		t.Parallel()
		head := "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
		require.Less(t, sendSlowly(t, address, head), 25*time.Second)
	})
}

// sendSlowly sends text and then a byte every half second, and returns how long the server kept the connection open.
func sendSlowly(t *testing.T, address, text string) time.Duration {
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	started := time.Now()
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	gone := make(chan struct{})
	go func() { defer close(gone); _, _ = io.Copy(io.Discard, conn) }()
	for time.Since(started) < 25*time.Second {
		select {
		case <-gone:
			return time.Since(started)
		case <-time.After(500 * time.Millisecond):
			_, _ = io.WriteString(conn, "a")
		}
	}
	return time.Since(started)
}

func TestWriteTimeoutExceedsTheQueryTimeout(t *testing.T) {
	for _, query := range []time.Duration{time.Second, 15 * time.Second, 10 * time.Minute} {
		s := NewServer(http.NotFoundHandler(), query, slog.New(slog.DiscardHandler))
		require.Greater(t, s.WriteTimeout, s.ReadTimeout+query)
		require.GreaterOrEqual(t, s.WriteTimeout, 30*time.Second)
	}
}

func TestHugeHeadersAreRejected(t *testing.T) {
	address, _ := listen(t, newTestAPI(t, Options{}))
	answer := converse(t, address, fmt.Sprintf("GET /api/nodes HTTP/1.1\nHost: x\nAuthorization: Bearer %s\n\n", strings.Repeat(".", 1<<20)))
	require.Contains(t, answer, " 431 ")
}
