package bench

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// gatewayClient sends requests to the gateway as any HTTP client would.
type gatewayClient struct {
	conn    *httpConn
	headers string
	data    *Dataset
	cursor  string   // of the deep page, escaped
	cursors []string // of all pages
	body    []byte
	request func(*work) (method, path string, body []byte, want int)
}

func newGatewayClient(address, token, cursor string, d *Dataset) *gatewayClient {
	g := &gatewayClient{
		conn: newHTTPConn(address), data: d, cursor: cursor,
		headers: "Authorization: Bearer " + token + "\r\nAccept: application/json\r\n",
	}
	g.request = g.gatewayRequest
	return g
}

// refusal is the error of a request that was answered 503.
type refusal struct {
	after string // its Retry-After
	cause error
}

func (r *refusal) Error() string { return r.cause.Error() }

func (g *gatewayClient) begin(deadline time.Time) error { return g.conn.allow(deadline) }

func (g *gatewayClient) do(_ context.Context, w *work) error {
	method, path, body, want := g.request(w)
	status, answer, err := g.conn.do(method, path, g.headers, body)
	if err != nil {
		return err
	}
	if status == http.StatusServiceUnavailable {
		return &refusal{after: g.conn.retryAfter, cause: unexpected(w, status, answer)}
	}
	if status != want || !g.right(w, answer) {
		return unexpected(w, status, answer)
	}
	return nil
}

func (g *gatewayClient) gatewayRequest(w *work) (method, path string, body []byte, want int) {
	switch w.operation {
	case NodeByID:
		return http.MethodGet, "/api/nodes/" + w.ID, nil, http.StatusOK
	case EdgeByID:
		return http.MethodGet, "/api/edges/" + w.ID, nil, http.StatusOK
	case CreateNode:
		b := append(g.body[:0], `{"type":"`...)
		b = append(b, g.data.NodeTypes[w.Type]...)
		g.body = append(g.properties(append(b, '"'), w), '}')
		return http.MethodPost, "/api/nodes", g.body, http.StatusCreated
	case CreateEdge:
		b := append(g.body[:0], `{"type":"`...)
		b = append(b, g.data.EdgeTypes[w.Type]...)
		b = append(b, `","source_id":"`...)
		b = append(b, w.source...)
		b = append(b, `","target_id":"`...)
		b = append(b, w.target...)
		g.body = append(g.properties(append(b, '"'), w), '}')
		return http.MethodPost, "/api/edges", g.body, http.StatusCreated
	case UpdateNode:
		g.body = append(appendProperties(append(g.body[:0], `{"properties":{`...), w), "}}"...)
		return http.MethodPut, "/api/nodes/" + w.ID, g.body, http.StatusOK
	case DeleteNode:
		return http.MethodDelete, "/api/nodes/" + w.ID, nil, http.StatusOK
	case ListDeep:
		return http.MethodGet, listPath + "&cursor=" + g.cursor, nil, http.StatusOK
	case ListAny:
		return http.MethodGet, listPath + g.cursors[w.number], nil, http.StatusOK
	case Degree:
		return http.MethodGet, "/api/nodes/" + w.ID + "/degree", nil, http.StatusOK
	case Count:
		return http.MethodGet, countPath, nil, http.StatusOK
	case CountSome:
		return http.MethodGet, countPath + "&filter%5Brank%5D%5Blt%5D=" + strconv.Itoa(g.data.countedBelow()), nil, http.StatusOK
	case Schema:
		return http.MethodGet, "/api/schema", nil, http.StatusOK
	default:
		return http.MethodGet, listPath, nil, http.StatusOK
	}
}

// serviceRequest is the request to a service, whose paths name the type.
func (g *gatewayClient) serviceRequest(w *work) (method, path string, body []byte, want int) {
	method, path, body, want = g.gatewayRequest(w)
	switch w.operation {
	case ListFirst, ListDeep, ListAny:
		return method, "/api/list?after=" + g.data.page(w).after, nil, want
	case EdgeByID:
		return method, "/api/edges/" + g.data.EdgeTypes[w.Type] + "/" + w.ID, nil, want
	case CreateEdge:
		return method, path + "/" + g.data.EdgeTypes[w.Type], body, want
	case CreateNode:
		return method, path + "/" + g.data.NodeTypes[w.Type], body, want
	default:
		return method, "/api/nodes/" + g.data.NodeTypes[w.Type] + "/" + w.ID, body, want
	}
}

const (
	listPath  = "/api/nodes?type=" + listType + "&limit=100"
	countPath = "/api/nodes?type=" + listType + "&limit=1&count=exact"
)

func (g *gatewayClient) properties(b []byte, w *work) []byte {
	return append(appendProperties(append(b, `,"properties":{`...), w), '}')
}

func (g *gatewayClient) right(w *work, answer []byte) bool {
	switch w.operation {
	case CreateNode, CreateEdge:
		_, after, found := bytes.Cut(answer, []byte(`"id":"`))
		return found && len(after) > 36 && after[36] == '"'
	case DeleteNode:
		return bytes.Contains(answer, []byte(w.ID)) && bytes.Contains(answer, []byte(`"deleted":true`))
	case ListFirst, ListDeep, ListAny:
		return g.data.page(w).in(answer)
	case Count, CountSome:
		return bytes.Contains(answer, fmt.Appendf(nil, `"total":%d`, g.data.counted(w.operation)))
	case Degree:
		return bytes.Contains(answer, []byte(w.ID)) && bytes.Contains(answer, []byte(`"counts":`))
	case Schema:
		return bytes.Contains(answer, []byte(listType)) && bytes.Contains(answer, []byte(edgePrefix))
	default:
		return bytes.Contains(answer, []byte(w.ID))
	}
}

// in reports whether an answer contains the page.
func (p expectedPage) in(answer []byte) bool {
	return bytes.Contains(answer, []byte(p.first)) && bytes.Contains(answer, []byte(p.last))
}
