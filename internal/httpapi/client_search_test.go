package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

func searchIndexOf(d httpapi.SearchIndexDocument) graph.SearchIndex {
	return graph.SearchIndex{
		Name: d.Name, Kind: graph.Kind(d.Kind), Types: d.Types, Properties: d.Properties, Analyzer: d.Analyzer,
		State: graph.SearchIndexState(d.State), Progress: d.Progress, Managed: d.Managed,
	}
}

const searchIndexPath = "/api/admin/search-indexes"

func (c *client) SearchIndexes(ctx context.Context) ([]graph.SearchIndex, error) {
	a, err := c.do(ctx, request{method: "GET", path: searchIndexPath})
	if err != nil {
		return nil, err
	}
	var list []httpapi.SearchIndexDocument
	if err := json.Unmarshal(a.Data, &list); err != nil || list == nil {
		return nil, fmt.Errorf("no list: %s", a.Data)
	}
	var found []graph.SearchIndex
	for _, d := range list {
		found = append(found, searchIndexOf(d))
	}
	return found, nil
}

func (c *client) searchIndex(ctx context.Context, r request) (graph.SearchIndex, *answer, error) {
	a, err := c.do(ctx, r)
	if err != nil {
		return graph.SearchIndex{}, nil, err
	}
	var d httpapi.SearchIndexDocument
	err = json.Unmarshal(a.Data, &d)
	return searchIndexOf(d), a, err
}

func (c *client) SearchIndex(ctx context.Context, name string) (graph.SearchIndex, error) {
	i, _, err := c.searchIndex(ctx, request{method: "GET", path: searchIndexPath + "/" + url.PathEscape(name)})
	return i, err
}

func (c *client) CreateSearchIndex(ctx context.Context, n graph.NewSearchIndex) (graph.SearchIndex, error) {
	types := make([]string, len(n.Types))
	for i, t := range n.Types {
		types[i] = string(t)
	}
	body, err := json.Marshal(httpapi.NewSearchIndexBody{
		Name: n.Name, Kind: string(n.Kind), Types: types, Properties: n.Properties, Analyzer: n.Analyzer,
	})
	if err != nil {
		return graph.SearchIndex{}, err
	}
	i, a, err := c.searchIndex(ctx, request{method: "POST", path: searchIndexPath, body: body})
	if err == nil && a.header.Get("Location") != searchIndexPath+"/"+url.PathEscape(n.Name) {
		err = fmt.Errorf("Location is %q", a.header.Get("Location"))
	}
	return i, err
}

func (c *client) DeleteSearchIndex(ctx context.Context, name string) error {
	a, err := c.do(ctx, request{method: "DELETE", path: searchIndexPath + "/" + url.PathEscape(name)})
	if err != nil {
		return err
	}
	if string(a.Data) != `{"name":`+quote(name)+`,"deleted":true}` {
		return fmt.Errorf("not deleted: %s", a.Data)
	}
	return nil
}

func (c *client) Search(ctx context.Context, q graph.SearchQuery) (graph.Hits, error) {
	query := pagingValues(q.Type, q.Paging)
	words := make([]string, len(q.Words))
	for i, w := range q.Words {
		words[i] = `"` + w.Text + `"`
		if w.Prefix {
			words[i] = w.Text + "*"
		}
	}
	query.Set("q", strings.Join(words, " "))
	if q.Kind != "" {
		query.Set("kind", string(q.Kind))
	}
	for name, names := range map[string][]string{"index": q.Indexes, "property": q.Properties} {
		if names == nil {
			continue
		}
		text, err := json.Marshal(names)
		if err != nil {
			return graph.Hits{}, err
		}
		query.Set(name, string(text))
	}
	a, err := c.do(ctx, request{method: "GET", path: "/api/search", query: query})
	if err != nil {
		return graph.Hits{}, err
	}
	page, err := pageFrom(a, hitJSON.hit)
	return graph.Hits{Page: page, Truncated: a.Meta.Page.Truncated}, err
}

type hitJSON struct {
	Kind    graph.Kind
	Score   float64
	Matched []string
	Node    *entityJSON
	Edge    *entityJSON
}

func (j hitJSON) hit() (graph.Hit, error) {
	h := graph.Hit{Kind: j.Kind, Score: j.Score, Matched: j.Matched}
	var err error
	switch {
	case j.Kind == graph.NodeKind && j.Node != nil && j.Edge == nil:
		h.Node, err = j.Node.node()
	case j.Kind == graph.EdgeKind && j.Edge != nil && j.Node == nil:
		h.Edge, err = j.Edge.edge()
	default:
		err = fmt.Errorf("a hit that is neither: %+v", j)
	}
	return h, err
}
