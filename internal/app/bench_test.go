package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"graphrest/internal/neo4jtest"
)

// BenchmarkRequests measures whole requests against a gateway in this process on a real Neo4j, with 1 and with 32 clients; compare
// runs with benchstat. Allocations and, with -cpuprofile, CPU are those of gateway and client together; the client's share is
// small.
func BenchmarkRequests(b *testing.B) {
	db := neo4jtest.OpenPrepared(b)
	g := start(b, db.URI, db.Username, db.Password, "GRAPHREST_RATE_LIMIT=1000000000", "GRAPHREST_LOG_LEVEL=warn")
	g.waitReady(b)
	token := g.login(b)
	ids := make([]string, 500)
	for i := range ids {
		_, text := g.ask(http.MethodPost, "/api/nodes", token, nodeBody(i))
		var answer struct{ Data struct{ ID string } }
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Data.ID == "" {
			b.Fatal(text)
		}
		ids[i] = answer.Data.ID
	}
	for _, op := range []struct {
		name    string
		request func(i int) (method, path, body string)
	}{
		{"read", func(i int) (string, string, string) { return http.MethodGet, "/api/nodes/" + ids[i%len(ids)], "" }},
		{"create", func(i int) (string, string, string) { return http.MethodPost, "/api/nodes", nodeBody(i) }},
		{"update", func(i int) (string, string, string) {
			return http.MethodPut, "/api/nodes/" + ids[i%len(ids)], fmt.Sprintf(`{"properties":{"age":%d}}`, i)
		}},
		{"list100", func(int) (string, string, string) { return http.MethodGet, "/api/nodes?type=Bench&limit=100", "" }},
	} {
		for _, clients := range []int{1, 32} {
			b.Run(fmt.Sprintf("%s/clients=%d", op.name, clients), func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism((clients + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
				var next atomic.Int64
				var open atomic.Int64
				b.RunParallel(func(pb *testing.PB) {
					if open.Add(1) > int64(clients) {
						return
					}
					c := dial(b, g.url, token)
					defer func() { _ = c.conn.Close() }()
					for pb.Next() {
						method, path, body := op.request(int(next.Add(1)))
						if status := c.do(method, path, body); status >= 300 {
							b.Errorf("%s %s: %d", method, path, status)
						}
					}
				})
			})
		}
	}
}

func nodeBody(i int) string {
	return fmt.Sprintf(`{"type":"Bench","properties":{"name":"name %d","age":%d,"score":%d.5,"active":true,"tags":["a","b"]}}`, i, i%100, i)
}

// plainClient is a keep-alive HTTP/1.1 connection with minimal overhead.
type plainClient struct {
	conn    net.Conn
	reader  *bufio.Reader
	headers string
	out     []byte
}

func dial(b *testing.B, url, token string) *plainClient {
	b.Helper()
	address := strings.TrimPrefix(url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	return &plainClient{
		conn: conn, reader: bufio.NewReaderSize(conn, 64<<10),
		headers: " HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + token + "\r\n",
	}
}

func (c *plainClient) do(method, path, body string) (status int) {
	c.out = append(append(append(append(c.out[:0], method...), ' '), path...), c.headers...)
	if body != "" {
		c.out = fmt.Appendf(c.out, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	c.out = append(append(c.out, "\r\n"...), body...)
	if _, err := c.conn.Write(c.out); err != nil {
		return 999
	}
	length := 0
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 999
		}
		switch {
		case status == 0:
			_, _ = fmt.Sscanf(string(line[9:12]), "%d", &status)
		case len(line) == 2:
			_, _ = c.reader.Discard(length)
			return status
		case len(line) > 16 && string(line[:16]) == "Content-Length: ":
			_, _ = fmt.Sscanf(string(line[16:]), "%d", &length)
		}
	}
}
