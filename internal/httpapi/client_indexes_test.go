package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

const indexPath = "/api/admin/indexes"

func propertyIndexOf(d httpapi.PropertyIndexDocument) graph.PropertyIndex {
	i := graph.PropertyIndex{
		Name: d.Name, Entity: graph.Kind(d.Entity), Kind: graph.IndexKind(d.Kind), Types: d.Types, Properties: d.Properties,
		State: graph.SearchIndexState(d.State), Progress: d.Progress, Managed: d.Managed,
	}
	if d.Constraint != nil {
		i.Constraint = *d.Constraint
	}
	return i
}

func (c *client) Indexes(ctx context.Context) ([]graph.PropertyIndex, error) {
	a, err := c.do(ctx, request{method: "GET", path: indexPath})
	if err != nil {
		return nil, err
	}
	var list []httpapi.PropertyIndexDocument
	if err := json.Unmarshal(a.Data, &list); err != nil || list == nil {
		return nil, fmt.Errorf("no list: %s", a.Data)
	}
	var found []graph.PropertyIndex
	for _, d := range list {
		found = append(found, propertyIndexOf(d))
	}
	return found, nil
}

func (c *client) index(ctx context.Context, r request) (graph.PropertyIndex, *answer, error) {
	a, err := c.do(ctx, r)
	if err != nil {
		return graph.PropertyIndex{}, nil, err
	}
	var d httpapi.PropertyIndexDocument
	err = json.Unmarshal(a.Data, &d)
	return propertyIndexOf(d), a, err
}

func (c *client) Index(ctx context.Context, name string) (graph.PropertyIndex, error) {
	i, _, err := c.index(ctx, request{method: "GET", path: indexPath + "/" + url.PathEscape(name)})
	return i, err
}

func (c *client) CreateIndex(ctx context.Context, n graph.NewIndex) (graph.PropertyIndex, error) {
	body, err := json.Marshal(httpapi.NewIndexBody{
		Name: n.Name, Entity: string(n.Entity), Kind: string(n.Kind), Type: string(n.Type), Properties: n.Properties,
	})
	if err != nil {
		return graph.PropertyIndex{}, err
	}
	i, a, err := c.index(ctx, request{method: "POST", path: indexPath, body: body})
	if err == nil && a.header.Get("Location") != indexPath+"/"+url.PathEscape(n.Name) {
		err = fmt.Errorf("Location is %q", a.header.Get("Location"))
	}
	return i, err
}

func (c *client) IndexAdvice(ctx context.Context) ([]graph.IndexAdvice, error) {
	a, err := c.do(ctx, request{method: "GET", path: "/api/admin/index-advice"})
	if err != nil {
		return nil, err
	}
	var list []httpapi.IndexAdviceDocument
	if err := json.Unmarshal(a.Data, &list); err != nil {
		return nil, err
	}
	var found []graph.IndexAdvice
	for _, d := range list {
		w := d.WouldBe
		found = append(found, graph.IndexAdvice{Count: d.Count, Index: graph.NewIndex{
			Name: w.Name, Entity: graph.Kind(w.Entity), Kind: graph.IndexKind(w.Kind), Type: graph.TypeName(w.Type), Properties: w.Properties,
		}})
	}
	return found, nil
}

func (c *client) DeleteIndex(ctx context.Context, name string) error {
	a, err := c.do(ctx, request{method: "DELETE", path: indexPath + "/" + url.PathEscape(name)})
	if err != nil {
		return err
	}
	if string(a.Data) != `{"name":`+quote(name)+`,"deleted":true}` {
		return fmt.Errorf("not deleted: %s", a.Data)
	}
	return nil
}
