package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func TestGrantsReadBack(t *testing.T) {
	const text = `[{"kind":"node","type":"Person","actions":["read","edit"],` +
		`"where":{"age":{"gte":18,"lt":65},"owner":{"eq":{"$user":"username"}},` +
		`"since":{"gt":{"$type":"Date","_value":"2020-01-01"}},"team":{"in":["a",1]}},"hidden":["salary"],"read_only":["owner"]},` +
		`{"kind":"edge","type":"*","actions":["read"]}]`
	grants, f := ParseGrants("grants", text)
	require.Nil(t, f)
	require.JSONEq(t, text, string(AppendGrants(nil, grants)))
}

func TestGrantsAreRejected(t *testing.T) {
	for name, row := range map[string]struct{ text, field string }{
		"no array":             {`{}`, "grants"},
		"a kind":               {`[{"kind":"graph","type":"A","actions":["read"]}]`, "grants[0].kind"},
		"a reserved type":      {`[{"kind":"node","type":"_GraphrestUser","actions":["read"]}]`, "grants[0].type"},
		"no actions":           {`[{"kind":"node","type":"A","actions":[]}]`, "grants[0].actions"},
		"an action":            {`[{"kind":"node","type":"A","actions":["admin"]}]`, "grants[0].actions[0]"},
		"an unknown member":    {`[{"kind":"node","type":"A","actions":["read"],"queries":["*"]}]`, "grants[0].queries"},
		"an operator":          {`[{"kind":"node","type":"A","actions":["read"],"where":{"a":{"like":1}}}]`, "grants[0].where.a.like"},
		"a value, no operator": {`[{"kind":"node","type":"A","actions":["read"],"where":{"a":1}}]`, "grants[0].where.a"},
		"null":                 {`[{"kind":"node","type":"A","actions":["read"],"where":{"a":{"eq":null}}}]`, "grants[0].where.a.eq"},
		"a reference":          {`[{"kind":"node","type":"A","actions":["read"],"where":{"a":{"eq":{"$user":"hash"}}}}]`, "grants[0].where.a.eq"},
		"a text for exists":    {`[{"kind":"node","type":"A","actions":["read"],"where":{"a":{"exists":1}}}]`, "grants[0].where.a.exists"},
		"hidden":               {`[{"kind":"node","type":"A","actions":["read"],"hidden":[1]}]`, "grants[0].hidden[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, f := ParseGrants("grants", row.text)
			require.NotNil(t, f)
			require.Equal(t, row.field, f.Details[0].Field, f.Details)
		})
	}
}

func viewOf(t *testing.T, u User, permissions []Action, grants string) *View {
	t.Helper()
	parsed, f := ParseGrants("grants", grants)
	require.Nil(t, f)
	return NewView(u, permissions, []Role{{Name: "r", Grants: parsed}})
}

