package bench

import (
	"bytes"
	"context"
	"net/http"
)

// gatewayClient sends requests to the gateway, or to what answers like it, as any HTTP client would.
type gatewayClient struct {
	http   *httpClient
	token  string
	data   *Dataset
	cursor string // of the deep page, escaped
	body   []byte
	// namesTypes is set for the Service, whose paths name types, and whose lists begin after an id.
	namesTypes bool
}

func newGatewayClient(address, token, cursor string, d *Dataset) *gatewayClient {
	return &gatewayClient{http: newHTTPClient(address), token: token, data: d, cursor: cursor}
}

func (g *gatewayClient) do(ctx context.Context, w *work) error {
	method, path, body, want := g.requestFor(w)
	if g.namesTypes {
		path = g.typedPath(w)
	}
	status, _, answer, err := g.http.do(ctx, method, path, g.token, body)
	if err != nil {
		return err
	}
	if status != want || !g.right(w, answer) {
		return unexpected(w, status, answer)
	}
	return nil
}

func (g *gatewayClient) requestFor(w *work) (method, path string, body []byte, want int) {
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
	default:
		return http.MethodGet, listPath, nil, http.StatusOK
	}
}

// typedPath is the path of a request to the Service.
func (g *gatewayClient) typedPath(w *work) string {
	switch w.operation {
	case ListFirst, ListDeep:
		return "/api/list?after=" + g.data.page(w).after
	case CreateNode:
		return "/api/nodes/" + g.data.NodeTypes[w.Type]
	case CreateEdge:
		return "/api/edges/" + g.data.EdgeTypes[w.Type]
	case EdgeByID:
		return "/api/edges/" + g.data.EdgeTypes[w.Type] + "/" + w.ID
	default:
		return "/api/nodes/" + g.data.NodeTypes[w.Type] + "/" + w.ID
	}
}

const listPath = "/api/nodes?type=" + listType + "&limit=100"

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
	case ListFirst, ListDeep:
		return g.data.page(w).in(answer)
	default:
		return bytes.Contains(answer, []byte(w.ID))
	}
}

// in reports whether an answer contains the page.
func (p expectedPage) in(answer []byte) bool {
	return bytes.Contains(answer, []byte(p.first)) && bytes.Contains(answer, []byte(p.last))
}
