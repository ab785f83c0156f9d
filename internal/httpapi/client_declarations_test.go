package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/typedjson"
)

var _ graph.TypeStore = (*client)(nil)

var pathKinds = map[graph.Kind]string{graph.NodeKind: "nodes", graph.EdgeKind: "edges"}

func typePath(k graph.Kind, t graph.TypeName) string {
	return "/api/admin/types/" + pathKinds[k] + "/" + url.PathEscape(string(t))
}

func graphKind(path string) graph.Kind {
	for kind, name := range pathKinds {
		if name == path {
			return kind
		}
	}
	return ""
}

// names converts a list that is never null to one that is nil if it is empty.
func names(list []string) []graph.TypeName {
	var types []graph.TypeName
	for _, name := range list {
		types = append(types, graph.TypeName(name))
	}
	return types
}

func keysOf(unique [][]string) [][]string {
	if len(unique) == 0 {
		return nil
	}
	return unique
}

func declaredTypeOf(d httpapi.DeclaredTypeDocument) graph.DeclaredType {
	return graph.DeclaredType{UpdatedAt: d.UpdatedAt, Declaration: graph.Declaration{
		Kind: graphKind(d.Kind), Type: graph.TypeName(d.Type), Level: graph.DeclarationLevel(d.Level), Schema: string(d.Schema),
		Unique:      keysOf(d.Unique),
		SourceTypes: names(d.SourceTypes), TargetTypes: names(d.TargetTypes),
	}}
}

func declaredAs(d *httpapi.DeclaredDocument) *graph.DeclaredType {
	if d == nil {
		return nil
	}
	return &graph.DeclaredType{Declaration: graph.Declaration{
		Level: graph.DeclarationLevel(d.Level), Schema: string(d.Schema), Unique: keysOf(d.Unique), SourceTypes: names(d.SourceTypes),
		TargetTypes: names(d.TargetTypes),
	}}
}

// ask sends a request and decodes its data.
func ask[T any](ctx context.Context, c *client, method, path string, body []byte) (data T, a *answer, err error) {
	a, err = c.do(ctx, request{method: method, path: path, body: body})
	if err == nil {
		err = json.Unmarshal(a.Data, &data)
	}
	return data, a, err
}

func (c *client) DeclaredTypes(ctx context.Context) ([]graph.DeclaredType, error) {
	var all []graph.DeclaredType
	cursor := ""
	for {
		found, a, err := ask[[]httpapi.DeclaredTypeDocument](ctx, c, "GET", "/api/admin/types?limit=1"+cursor, nil)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			all = append(all, declaredTypeOf(d))
		}
		if a.Meta.Page.NextCursor == nil {
			if *a.Meta.Page.Total != int64(len(all)) {
				return nil, fmt.Errorf("%d of %d types", len(all), *a.Meta.Page.Total)
			}
			return all, nil
		}
		cursor = "&cursor=" + url.QueryEscape(*a.Meta.Page.NextCursor)
	}
}

func (c *client) DeclaredType(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.DeclaredType, error) {
	d, _, err := ask[httpapi.DeclaredTypeDocument](ctx, c, "GET", typePath(k, t), nil)
	return declaredTypeOf(d), err
}

func (c *client) UniqueKeys(ctx context.Context, d graph.Declaration) ([]graph.UniqueKey, error) {
	read, _, err := ask[httpapi.DeclaredTypeDocument](ctx, c, "GET", typePath(d.Kind, d.Type), nil)
	var keys []graph.UniqueKey
	for _, k := range read.UniqueKeys {
		keys = append(keys, graph.UniqueKey{Properties: k.Properties, State: graph.UniqueState(k.State)})
	}
	return keys, err
}

func (c *client) Declare(ctx context.Context, d graph.Declaration) (graph.DeclaredType, bool, error) {
	var none graph.DeclaredType
	schema, f := typedjson.ParseTree("schema", d.Schema)
	if f != nil {
		return none, false, f
	}
	body := map[string]any{
		"level": d.Level, "schema": json.RawMessage(typedjson.AppendTree(nil, schema)), "unique": d.Unique, "source_types": d.SourceTypes,
		"target_types": d.TargetTypes,
	}
	text, err := json.Marshal(body)
	if err != nil {
		return none, false, err
	}
	created, a, err := ask[httpapi.DeclaredTypeDocument](ctx, c, "PUT", typePath(d.Kind, d.Type), text)
	if err != nil {
		return none, false, err
	}
	// A response can be sent back unchanged.
	again, _, err := ask[httpapi.DeclaredTypeDocument](ctx, c, "PUT", typePath(d.Kind, d.Type), a.Data)
	if err != nil {
		return none, false, err
	}
	again.UpdatedAt, created.UpdatedAt = created.UpdatedAt, again.UpdatedAt
	location := a.header.Get("Location")
	if location != "" && location != typePath(d.Kind, d.Type) {
		return none, false, fault.New(fault.Internal, "Location is "+location)
	}
	return declaredTypeOf(created), location != "", nil
}

func (c *client) Undeclare(ctx context.Context, k graph.Kind, t graph.TypeName) error {
	_, _, err := ask[httpapi.UndeclaredDocument](ctx, c, "DELETE", typePath(k, t), nil)
	return err
}

func (c *client) Violations(ctx context.Context, k graph.Kind, t graph.TypeName, p graph.Paging) (graph.Violations, error) {
	var found graph.Violations
	query := "?limit=" + strconv.Itoa(p.Limit)
	if p.After != nil {
		query += "&cursor=" + url.QueryEscape(string(p.After))
	}
	list, a, err := ask[[]httpapi.ViolationDocument](ctx, c, "GET", typePath(k, t)+"/violations"+query, nil)
	if err != nil {
		return found, err
	}
	for _, v := range list {
		one := graph.Violation{ID: v.ID}
		for _, d := range v.Problems {
			one.Problems = append(one.Problems, fault.Detail(d))
		}
		found.Items = append(found.Items, one)
	}
	found.Total = a.Meta.Page.Total
	if a.Meta.Page.NextCursor != nil {
		found.Next = graph.Position(*a.Meta.Page.NextCursor)
	}
	return found, nil
}

func (c *client) Propose(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.Proposal, error) {
	p, _, err := ask[httpapi.ProposalDocument](ctx, c, "POST", typePath(k, t)+"/propose", nil)
	d := p.Declaration
	return graph.Proposal{Count: p.Count, Sampled: p.Sampled, Declaration: graph.Declaration{
		Kind: graphKind(d.Kind), Type: graph.TypeName(d.Type), Level: graph.DeclarationLevel(d.Level), Schema: string(d.Schema),
		Unique:      keysOf(d.Unique),
		SourceTypes: names(d.SourceTypes), TargetTypes: names(d.TargetTypes),
	}}, err
}
