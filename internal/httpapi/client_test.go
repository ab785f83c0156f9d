package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// client implements the stores over HTTP, so that the conformance cases of the stores run against the whole service.
type client struct {
	base        string
	smallLimits string                     // base of a twin to which the values named in Change.Unchanged are over a limit
	token       func(userID string) string // a token; the empty id is the user of everything without an Idempotency-Key
}

var (
	_ graph.NodeStore   = (*client)(nil)
	_ graph.EdgeStore   = (*client)(nil)
	_ graph.SchemaStore = (*client)(nil)
)

// request is one HTTP request of the client.
type request struct {
	method, path string
	query        url.Values
	body         []byte
	header       http.Header
	userID       string
	smallLimits  bool
}

// answer is the envelope of all responses.
type answer struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Truncated bool      `json:"truncated"`
		Status    string    `json:"status"`
		Timestamp time.Time `json:"timestamp"`
		Page      *struct {
			Limit      int     `json:"limit"`
			Offset     *int64  `json:"offset"`
			HasMore    bool    `json:"has_more"`
			NextCursor *string `json:"next_cursor"`
			Total      *int64  `json:"total"`
			Truncated  bool    `json:"truncated"`
		} `json:"page"`
	} `json:"meta"`
	Error *struct {
		Code    fault.Code     `json:"code"`
		Message string         `json:"message"`
		Details []fault.Detail `json:"details"`
	} `json:"error"`

	header http.Header
}

// do sends a request and returns its response; an error response becomes a fault again.
func (c *client) do(ctx context.Context, r request) (*answer, error) {
	target := c.base + r.path
	if r.smallLimits {
		target = c.smallLimits + r.path
	}
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("Authorization", "Bearer "+c.token(r.userID))
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if err := checkDocumented(r.method, r.path, res.StatusCode, string(text)); err != nil {
		return nil, err
	}
	a := &answer{header: res.Header}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(a); err != nil {
		return nil, fmt.Errorf("%s %s: %d %q: %w", r.method, r.path, res.StatusCode, text, err)
	}
	if a.Error != nil {
		return nil, fault.New(a.Error.Code, a.Error.Message, a.Error.Details...)
	}
	if a.Meta.Status != "success" || a.Meta.Timestamp.Location() != time.UTC || res.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %d with %q", r.method, r.path, res.StatusCode, text)
	}
	return a, nil
}

type entityJSON struct {
	ID         string          `json:"id"`
	Type       *string         `json:"type"`
	Labels     []string        `json:"labels"`
	SourceID   string          `json:"source_id"`
	TargetID   string          `json:"target_id"`
	Source     *endJSON        `json:"source"`
	Target     *endJSON        `json:"target"`
	Properties json.RawMessage `json:"properties"`
}

func (e entityJSON) properties() (graph.Properties, error) {
	p, faults := typedjson.DecodeProperties("properties", e.Properties)
	return p, fault.Merge(faults...)
}

func (e entityJSON) typeName() string {
	if e.Type == nil {
		return ""
	}
	return *e.Type
}

func (e entityJSON) node() (graph.Node, error) {
	p, err := e.properties()
	return graph.Node{ID: e.ID, Type: e.typeName(), Labels: e.Labels, Properties: p}, err
}

// one decodes a single entity and compares its ETag with its content.
func one[T any](a *answer, build func(entityJSON) (T, error), revision func(*T) graph.Revision) (T, error) {
	var e entityJSON
	if err := json.Unmarshal(a.Data, &e); err != nil {
		var none T
		return none, err
	}
	entity, err := build(e)
	if want := `"` + string(revision(&entity)) + `"`; err == nil && a.header.Get("ETag") != want {
		err = fmt.Errorf("ETag %s, but the content's is %s", a.header.Get("ETag"), want)
	}
	return entity, err
}

func nodeOf(a *answer) (graph.Node, error) { return one(a, entityJSON.node, (*graph.Node).Revision) }

func edgeOf(a *answer) (graph.Edge, error) { return one(a, entityJSON.edge, (*graph.Edge).Revision) }

func pageOf[T any](a *answer, build func(entityJSON) (T, error)) (graph.Page[T], error) {
	return pageFrom(a, build)
}