func TestViewOfGrants(t *testing.T) {
	v := viewOf(t, User{Name: "ann", Attributes: graph.Properties{"team": "x"}}, []Action{Create}, `[
		{"kind":"node","type":"Person","actions":["read","edit"],"where":{"owner":{"eq":{"$user":"username"}}},
			"hidden":["salary"],"read_only":["owner"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":{"$user":"attributes.team"}}},
			"hidden":["salary","owner"]},
		{"kind":"node","type":"Secret","actions":["read"],"where":{"level":{"lte":{"$user":"attributes.level"}}}},
		{"kind":"node","type":"*","actions":["read"],"where":{"public":{"eq":true}}}]`)
	person := []string{"Person"}
	own := graph.Properties{"owner": "ann", "salary": int64(1), "team": "x"}
	r := v.NodeRights(Read, person, own)
	require.True(t, r.Granted())
	require.Equal(t, graph.Properties{"owner": "ann", "team": "x"}, r.Project(own), "shown by one of two grants")
	require.False(t, v.NodeRights(Read, person, graph.Properties{"owner": "bob"}).Granted())
	require.False(t, v.NodeRights(Read, []string{"Secret"}, graph.Properties{"level": int64(0)}).Granted(), "no attribute")
	require.True(t, v.NodeRights(Read, nil, graph.Properties{"public": true}).Granted(), "without a label")
	require.True(t, v.NodeRights(Read, []string{"Person", "Other"}, graph.Properties{"public": true, "salary": int64(1)}).Granted())
	edit := v.NodeRights(Edit, person, own)
	require.True(t, edit.Protects("owner"))
	require.True(t, edit.Protects("salary"))
	require.False(t, edit.Protects("name"))
	require.True(t, v.NodeRights(Create, person, nil).Granted(), "the permission")
	require.True(t, v.Allows(Edit, graph.NodeKind))
	require.False(t, v.Allows(Read, graph.EdgeKind))
	require.False(t, v.Allows(Delete, graph.NodeKind))
	names, all := v.Names(Edit, graph.NodeKind)
	require.False(t, all)
	require.Equal(t, person, names)
	require.Nil(t, NewView(User{}, Actions(), nil), "all permissions")
	require.False(t, v.ShowsAll())
	const allEdges = `{"kind":"edge","type":"*","actions":["read"]}`
	for grants, want := range map[string]bool{
		`{"kind":"node","type":"*","actions":["read"]},` + allEdges:                                               true,
		`{"kind":"node","type":"*","actions":["read"]},{"kind":"edge","type":"A","actions":["read"]}`:             false,
		`{"kind":"node","type":"*","actions":["read"],"hidden":["a"]},` + allEdges:                                false,
		`{"kind":"node","type":"*","actions":["read"],"where":{"a":{"eq":1}}},` + allEdges:                        false,
		`{"kind":"node","type":"*","actions":["edit"]},` + allEdges:                                               false,
		`{"kind":"node","type":"B","actions":["read"]},{"kind":"node","type":"*","actions":["read"]},` + allEdges: true,
	} {
		require.Equal(t, want, viewOf(t, User{}, nil, "["+grants+"]").ShowsAll(), grants)
	}
}

func TestDecisions(t *testing.T) {
	v := viewOf(t, User{Name: "ann", Attributes: graph.Properties{"team": "x"}}, []Action{Create}, `[
		{"kind":"node","type":"Person","actions":["read","edit"],"where":{"owner":{"eq":{"$user":"username"}}},"read_only":["owner"]},
		{"kind":"node","type":"Secret","actions":["read"],"where":{"level":{"lte":{"$user":"attributes.level"}}}},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	r, decided := v.Decide(Read, graph.NodeKind, []string{"Person"}, graph.Properties{"owner": "bob"})
	require.False(t, r.Granted())
	require.Len(t, decided, 2)
	require.Equal(t, Decision{Role: "r", Grant: 0, Reason: "its condition where.owner.eq is not met"}, decided[0])
	require.Equal(t, "it is for the type Secret", decided[1].Reason)
	_, decided = v.Decide(Read, graph.NodeKind, []string{"Secret"}, graph.Properties{"level": int64(0)})
	require.Contains(t, decided[1].Reason, "attributes.level")
	r, decided = v.Decide(Edit, graph.NodeKind, []string{"Person"}, graph.Properties{"owner": "ann"})
	require.True(t, decided[0].Holds)
	require.Equal(t, decided[:1], r.Decisions(Edit))
	require.Equal(t, "r grants[0]", decided[0].String())
	_, decided = v.Decide(Create, graph.NodeKind, nil, nil)
	require.Equal(t, []Decision{{Holds: true, Reason: "the permission create is for everything"}}, decided)
	grants := v.Grants(Read, graph.NodeKind)
	require.Equal(t, []bool{true, false}, []bool{grants[0].Holds, grants[1].Holds})
	require.Empty(t, v.Grants(Delete, graph.EdgeKind))
}
