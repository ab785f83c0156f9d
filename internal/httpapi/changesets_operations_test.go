package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/typedjson"
)

// Operations are stored as JSON and read by the reader of batches: every storable value comes back exactly, and so does everything else.
func TestStoredOperationsComeBackExactly(t *testing.T) {
	api := newTestAPI(t, Options{})
	yes := true
	rapid.Check(t, func(t *rapid.T) {
		values, names := graphgen.Properties(), graphgen.TypeName()
		removed := values.Draw(t, "changed")
		for key := range values.Draw(t, "removed") {
			removed[key] = nil
		}
		want := []graph.Operation{
			{Op: graph.OpCreateNode, Ref: "a\"\t", Type: names.Draw(t, "type"), Properties: values.Draw(t, "node")},
			{Op: graph.OpCreateNode, Type: "T", Labels: []graph.TypeName{"B", "A"}, Properties: graph.Properties{}},
			{
				Op: graph.OpCreateEdge, Ref: "e", Type: names.Draw(t, "edge type"), Source: graph.EntityRef{Ref: "a\"\t"},
				Target: graph.EntityRef{ID: graphgen.Key().Draw(t, "id")}, Properties: values.Draw(t, "edge"),
			},
			{Op: graph.OpUpdateNode, Entity: graph.EntityRef{Ref: "a\"\t"}, Properties: removed, If: graph.Precondition{Any: true}},
			{
				Op: graph.OpUpdateEdge, Entity: graph.EntityRef{Ref: "e"}, Properties: removed,
				If: graph.Precondition{Revisions: []graph.Revision{"one", "two"}},
			},
			{Op: graph.OpDeleteNode, Entity: graph.EntityRef{ID: "x"}, Detach: &yes, If: graph.Precondition{Revisions: []graph.Revision{}}},
			{Op: graph.OpDeleteEdge, Entity: graph.EntityRef{ID: "y"}},
		}
		c := &call{api: api}
		got, err := c.decodeOperations(&changeset.Set{Operations: string(typedjson.AppendOperations(nil, want))})
		require.NoError(t, err)
		require.Len(t, got, len(want))
		want[5].If.Revisions = []graph.Revision{""} // no content has it either
		for i := range want {
			require.True(t, graph.EqualProperties(want[i].Properties, got[i].Properties), "%#v\n%#v", want[i].Properties, got[i].Properties)
			want[i].Properties, got[i].Properties = nil, nil
		}
		require.Equal(t, want, got)
	})
}
