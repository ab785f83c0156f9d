package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// answerSample is an answer of the gateway to one operation, for one entity.
type answerSample struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
	ID     string `json:"id"` // of the entity; empty for lists
}

// sampleAnswers asks the gateway for an answer to each operation. It creates a node and an edge, and deletes the node.
func sampleAnswers(g *gateway, d *Dataset, cursor string) (map[Operation]answerSample, error) {
	c := newGatewayClient(g.address, g.tokens[0], cursor, d)
	draw := newPicker(d, 0, 0, false)
	all := map[Operation]answerSample{}
	for _, operation := range []Operation{NodeByID, EdgeByID, CreateEdge, UpdateNode, CreateNode, DeleteNode, ListFirst, ListDeep} {
		if operation == ListDeep && cursor == "" {
			continue
		}
		w := work{operation: DeleteNode, entity: entity{ID: all[CreateNode].ID}}
		if operation != DeleteNode {
			var err error
			if w, err = draw.next(operation); err != nil {
				return nil, err
			}
		}
		s, err := c.sample(&w)
		if err != nil {
			return nil, fmt.Errorf("an answer to copy: %w", err)
		}
		all[operation] = s
	}
	return all, nil
}

func (g *gatewayClient) sample(w *work) (answerSample, error) {
	method, path, body, want := g.request(w)
	if err := g.begin(time.Now().Add(answerTime)); err != nil {
		return answerSample{}, err
	}
	status, answer, err := g.conn.do(method, path, g.headers, body)
	if err != nil {
		return answerSample{}, err
	}
	if status != want || !g.right(w, answer) {
		return answerSample{}, unexpected(w, status, answer)
	}
	s := answerSample{Status: status, Body: string(answer), ID: w.ID}
	if w.operation == CreateNode || w.operation == CreateEdge {
		_, after, _ := strings.Cut(s.Body, `"id":"`)
		s.ID, _, _ = strings.Cut(after, `"`)
	}
	return s, nil
}

// newLimit returns the handler of a server that reads requests and sends copies of the gateway's responses. It measures HTTP without a
// database.
func newLimit(all map[Operation]answerSample) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		kind, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/api/"), "/")
		s := all[limitOperation(r.Method, kind, id, strings.Contains(r.URL.RawQuery, "cursor="))]
		body := []byte(s.Body)
		if id != "" {
			body = bytes.ReplaceAll(body, []byte(s.ID), []byte(id))
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(s.Status)
		_, _ = w.Write(body) //nolint:gosec // JSON that the gateway answered, to the benchmark's own clients
	})
}

func limitOperation(method, kind, id string, deep bool) Operation {
	switch {
	case method == http.MethodPost && kind == "edges":
		return CreateEdge
	case method == http.MethodPost:
		return CreateNode
	case method == http.MethodPut:
		return UpdateNode
	case method == http.MethodDelete:
		return DeleteNode
	case id == "" && deep:
		return ListDeep
	case id == "":
		return ListFirst
	case kind == "edges":
		return EdgeByID
	default:
		return NodeByID
	}
}
