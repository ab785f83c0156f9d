package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func TestGrantsThatDifferInTheirTypesAreOneScope(t *testing.T) {
	where := func(value graph.Value, field string) []Condition {
		return []Condition{{Condition: graph.Condition{Property: "state", Operator: graph.Equal, Value: value, Field: field}}}
	}
	read, write := []Action{Read}, []Action{Read, Edit}
	role := Role{Name: "r", Grants: []Grant{
		{Kind: graph.NodeKind, Type: "Person", Actions: write, Where: where("on", "grants[0]")},
		{Kind: graph.NodeKind, Type: "City", Actions: read, Where: where("on", "grants[1]")},
		{Kind: graph.NodeKind, Type: "City", Actions: read, Where: where("on", "grants[2]")},
		{Kind: graph.NodeKind, Type: "City", Actions: read, Where: where(int64(1), "")},
		{Kind: graph.NodeKind, Type: "Airport", Actions: read, Where: where("on", ""), Hidden: []string{"owner"}},
		{Kind: graph.NodeKind, Type: "River", Actions: read},
		{Kind: graph.NodeKind, Type: AnyType, Actions: read, Where: where(1.0, "")},
		{Kind: graph.NodeKind, Type: "Airport", Actions: read, Where: where(1.0, "")},
		{Kind: graph.EdgeKind, Type: "KNOWS", Actions: read},
	}}
	v := NewView(User{}, nil, []Role{role})
	types := func(scopes []Scope) (all [][]string) {
		for _, s := range scopes {
			all = append(all, s.Types)
		}
		return all
	}
	require.Equal(t, [][]string{{"City", "Person"}, {"City"}, {"Airport"}, {"River"}, nil}, types(v.Scopes(Read, graph.NodeKind)))
	require.Equal(t, [][]string{{"Person"}}, types(v.Scopes(Edit, graph.NodeKind)))
	require.Equal(t, [][]string{{"KNOWS"}}, types(v.Scopes(Read, graph.EdgeKind)))
	names, all := v.Names(Edit, graph.NodeKind)
	require.Equal(t, []string{"Person"}, names)
	require.False(t, all)
}