// pageFrom builds a page from the entries of a list.
func pageFrom[E, T any](a *answer, build func(E) (T, error)) (graph.Page[T], error) {
	var list []E
	if err := json.Unmarshal(a.Data, &list); err != nil {
		return graph.Page[T]{}, err
	}
	page := graph.Page[T]{Items: []T{}, Total: a.Meta.Page.Total}
	for _, e := range list {
		entity, err := build(e)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, entity)
	}
	next := a.Meta.Page.NextCursor
	if (next != nil) != a.Meta.Page.HasMore || (next != nil) != (a.header.Get("Link") != "") {
		return page, fmt.Errorf("has_more %v, next_cursor %v and Link %q disagree", a.Meta.Page.HasMore, next, a.header.Get("Link"))
	}
	if next != nil {
		page.Next = graph.Position(*next)
	}
	return page, nil
}

// quote appends a JSON string.
func quote(s string) string { return string(typedjson.AppendString(nil, s)) }

func propertiesText(p graph.Properties) string { return string(typedjson.AppendProperties(nil, p)) }

func keyHeader(k *graph.IdempotencyKey) (http.Header, string) {
	if k == nil {
		return nil, ""
	}
	return http.Header{"Idempotency-Key": {k.Key}}, k.UserID
}

func conditionHeader(p graph.Precondition) http.Header {
	switch {
	case !p.Present():
		return nil
	case p.Any:
		return http.Header{"If-Match": {"*"}}
	}
	tags := []string{`"nothing"`} // a list must not be empty
	for _, r := range p.Revisions {
		tags = append(tags, `"`+string(r)+`"`)
	}
	return http.Header{"If-Match": {strings.Join(tags, ", ")}}
}

func (c *client) CreateNode(ctx context.Context, n graph.NewNode) (graph.Created[graph.Node], error) {
	header, userID := keyHeader(n.Key)
	body := `{"type":` + quote(string(n.Type)) + `,"properties":` + propertiesText(n.Properties) + `}`
	a, err := c.do(ctx, request{method: "POST", path: "/api/nodes", body: []byte(body), header: header, userID: userID})
	if err != nil {
		return graph.Created[graph.Node]{}, err
	}
	node, err := nodeOf(a)
	return graph.Created[graph.Node]{Entity: node, Replayed: a.header.Get("Idempotent-Replayed") == "true"}, err
}

func (c *client) CreateEdge(ctx context.Context, e graph.NewEdge) (graph.Created[graph.Edge], error) {
	header, userID := keyHeader(e.Key)
	body := `{"type":` + quote(string(e.Type)) + `,"source_id":` + quote(e.SourceID) + `,"target_id":` + quote(e.TargetID)
	if e.Properties != nil {
		body += `,"properties":` + propertiesText(e.Properties)
	}
	a, err := c.do(ctx, request{method: "POST", path: "/api/edges", body: []byte(body + `}`), header: header, userID: userID})
	if err != nil {
		return graph.Created[graph.Edge]{}, err
	}
	edge, err := edgeOf(a)
	return graph.Created[graph.Edge]{Entity: edge, Replayed: a.header.Get("Idempotent-Replayed") == "true"}, err
}

func (c *client) Node(ctx context.Context, id string) (graph.Node, error) {
	a, err := c.do(ctx, request{method: "GET", path: "/api/nodes/" + url.PathEscape(id)})
	if err != nil {
		return graph.Node{}, err
	}
	return nodeOf(a)
}

func (c *client) update(ctx context.Context, path string, change graph.Change) (*answer, error) {
	return c.do(ctx, request{
		method: "PUT", path: path, header: conditionHeader(change.If), smallLimits: len(change.Unchanged) > 0,
		body: []byte(`{"properties":` + propertiesText(change.Properties) + `}`),
	})
}

func (c *client) UpdateNode(ctx context.Context, id string, change graph.Change) (graph.Node, error) {
	a, err := c.update(ctx, "/api/nodes/"+url.PathEscape(id), change)
	if err != nil {
		return graph.Node{}, err
	}
	return nodeOf(a)
}

func (c *client) UpdateEdge(ctx context.Context, id string, change graph.Change) (graph.Edge, error) {
	a, err := c.update(ctx, "/api/edges/"+url.PathEscape(id), change)
	if err != nil {
		return graph.Edge{}, err
	}
	return edgeOf(a)
}

