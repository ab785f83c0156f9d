package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

const jsonType = "application/json; charset=utf-8"

// timestampForm is RFC 3339 in UTC with milliseconds.
const timestampForm = "2006-01-02T15:04:05.000Z07:00"

// maxPooledBuffer keeps a single huge answer from pinning its buffer in the pool.
const maxPooledBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

// appender appends the JSON of an answer's data.
type appender func(dst []byte) []byte

// send is the one writer of successful answers: {"data": ..., "meta": {"status": "success", "timestamp": ...}}.
func (c *call) send(status int, data appender) { c.write(status, data, nil) }

// sendPage adds meta.page and, when there is more, the Link header. Next is the cursor of the next page, empty on the last.
func (c *call) sendPage(data appender, p pageRequest, next string, total *int64) {
	if next != "" {
		c.gin.Header("Link", "<"+c.nextLink(next)+`>; rel="next"`)
	}
	c.write(http.StatusOK, data, func(b []byte) []byte {
		b = append(b, `{"limit":`...)
		b = strconv.AppendInt(b, int64(p.limit), 10)
		b = append(b, `,"offset":`...)
		b = strconv.AppendInt(b, p.offset, 10)
		b = append(b, `,"has_more":`...)
		b = strconv.AppendBool(b, next != "")
		b = append(b, `,"next_cursor":`...)
		if next == "" {
			b = append(b, "null"...)
		} else {
			b = typedjson.AppendString(b, next)
		}
		if total != nil {
			b = append(b, `,"total":`...)
			b = strconv.AppendInt(b, *total, 10)
		}
		if p.truncated {
			b = append(b, `,"truncated":true`...)
		}
		return append(b, '}')
	})
}

func (c *call) write(status int, data, page appender) {
	c.sendBookmark()
	pooled := buffers.Get().(*[]byte)
	b := append((*pooled)[:0], `{"data":`...)
	b = data(b)
	b = append(b, `,"meta":{"status":"success","timestamp":"`...)
	b = time.Now().UTC().AppendFormat(b, timestampForm)
	b = append(b, '"')
	if page != nil {
		b = append(b, `,"page":`...)
		b = page(b)
	}
	b = append(b, "}}\n"...)
	c.sendRaw(status, b)
	if cap(b) <= maxPooledBuffer {
		*pooled = b
		buffers.Put(pooled)
	}
}

// sendRaw writes a whole JSON text. The length is always known, so HEAD gives the same headers as GET.
func (c *call) sendRaw(status int, body []byte) { writeJSON(c.gin.Writer, status, body) }

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has left is seen by the access log
}

// encoded is an appender for small documents that are no nodes or edges.
func encoded(v any) appender {
	return func(dst []byte) []byte {
		b := bytes.NewBuffer(dst)
		encoder := json.NewEncoder(b)
		encoder.SetEscapeHTML(false) // "List<Integer>" is for people to read; no answer is HTML
		if err := encoder.Encode(v); err != nil {
			panic(err) // the documents of document.go can all be encoded
		}
		return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
}

func nodeData(n *graph.Node) appender {
	return func(dst []byte) []byte { return typedjson.AppendNode(dst, n) }
}

func edgeData(e *graph.Edge) appender {
	return func(dst []byte) []byte { return typedjson.AppendEdge(dst, e) }
}

// listData appends an array.
func listData[T any](items []T, one func(dst []byte, item *T) []byte) appender {
	return func(dst []byte) []byte {
		dst = append(dst, '[')
		for i := range items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = one(dst, &items[i])
		}
		return append(dst, ']')
	}
}

// sendList answers a page of a store.
func sendList[T any](c *call, p pageRequest, page graph.Page[T], one func([]byte, *T) []byte) {
	next := ""
	if page.Next != nil {
		next = c.api.cursors.seal(page.Next, p.offset+int64(len(page.Items)), c.fingerprint())
	}
	c.sendPage(listData(page.Items, one), p, next, page.Total)
}
