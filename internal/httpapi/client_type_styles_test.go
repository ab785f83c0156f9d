package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

var _ graph.TypeStyleStore = (*client)(nil)

func typeStylePath(k graph.Kind, t graph.TypeName) string {
	return "/api/admin/type-styles/" + pathKinds[k] + "/" + url.PathEscape(string(t))
}

func orZero[T any](value *T) (v T) {
	if value != nil {
		v = *value
	}
	return v
}

func typeStyleFrom(d httpapi.TypeStyleDocument) graph.TypeStyle {
	return graph.TypeStyle{
		Kind: graphKind(d.Kind), Type: graph.TypeName(d.Type), UpdatedAt: orZero(d.UpdatedAt),
		StyleOfType: graph.StyleOfType{
			Color: orZero(d.Color), Size: orZero(d.Size), Width: orZero(d.Width), Caption: orZero(d.Caption), Icon: orZero(d.Icon),
		},
	}
}

func nodeStyle(d *httpapi.NodeStyleDocument) *graph.StyleOfType {
	if d == nil {
		return nil
	}
	return &graph.StyleOfType{Color: d.Color, Size: d.Size, Caption: d.Caption, Icon: d.Icon}
}

func edgeStyle(d *httpapi.EdgeStyleDocument) *graph.StyleOfType {
	if d == nil {
		return nil
	}
	return &graph.StyleOfType{Color: d.Color, Width: d.Width}
}

func (c *client) TypeStyles(ctx context.Context) ([]graph.TypeStyle, error) {
	var all []graph.TypeStyle
	cursor := ""
	for {
		found, a, err := ask[[]httpapi.TypeStyleDocument](ctx, c, "GET", "/api/admin/type-styles?limit=2"+cursor, nil)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			all = append(all, typeStyleFrom(d))
		}
		if a.Meta.Page.NextCursor == nil {
			if *a.Meta.Page.Total != int64(len(all)) {
				return nil, fmt.Errorf("%d styles were listed of %d", len(all), *a.Meta.Page.Total)
			}
			return all, nil
		}
		cursor = "&cursor=" + url.QueryEscape(*a.Meta.Page.NextCursor)
	}
}

func (c *client) TypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.TypeStyle, error) {
	d, _, err := ask[httpapi.TypeStyleDocument](ctx, c, "GET", typeStylePath(k, t), nil)
	return typeStyleFrom(d), err
}

func (c *client) SetTypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName, change graph.TypeStyleChange) (graph.TypeStyle, error) {
	body := map[string]any{}
	addUnlessNil(body, "color", change.Color)
	addUnlessNil(body, "size", change.Size)
	addUnlessNil(body, "width", change.Width)
	addUnlessNil(body, "caption", change.Caption)
	addUnlessNil(body, "icon", change.Icon)
	text, err := json.Marshal(body)
	if err != nil {
		return graph.TypeStyle{}, err
	}
	d, _, err := ask[httpapi.TypeStyleDocument](ctx, c, "PATCH", typeStylePath(k, t), text)
	return typeStyleFrom(d), err
}

// addUnlessNil adds a member; a zero value, which removes it, is null.
func addUnlessNil[T comparable](body map[string]any, name string, value *T) {
	var zero T
	switch {
	case value == nil:
	case *value == zero:
		body[name] = nil
	default:
		body[name] = *value
	}
}

func (c *client) RemoveTypeStyle(ctx context.Context, k graph.Kind, t graph.TypeName) error {
	_, _, err := ask[httpapi.TypeStyleRemovedDocument](ctx, c, "DELETE", typeStylePath(k, t), nil)
	return err
}