func (c *client) remove(ctx context.Context, path string, r graph.Removal, query url.Values) (graph.Deletion, error) {
	a, err := c.do(ctx, request{method: "DELETE", path: path, header: conditionHeader(r.If), query: query})
	if err != nil {
		return graph.Deletion{}, err
	}
	var d struct {
		ID           string `json:"id"`
		Deleted      bool   `json:"deleted"`
		DeletedEdges int64  `json:"deleted_edges"`
	}
	err = json.Unmarshal(a.Data, &d)
	if err == nil && !d.Deleted {
		err = fmt.Errorf("not deleted: %s", a.Data)
	}
	return graph.Deletion{ID: d.ID, DeletedEdges: d.DeletedEdges}, err
}

func (c *client) DeleteNode(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	query := url.Values{}
	if r.Detach != nil {
		query.Set("detach", strconv.FormatBool(*r.Detach))
	}
	return c.remove(ctx, "/api/nodes/"+url.PathEscape(id), r, query)
}

func (c *client) DeleteEdge(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	return c.remove(ctx, "/api/edges/"+url.PathEscape(id), r, nil)
}

func pagingValues(t graph.TypeName, p graph.Paging) url.Values {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("type", string(t))
	set("cursor", string(p.After))
	if p.Limit != 0 {
		set("limit", strconv.Itoa(p.Limit))
	}
	if p.Offset != 0 {
		set("offset", strconv.FormatInt(p.Offset, 10))
	}
	if p.Count {
		query.Set("count", "exact")
	}
	return query
}

// addFilterAndSort adds conditions and sort keys to a query. Every literal is sent as a tagged value, which is unambiguous; lists of
// several types as a JSON array.
func addFilterAndSort(query url.Values, f graph.Filter, s graph.Sort) {
	addNamed(query, f, s, func(_ graph.Side, property string) string { return property })
}

// addEdgeFilterAndSort is addFilterAndSort for edges, whose conditions and keys may be of the ends.
func addEdgeFilterAndSort(query url.Values, f graph.Filter, s graph.Sort) {
	addNamed(query, f, s, graph.EdgePropertyName)
}

func addNamed(query url.Values, f graph.Filter, s graph.Sort, nameOf func(graph.Side, string) string) {
	for _, condition := range f {
		prefix := "filter"
		if condition.Any != 0 {
			prefix = fmt.Sprintf("any[%d]", condition.Any)
		}
		name := prefix + "[" + nameOf(condition.Side, condition.Property) + "][" + string(condition.Operator) + "]"
		text := string(typedjson.AppendValue(nil, condition.Value))
		switch condition.Operator {
		case graph.Contains, graph.ContainsFold, graph.StartsWith, graph.EndsWith:
			text, _ = condition.Value.(string)
		}
		query.Add(name, text)
	}
	var keys []string
	for _, key := range s {
		sign := "+"
		if key.Descending {
			sign = "-"
		}
		keys = append(keys, quote(sign+nameOf(key.Side, key.Property)))
	}
	if keys != nil {
		query.Set("sort", "["+strings.Join(keys, ",")+"]")
	}
}

func (c *client) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	query := pagingValues(q.Type, q.Paging)
	addFilterAndSort(query, q.Filter, q.Sort)
	a, err := c.do(ctx, request{method: "GET", path: "/api/nodes", query: query})
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	return pageOf(a, entityJSON.node)
}

func (c *client) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	query := pagingValues(q.Type, q.Paging)
	addEdgeFilterAndSort(query, q.Filter, q.Sort)
	path := "/api/edges"
	if q.Ends {
		query.Set("ends", "caption")
	}
	if q.Of != nil {
		path = "/api/nodes/" + url.PathEscape(q.Of.NodeID) + "/edges"
		if q.Of.Direction != "" {
			query.Set("direction", string(q.Of.Direction))
		}
	}
	for name, value := range map[string]string{"source_id": q.SourceID, "target_id": q.TargetID, "node_id": q.NodeID} {
		if value != "" {
			query.Set(name, value)
		}
	}
	a, err := c.do(ctx, request{method: "GET", path: path, query: query})
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	return pageOf(a, entityJSON.edge)
}
