package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// httpConn is one keep-alive HTTP/1.1 connection (RFC 9112) with minimal overhead, so that the measurement covers
// the server and not the client. The request is written with one call, and the answer is read to its end.
type httpConn struct {
	address string
	conn    net.Conn
	used    time.Time // when the last answer ended
	reader  *bufio.Reader
	request []byte
	answer  []byte // valid until the next request
	// retryAfter is the header of that name of the last answer with 503.
	retryAfter string
	headers    http.Header // if not nil, receives the answer's headers that start with X-
}

// longestIdle is the idle time after which a connection is reopened: servers close idle ones, Neo4j's after 30 s.
const longestIdle = 5 * time.Second

// maxAnswer is the maximum size of an answer.
const maxAnswer = 64 << 20

func newHTTPConn(address string) *httpConn { return &httpConn{address: address} }

func (c *httpConn) close() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}

// allow opens the connection if it is not open and lets it be used until the deadline.
func (c *httpConn) allow(deadline time.Time) error {
	if c.conn != nil && time.Since(c.used) > longestIdle {
		_ = c.close()
	}
	if c.conn == nil {
		conn, err := net.DialTimeout("tcp", c.address, 10*time.Second)
		if err != nil {
			return err
		}
		c.conn, c.reader, c.used = conn, bufio.NewReaderSize(conn, 64<<10), time.Now()
	}
	return c.conn.SetDeadline(deadline)
}

// do sends a request and reads its answer. Headers are whole lines, each with its line end; a nil body sends none.
// A connection that fails is closed, and the next allow opens another one.
func (c *httpConn) do(method, path, headers string, body []byte) (status int, answer []byte, err error) {
	if c.conn == nil {
		return 0, nil, errors.New("the connection was lost")
	}
	b := append(c.request[:0], method...)
	b = append(b, ' ')
	b = append(b, path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, c.address...)
	b = append(b, "\r\n"...)
	b = append(b, headers...)
	if body != nil {
		b = append(b, "Content-Type: application/json\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(body)), 10)
		b = append(b, "\r\n"...)
	}
	b = append(b, "\r\n"...)
	b = append(b, body...)
	c.request = b
	if _, err = c.conn.Write(b); err == nil {
		status, err = c.read()
	}
	if err != nil {
		return 0, nil, errors.Join(err, c.close())
	}
	c.used = time.Now()
	return status, c.answer, nil
}

func (c *httpConn) read() (int, error) {
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, fmt.Errorf("no HTTP/1.1 status line: %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, fmt.Errorf("no HTTP/1.1 status line: %q", line)
	}
	c.retryAfter = ""
	length, chunked := -1, false
	for {
		if line, err = c.line(); err != nil {
			return 0, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case status == http.StatusServiceUnavailable && bytes.EqualFold(name, []byte("Retry-After")):
			c.retryAfter = string(value)
		case c.headers != nil && bytes.HasPrefix(name, []byte("X-")):
			c.headers.Set(string(name), string(value))
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil || length < 0 || length > maxAnswer {
				return 0, fmt.Errorf("a length of %q", value)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		}
	}
	c.answer = c.answer[:0]
	switch {
	case chunked:
		err = c.readChunks()
	case length >= 0:
		err = c.readBytes(length)
	default:
		err = errors.New("an answer without a length")
	}
	return status, err
}

func (c *httpConn) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, _, _ := bytes.Cut(line, []byte(";"))
		length, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 31)
		if err != nil || len(c.answer)+int(length) > maxAnswer {
			return fmt.Errorf("a chunk of length %q", size)
		}
		if err := c.readBytes(int(length)); err != nil {
			return err
		}
		// The line end after a chunk, or after the last one the end of the trailers, which no server here sends.
		if line, err = c.line(); err != nil {
			return err
		} else if len(line) > 0 {
			return fmt.Errorf("no line end after a chunk: %q", line)
		}
		if length == 0 {
			return nil
		}
	}
}

func (c *httpConn) readBytes(count int) error {
	from := len(c.answer)
	if cap(c.answer) < from+count {
		c.answer = append(make([]byte, 0, 2*(from+count)), c.answer...)
	}
	c.answer = c.answer[:from+count]
	_, err := io.ReadFull(c.reader, c.answer[from:])
	return err
}

// line reads one line without its end; it is valid until the next read.
func (c *httpConn) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
