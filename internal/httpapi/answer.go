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

const jsonMediaType = "application/json; charset=utf-8"

// jsonContentType is shared by all responses: Set and Add of a header replace a value whose capacity is its length.
var jsonContentType = []string{jsonMediaType}

// timestampFormat is RFC 3339 with milliseconds.
const timestampFormat = "2006-01-02T15:04:05.000Z07:00"

// maxPooledBuffer is the largest buffer that is returned to the pool, so that one huge response does not keep its memory there.
const maxPooledBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

// flushBytes is the size at which the buffered part of a response is sent.
const flushBytes = 256 << 10

// appender appends the JSON of a response's data, or of a part of it.
type appender func(dst []byte) []byte

// output writes the JSON of a response. A long response is sent in chunks, so that it is never in memory as a whole in addition to
// its entities; it then has no Content-Length.
type output struct {
	w      http.ResponseWriter
	status int
	b      []byte
	sent   bool      // the header and a part of the body were sent
	failed bool      // the client has disconnected or does not read
	length [1]string // the header Content-Length
	// contentType is the header Content-Type; nil for JSON
	contentType []string
}

// append appends a part, after flushing the buffer if it is full. It returns false if writing has failed, so that the caller can stop.
func (o *output) append(part appender) bool {
	if len(o.b) >= flushBytes {
		o.flush()
	}
	if !o.failed {
		o.b = part(o.b)
	}
	return !o.failed
}

func (o *output) flush() {
	if !o.sent {
		if o.contentType == nil {
			o.contentType = jsonContentType
		}
		o.w.Header()["Content-Type"] = o.contentType
		o.w.WriteHeader(o.status)
		o.sent = true
	}
	if !o.failed {
		_, err := o.w.Write(o.b)
		o.failed = err != nil // the access log shows it
	}
	o.b = o.b[:0]
}

// end sends the rest. A response that fits into one chunk gets a Content-Length.
func (o *output) end() {
	if !o.sent {
		o.length[0] = strconv.Itoa(len(o.b))
		o.w.Header()["Content-Length"] = o.length[:]
	}
	o.flush()
}

// send writes a successful response: {"data": ..., "meta": {"status": "success", "timestamp": ...}}.
func (c *call) send(status int, data appender) {
	c.write(status, func(o *output) { o.append(data) }, nil)
}

// sendPage adds meta.page and, if there is a next page, the Link header. Next is the cursor of the next page, empty on the last.
func (c *call) sendPage(data func(*output), p pageRequest, next string, total *int64) {
	if next != "" {
		c.gin.Header("Link", "<"+c.nextLink(next)+`>; rel="next"`)
	}
	c.write(http.StatusOK, data, func(b []byte) []byte {
		b = append(b, `,"page":{"limit":`...)
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

// write writes a successful response. Meta appends further members of meta, each after a comma; it may be nil.
func (c *call) write(status int, data func(*output), meta appender) {
	c.sendBookmark()
	pooled := buffers.Get().(*[]byte)
	o := output{w: c.gin.Writer, status: status, b: append((*pooled)[:0], `{"data":`...)}
	data(&o)
	o.append(func(b []byte) []byte {
		b = append(b, `,"meta":{"status":"success","timestamp":"`...)
		b = time.Now().UTC().AppendFormat(b, timestampFormat)
		b = append(b, '"')
		if meta != nil {
			b = meta(b)
		}
		return append(b, "}}\n"...)
	})
	o.end()
	if cap(o.b) <= maxPooledBuffer {
		*pooled = o.b
		buffers.Put(pooled)
	}
}

// sendRaw writes a whole JSON text.
func (c *call) sendRaw(status int, body []byte) { writeJSON(c.gin.Writer, status, body) }

// writeJSON writes a whole JSON text. The length is always known, so HEAD has the same headers as GET.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	o := output{w: w, status: status, b: body}
	o.end()
}

// appendJSON returns an appender for small documents other than nodes and edges.
func appendJSON(v any) appender {
	return func(dst []byte) []byte {
		b := bytes.NewBuffer(dst)
		encoder := json.NewEncoder(b)
		encoder.SetEscapeHTML(false) // keeps "List<Integer>" readable; no response is HTML
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

// appendAndRelease wraps an appender of items: it clears each item after it was appended, so that the memory of a large item can be
// freed before the whole response was sent.
func appendAndRelease[T any](one func(dst []byte, item *T) []byte) func([]byte, *T) []byte {
	return func(dst []byte, item *T) []byte {
		dst = one(dst, item)
		var none T
		*item = none
		return dst
	}
}

// listData writes an array.
func listData[T any](items []T, one func(dst []byte, item *T) []byte) func(*output) {
	return func(o *output) {
		before := byte('[')
		for i := range items {
			more := o.append(func(dst []byte) []byte { return one(append(dst, before), &items[i]) })
			before = ','
			if !more {
				return
			}
		}
		o.append(func(dst []byte) []byte {
			if before == '[' {
				dst = append(dst, '[')
			}
			return append(dst, ']')
		})
	}
}

// graphData writes {"nodes","edges","paths","truncated"} and releases the nodes and edges.
func graphData(g *graph.Subgraph) func(*output) {
	return func(o *output) {
		text := func(s string) { o.append(func(dst []byte) []byte { return append(dst, s...) }) }
		text(`{"nodes":`)
		listData(g.Nodes, appendAndRelease(typedjson.AppendNode))(o)
		text(`,"edges":`)
		listData(g.Edges, appendAndRelease(typedjson.AppendEdge))(o)
		o.append(func(dst []byte) []byte { return typedjson.AppendPaths(append(dst, ','), g) })
	}
}

// sendGraph sends a part of the graph.
func (c *call) sendGraph(g *graph.Subgraph) { c.write(http.StatusOK, graphData(g), nil) }

// sendList sends a page of a store.
func sendList[T any](c *call, p pageRequest, page graph.Page[T], one func([]byte, *T) []byte) {
	next := ""
	if page.Next != nil {
		next = c.api.cursors.encode(page.Next, p.offset+int64(len(page.Items)), c.fingerprint())
	}
	c.sendPage(listData(page.Items, one), p, next, page.Total)
}

// sendCreated sends 201. A replayed create gets the same response as the first one.
func (c *call) sendCreated(collection, id string, r graph.Revision, replayed bool, data appender) {
	c.setLocation(collection, id)
	c.setETag(r)
	if replayed {
		c.gin.Header("Idempotent-Replayed", "true")
	}
	c.send(http.StatusCreated, data)
}

// mapSlice converts the elements of a slice. The result is never nil, so that JSON shows [].
func mapSlice[A, B any](items []A, one func(A) B) []B {
	out := make([]B, 0, len(items))
	for _, item := range items {
		out = append(out, one(item))
	}
	return out
}

// nonNil returns an empty slice for nil, so that JSON shows [].
func nonNil[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// orNull returns nil for an empty text, such as the type of a node without labels.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
