package neo4jview_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// withGrants is the context of a user with one role and no permissions.
func withGrants(t *testing.T, grants string) context.Context {
	t.Helper()
	parsed, f := rules.ParseGrants("grants", grants)
	require.Nil(t, f)
	return rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: parsed}}))
}

const (
	notesOfATeam = `{"kind":"node","type":"Note","actions":["read","edit","delete"],"where":{"team":{"eq":"a"}},"hidden":["pin"]}`
	everyNote    = `{"kind":"node","type":"Note","actions":["read"]}`
	everyNode    = `{"kind":"node","type":"*","actions":["read"]}`
	everyEdge    = `{"kind":"edge","type":"*","actions":["read"],"where":{"n":{"gt":2}}}`
)

func TestPredicateTestsWhatTheViewLimits(t *testing.T) {
	for name, c := range map[string]struct {
		grants string
		kind   graph.Kind
		typ    string // that the statement names
		want   string
	}{
		"no grant shows nothing":              {`[]`, graph.NodeKind, "", cypher.False.String()},
		"a grant for all nodes needs no test": {`[` + everyNode + `]`, graph.NodeKind, "", cypher.True.String()},
		"a type of the statement":             {`[` + everyNote + `]`, graph.NodeKind, "Note", cypher.True.String()},
		"a condition of a type that it names": {`[` + notesOfATeam + `]`, graph.NodeKind, "Note", "(n.`team` = $view.v0)"},
		"another action is no right to read":  {`[{"kind":"node","type":"*","actions":["create"]}]`, graph.NodeKind, "", cypher.False.String()},
		"edges between nodes that are all seen": {
			`[{"kind":"edge","type":"KNOWS","actions":["read"]},` + everyNode + `]`,
			graph.EdgeKind, "KNOWS", cypher.True.String(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, neo4jview.PredicateOf(withGrants(t, c.grants), c.kind).Text(c.typ).String())
		})
	}
}

func TestPredicateOfAPatternsEdgeOfATypeWithoutAGrantIsFalse(t *testing.T) {
	p := neo4jview.PredicateOf(withGrants(t, `[{"kind":"edge","type":"KNOWS","actions":["read"]},`+everyNode+`]`), graph.EdgeKind)
	require.Equal(t, cypher.True, p.AtEdge(cypher.NumberedEdge(0), "KNOWS"))
	require.Equal(t, cypher.False, p.AtEdge(cypher.NumberedEdge(0), "LIKES"))
	require.NotEqual(t, cypher.False, p.AtEdge(cypher.NumberedEdge(0), ""), "of any type")
}

// The literals of the conditions of an edge come before those of its ends, and both ends use the same.
func TestPredicateOfEdgesChecksBothEnds(t *testing.T) {
	p := neo4jview.PredicateOf(withGrants(t, `[`+notesOfATeam+`,`+everyEdge+`]`), graph.EdgeKind)
	text := p.Text("").String()
	require.Contains(t, text, "r.`n` > $view.v0")
	require.Contains(t, text, "startNode(r).`team` = $view.v1")
	require.Contains(t, text, "endNode(r).`team` = $view.v1")
	require.NotContains(t, p.TextWithEnds("", cypher.TargetEntity).String(), "startNode")
	require.Equal(t, map[string]any{
		"v0": int64(2), "v1": "a",
		"end_keys": []any{[]string{"team"}, []string{"pin"}}, // what decides whether an end shows pin, and what it may hide
	}, p.With(map[string]any{})["view"])
}

func TestPredicateWithoutAView(t *testing.T) {
	p := neo4jview.PredicateOf(t.Context(), graph.EdgeKind)
	require.Equal(t, cypher.True, p.Text(""))
	require.False(t, p.Limits(""))
	require.NotContains(t, p.With(map[string]any{}), "view")
	names, all := p.Names()
	require.Empty(t, names)
	require.True(t, all)
}

