package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var typeStyleRules = []rule{
	{"a style can be set, read, listed, changed by member and removed", typeStyleLife},
	{"an invalid style is rejected with its members, and nothing is stored", typeStyleInvalid},
	{"the schema shows the style of each type that it shows", typeStyleInSchema},
	{"at most 1,000 types have a style, and those can still be changed", typeStyleLimit},
}

func (h Harness) setStyle(t testing.TB, k graph.Kind, name graph.TypeName, c graph.TypeStyleChange) graph.StyleOfType {
	t.Helper()
	style, err := h.Styles.SetTypeStyle(context.Background(), k, name, c)
	require.NoError(t, err)
	require.Equal(t, k, style.Kind)
	require.Equal(t, name, style.Type)
	return style.StyleOfType
}

func typeStyleLife(t *testing.T, h Harness) {
	ctx := context.Background()
	all, err := h.Styles.TypeStyles(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = h.Styles.TypeStyle(ctx, graph.NodeKind, "Person")
	requireCode(t, fault.NotFound, err)
	requireCode(t, fault.NotFound, h.Styles.RemoveTypeStyle(ctx, graph.NodeKind, "Person"))

	h.setStyle(t, graph.EdgeKind, "A/`KNOWS`", graph.TypeStyleChange{Color: new("#00ff00"), Width: new(int64(20))})
	h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{Color: new("#112233")})
	h.setStyle(t, graph.NodeKind, "A/`KNOWS`", graph.TypeStyleChange{Caption: new("full name")})
	changed := h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{Size: new(int64(56)), Caption: new("name"), Icon: new("map-pin")})
	require.Equal(t, graph.StyleOfType{Color: "#112233", Size: 56, Caption: "name", Icon: "map-pin"}, changed, "other members stay")
	all, err = h.Styles.TypeStyles(ctx)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, graph.TypeStyle{
		Kind: graph.NodeKind, Type: "A/`KNOWS`", StyleOfType: graph.StyleOfType{Caption: "full name"}, UpdatedAt: all[0].UpdatedAt,
	}, all[0])
	require.Equal(t, changed, all[1].StyleOfType)
	require.False(t, all[1].UpdatedAt.IsZero())
	require.Equal(t, graph.EdgeKind, all[2].Kind)
	require.Equal(t, graph.StyleOfType{Color: "#00ff00", Width: 20}, all[2].StyleOfType)
	one, err := h.Styles.TypeStyle(ctx, graph.EdgeKind, "A/`KNOWS`")
	require.NoError(t, err)
	require.Equal(t, all[2], one)

	require.NoError(t, h.Styles.RemoveTypeStyle(ctx, graph.EdgeKind, "A/`KNOWS`"))
	left := h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{Color: new(""), Size: new(int64(0))})
	require.Equal(t, graph.StyleOfType{Caption: "name", Icon: "map-pin"}, left)
	left = h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{Caption: new("")})
	require.Equal(t, graph.StyleOfType{Icon: "map-pin"}, left)
	require.Zero(t, h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{Icon: new("")}))
	all, err = h.Styles.TypeStyles(ctx)
	require.NoError(t, err)
	require.Len(t, all, 1, "a style without members is removed")
	require.Empty(t, h.setStyle(t, graph.NodeKind, "Nobody", graph.TypeStyleChange{}))
	requireCode(t, fault.NotFound, h.Styles.RemoveTypeStyle(ctx, graph.NodeKind, "Nobody"))
}

func typeStyleInvalid(t *testing.T, h Harness) {
	ctx := context.Background()
	for _, c := range []struct {
		kind   graph.Kind
		change graph.TypeStyleChange
		fields []string
	}{
		{
			graph.NodeKind,
			graph.TypeStyleChange{Color: new("red"), Size: new(int64(9)), Caption: new("a\x00")},
			[]string{"color", "size", "caption"},
		},
		{
			graph.NodeKind,
			graph.TypeStyleChange{Color: new("#11223"), Size: new(int64(201)), Width: new(int64(3))},
			[]string{"color", "size", "width"},
		},
		{graph.NodeKind, graph.TypeStyleChange{Color: new("url(#112233)")}, []string{"color"}},
		{
			graph.EdgeKind,
			graph.TypeStyleChange{Color: new("#112233\n"), Size: new(int64(40)), Width: new(int64(21))},
			[]string{"color", "size", "width"},
		},
		{graph.EdgeKind, graph.TypeStyleChange{Caption: new("name"), Width: new(int64(-1))}, []string{"width", "caption"}},
		{graph.EdgeKind, graph.TypeStyleChange{Icon: new("plane")}, []string{"icon"}},
		{graph.NodeKind, graph.TypeStyleChange{Icon: new("url(plane)")}, []string{"icon"}},
		{graph.NodeKind, graph.TypeStyleChange{Icon: new(strings.Repeat("a", 49))}, []string{"icon"}},
	} {
		_, err := h.Styles.SetTypeStyle(ctx, c.kind, "Person", c.change)
		requireInvalid(t, err, c.fields...)
	}
	all, err := h.Styles.TypeStyles(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
}

func typeStyleInSchema(t *testing.T, h Harness) {
	ctx := context.Background()
	h.setStyle(t, graph.NodeKind, "Person", graph.TypeStyleChange{
		Color: new("#112233"), Size: new(int64(40)), Caption: new("name"), Icon: new("user"),
	})
	h.setStyle(t, graph.EdgeKind, "KNOWS", graph.TypeStyleChange{Color: new("#445566"), Width: new(int64(3))})
	h.setStyle(t, graph.NodeKind, "KNOWS", graph.TypeStyleChange{Color: new("#000000")})
	ann := h.node(t, "Person", nil).ID
	h.edge(t, "KNOWS", ann, ann, nil)
	h.node(t, "Company", nil)
	s, err := h.Schema.Schema(ctx)
	require.NoError(t, err)
	styles := map[string]*graph.StyleOfType{}
	for _, n := range s.NodeTypes {
		styles[n.Type] = n.Style
	}
	require.Equal(t, map[string]*graph.StyleOfType{
		"Person": {Color: "#112233", Size: 40, Caption: "name", Icon: "user"}, "Company": nil,
	}, styles, "a type without nodes is not there")
	require.Len(t, s.EdgeTypes, 1)
	require.Equal(t, &graph.StyleOfType{Color: "#445566", Width: 3}, s.EdgeTypes[0].Style)
}

func typeStyleLimit(t *testing.T, h Harness) {
	ctx := context.Background()
	h.Cypher(t, `UNWIND range(2, $max) AS i
		CREATE (t:_GraphrestTypeStyle) SET t.key = 'node T' + i, t.kind = 'node', t.type = 'T' + i, t.color = '#000000'`,
		map[string]any{"max": graph.MaxTypeStyles})
	color := graph.TypeStyleChange{Color: new("#112233")}
	errs := make(chan error, 4)
	for _, name := range []graph.TypeName{"A", "B", "C", "D"} {
		go func() {
			_, err := h.Styles.SetTypeStyle(ctx, graph.NodeKind, name, color)
			errs <- err
		}()
	}
	full := 0
	for range cap(errs) {
		if err := <-errs; err != nil {
			requireCode(t, fault.Conflict, err)
			full++
		}
	}
	require.Equal(t, 3, full, "of concurrent changes, as many succeed as there is room for")
	h.setStyle(t, graph.NodeKind, "T2", color)
	require.EqualValues(t, graph.MaxTypeStyles, h.one(t, "MATCH (t:_GraphrestTypeStyle) RETURN count(t)", nil))
}
