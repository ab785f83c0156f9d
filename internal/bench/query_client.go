package bench

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
)

// queryClient sends requests to Neo4j's own HTTP interface, the Query API v2 (https://neo4j.com/docs/query-api/current/). Success
// is 202.
type queryClient struct {
	http        *httpClient
	path        string
	credentials string
	data        *Dataset
	statements  *statementSet
	body        []byte
}

func newQueryClient(at Neo4j, d *Dataset) (*queryClient, error) {
	base, err := url.Parse(at.HTTPURL)
	if err != nil {
		return nil, err
	}
	q := &queryClient{
		http: newHTTPClient(base.Host), data: d, statements: newStatements(d), path: "/db/" + url.PathEscape(at.Database) + "/query/v2",
	}
	q.http.scheme, q.credentials = "Basic ", base64.StdEncoding.EncodeToString([]byte(at.Username+":"+at.Password))
	return q, nil
}

func (q *queryClient) do(ctx context.Context, w *work) error {
	b := append(q.body[:0], `{"statement":`...)
	b = strconv.AppendQuote(b, q.statements.of(w)) // plain ASCII, for which Go and JSON quote alike
	b = append(b, `,"parameters":{`...)
	b = q.parameters(b, w)
	q.body = append(b, "}}"...)
	status, _, answer, err := q.http.do(ctx, http.MethodPost, q.path, q.credentials, q.body)
	if err != nil {
		return err
	}
	if status != http.StatusAccepted || !q.right(w, answer) {
		return unexpected(w, status, answer)
	}
	return nil
}

func (q *queryClient) parameters(b []byte, w *work) []byte {
	switch w.operation {
	case ListFirst, ListDeep:
		return member(b, "after", q.data.page(w).after)
	case CreateNode, CreateEdge:
		if w.operation == CreateEdge {
			b = append(member(b, "source", w.source), ',')
			b = append(member(b, "target", w.target), ',')
		}
		b = append(member(append(b, `"properties":{`...), idProperty, w.ID), ',')
		return append(appendProperties(b, w), '}')
	case UpdateNode:
		b = append(member(b, "id", w.ID), `,"properties":{`...)
		return append(appendProperties(b, w), '}')
	default:
		return member(b, "id", w.ID)
	}
}

// member appends a JSON member whose name and value need no escapes.
func member(b []byte, name, value string) []byte {
	b = append(append(append(b, '"'), name...), `":"`...)
	return append(append(b, value...), '"')
}

func (q *queryClient) right(w *work, answer []byte) bool {
	switch w.operation {
	case DeleteNode:
		return bytes.Contains(answer, []byte(`"values":[[1]]`))
	case ListFirst, ListDeep:
		return q.data.page(w).in(answer)
	default:
		return bytes.Contains(answer, []byte(w.ID)) && bytes.Contains(answer, []byte(`"elementId"`))
	}
}