func TestPredicateShowsAPropertyWhereAGrantShowsIt(t *testing.T) {
	const (
		pinsOfStaff = `{"kind":"node","type":"Staff","actions":["read"],"hidden":["pin"]}`
		notesOfA    = `{"kind":"node","type":"Note","actions":["read"],"where":{"team":{"eq":"a"}}}`
		secretEdge  = `{"kind":"edge","type":"KNOWS","actions":["read"],"hidden":["pin"]}`
		otherEdge   = `{"kind":"edge","type":"ROAD","actions":["read"]}`
	)
	for name, c := range map[string]struct {
		grants string
		kind   graph.Kind
		typ    string // that the statement names
		want   string // empty for a property that every visible entity shows
	}{
		"no grant shows it":                         {`[` + notesOfATeam + `]`, graph.NodeKind, "", "false"},
		"a grant for everything shows it":           {`[` + pinsOfStaff + `,` + everyNode + `]`, graph.NodeKind, "", ""},
		"a grant for the listed type shows it":      {`[` + pinsOfStaff + `,` + everyNote + `]`, graph.NodeKind, "Note", ""},
		"a grant for some of all types shows it":    {`[` + pinsOfStaff + `,` + everyNote + `]`, graph.NodeKind, "", "n:`Note`"},
		"a grant for another label shows it":        {`[` + pinsOfStaff + `,` + everyNote + `]`, graph.NodeKind, "Staff", "n:`Note`"},
		"a grant with the same conditions shows it": {`[` + notesOfATeam + `,` + notesOfA + `]`, graph.NodeKind, "", ""},
		"a grant with conditions shows it":          {`[` + pinsOfStaff + `,` + notesOfA + `]`, graph.NodeKind, "Note", "`team` = $view.v0"},
		"an edge has one type":                      {`[` + secretEdge + `,` + otherEdge + `]`, graph.EdgeKind, "KNOWS", "false"},
		"of a type that no grant hides it for":      {`[` + secretEdge + `,` + otherEdge + `]`, graph.EdgeKind, "ROAD", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := neo4jview.PredicateOf(withGrants(t, c.grants), c.kind)
			require.Equal(t, cypher.Fragment{}, p.Shown("", c.typ, "team"), "no grant hides it")
			if got := p.Shown("", c.typ, "pin"); c.want == "" {
				require.Equal(t, cypher.Fragment{}, got)
			} else {
				require.Contains(t, got.String(), c.want)
			}
		})
	}
}

func TestPredicateSortsByWhatIsShown(t *testing.T) {
	keys := graph.Sort{{Property: "pin"}, {Property: "team"}}
	hidden := neo4jview.PredicateOf(withGrants(t, `[`+notesOfATeam+`]`), graph.NodeKind)
	require.Equal(t, keys[1:], hidden.ShownSort("Note", true, keys))
	require.Empty(t, hidden.ShownSort("Note", true, keys[:1]))
	require.Equal(t, keys[:1], hidden.ShownSort("", false, keys[:1]), "sorted, nodes of all types are in another order")
	partly := neo4jview.PredicateOf(withGrants(t, `[`+notesOfATeam+`,{"kind":"node","type":"Staff","actions":["read"]}]`), graph.NodeKind)
	require.Equal(t, keys, partly.ShownSort("Note", true, keys))
}

func TestPredicateNamesTheTypesToRead(t *testing.T) {
	p := neo4jview.PredicateOf(withGrants(t, `[`+notesOfATeam+`,{"kind":"node","type":"Staff","actions":["read"]}]`), graph.NodeKind)
	require.Equal(t, []string{"Staff", "Note"}, p.NamesOf([]string{"Staff", "City", "Note"}))
	types, none := p.AnyOf(cypher.Any)
	require.False(t, none)
	require.Equal(t, cypher.QuoteAny([]string{"Note", "Staff"}), types)
	_, none = neo4jview.PredicateOf(withGrants(t, `[]`), graph.NodeKind).AnyOf(cypher.Any)
	require.True(t, none)
}

func TestEndsAreCheckedByLabelsOrByValues(t *testing.T) {
	ctx := withGrants(t, `[`+notesOfATeam+`,{"kind":"node","type":"Staff","actions":["read"]}]`)
	require.Equal(t, []string{"team"}, neo4jview.EndKeys(ctx))
	ends := neo4jview.EndVisibilityOf(ctx)
	for name, c := range map[string]struct {
		labels        []string
		seen, decided bool
	}{
		"a label without conditions decides": {[]string{"Note", "Staff"}, true, true},
		"a condition needs the properties":   {[]string{"Note"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			seen, decided := ends.ByLabels(c.labels)
			require.Equal(t, c.seen, seen)
			require.Equal(t, c.decided, decided)
		})
	}
	require.True(t, ends.ByValues([]string{"Note"}, graph.Properties{"team": "a"}))
	require.False(t, ends.ByValues([]string{"Note"}, graph.Properties{"team": "b"}))
	require.False(t, ends.ByValues([]string{"City"}, graph.Properties{"team": "a"}))

	unconditional := neo4jview.EndVisibilityOf(withGrants(t, `[{"kind":"node","type":"Staff","actions":["read"]}]`))
	seen, decided := unconditional.ByLabels([]string{"Note"})
	require.False(t, seen)
	require.True(t, decided)
	require.True(t, neo4jview.EndVisibilityOf(t.Context()).SeeAll())
}
