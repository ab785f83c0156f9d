package rules

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

func TestGrantsThatDifferInAValueAreOneScope(t *testing.T) {
	is := func(property string, operator graph.Operator, value graph.Value) Condition {
		return Condition{Condition: graph.Condition{Property: property, Operator: operator, Value: value}}
	}
	eq := func(property string, value graph.Value) Condition { return is(property, graph.Equal, value) }
	role := Role{Name: "r"}
	grant := func(typ string, hidden []string, where ...Condition) {
		role.Grants = append(role.Grants, Grant{Kind: graph.NodeKind, Type: typ, Actions: []Action{Read}, Where: where, Hidden: hidden})
	}
	grant("City", nil, eq("team", "b"), eq("open", true))
	grant("City", nil, eq("open", true), is("team", graph.OneOf, []graph.Value{"a", "c", "b"}))
	grant("Town", nil, eq("team", "a"), eq("open", true))
	grant("Town", nil, eq("team", "c"), eq("open", true))
	grant("City", nil, eq("team", int64(1)<<60), eq("open", true))
	grant("City", []string{"pin"}, eq("team", "d"), eq("open", true))
	grant("City", nil, eq("team", "e"))
	grant("City", nil, is("team", graph.NotEqual, "e"))
	var got []string
	for _, s := range NewView(User{}, nil, []Role{role}).Scopes(Read, graph.NodeKind) {
		got = append(got, fmt.Sprint(s.Types, s.Hidden, s.conditionKeys()))
	}
	require.Equal(t, []string{
		`[City] [] ["open"eqtrue "team"in["a","b","c"]]`,
		`[Town] [] ["open"eqtrue "team"in["a","c"]]`,
		`[City] [] ["open"eqtrue "team"eq1152921504606846976]`, // no index serves it
		`[City] [pin] ["open"eqtrue "team"eq"d"]`,
		`[City] [] ["team"eq"e"]`,
		`[City] [] ["team"ne"e"]`,
	}, got)
}

// TestShowAlwaysComparesEachScopeWithTheOthers compares the search by the rarest condition with one of all scopes.
func TestShowAlwaysComparesEachScopeWithTheOthers(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		scopes := rapid.SliceOfN(rapid.Custom(drawScope), 0, 8).Draw(r, "scopes")
		typ := rapid.SampledFrom([]string{"", "City", "Town"}).Draw(r, "type")
		want := true
		for _, hiding := range scopes {
			within := !hiding.Hides("pin")
			for _, s := range scopes {
				within = within || !s.Hides("pin") && hiding.isWithinOne(map[string][]Scope{"": {s}}, typ)
			}
			want = want && within
		}
		require.Equal(t, want, ShowAlways(scopes, typ, "pin"))
	})
}

func drawScope(r *rapid.T) Scope {
	s := Scope{
		Types:  rapid.SampledFrom([][]string{nil, {"City"}, {"City", "Town"}}).Draw(r, "types"),
		Hidden: rapid.SampledFrom([][]string{nil, {"pin"}, {"name", "pin"}}).Draw(r, "hidden"),
	}
	for _, value := range rapid.SliceOfN(rapid.SampledFrom([]graph.Value{"on", int64(1), 1.0}), 0, 3).Draw(r, "values") {
		s.Conditions = append(s.Conditions, graph.Condition{Property: "state", Operator: graph.Equal, Value: value})
	}
	return s
}

// BenchmarkShowAlways measures the view of many grants with separate conditions.
func BenchmarkShowAlways(b *testing.B) {
	role := Role{Name: "r"}
	for n := range 1000 {
		role.Grants = append(role.Grants, Grant{
			Kind: graph.NodeKind, Type: AnyType, Actions: []Action{Read}, Hidden: [][]string{nil, {"pin"}}[n%2],
			Where: []Condition{
				{Condition: graph.Condition{Property: "team", Operator: graph.Equal, Value: int64(n / 2)}},
				{Condition: graph.Condition{Property: "open", Operator: graph.Equal, Value: true}},
			},
		})
	}
	for b.Loop() {
		v := NewView(User{}, nil, []Role{role})
		ShowAlways(v.Scopes(Read, graph.NodeKind), "", "pin")
	}
}

func TestScopesThatHideAPropertyLieWithinOthers(t *testing.T) {
	where := func(value graph.Value) []graph.Condition {
		return []graph.Condition{{Property: "state", Operator: graph.Equal, Value: value}}
	}
	hiding := Scope{Types: []string{"City"}, Conditions: where("on"), Hidden: []string{"pin"}}
	for name, c := range map[string]struct {
		showing []Scope
		typ     string
		want    bool
	}{
		"no other scope":                  {nil, "", false},
		"everything":                      {[]Scope{{}}, "", true},
		"the type":                        {[]Scope{{Types: []string{"City", "Town"}}}, "", true},
		"another type":                    {[]Scope{{Types: []string{"Town"}}}, "", false},
		"another type, which is listed":   {[]Scope{{Types: []string{"Town"}}}, "Town", true},
		"the same condition":              {[]Scope{{Conditions: where("on")}}, "", true},
		"another condition":               {[]Scope{{Conditions: where("off")}}, "", false},
		"one condition more":              {[]Scope{{Conditions: append(where("on"), where("big")...)}}, "", false},
		"one of two with the same":        {[]Scope{{Conditions: where("off")}, {Conditions: where("on")}}, "", true},
		"everything, which hides it too":  {[]Scope{{Hidden: []string{"code", "pin"}}}, "", false},
		"everything, which hides another": {[]Scope{{Hidden: []string{"code"}}}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, ShowAlways(append(c.showing, hiding), c.typ, "pin"))
			require.True(t, ShowAlways(append(c.showing, hiding), c.typ, "name"))
		})
	}
}

func TestGrantsThatTogetherHideNothingShowAll(t *testing.T) {
	node := func(hidden ...string) Grant {
		return Grant{Kind: graph.NodeKind, Type: AnyType, Actions: []Action{Read}, Hidden: hidden}
	}
	edge := Grant{Kind: graph.EdgeKind, Type: AnyType, Actions: []Action{Read}}
	shows := func(grants ...Grant) bool { return NewView(User{}, nil, []Role{{Grants: grants}}).ShowsAll() }
	require.True(t, shows(node("a"), node("b"), edge))
	require.False(t, shows(node("a"), node("a", "b"), edge))
	require.False(t, shows(node("a"), edge))
	require.False(t, shows(node()))
}
