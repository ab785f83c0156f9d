package neo4jlist

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
)

// TestAHiddenPropertyCostsWhatAMissingOneCosts: neither the text nor the hits of a statement tell whether the graph has a property, or an
// index on it, that the rules hide on all entities.
func TestAHiddenPropertyCostsWhatAMissingOneCosts(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "UNWIND range(1, 20000) AS i CREATE (n:Person {age: i, secret: 's' + (i % 1000)})-[:KNOWS]->(n)", nil)
	db.Exec(t, "CREATE INDEX person_secret FOR (n:Person) ON (n.secret)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"*","actions":["read"],"hidden":["secret","ghost"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	s := New(neo4jentitytest.Open(t, db))
	_, err := s.sources.counts.Recent(ctx)
	require.NoError(t, err)
	s.sources.filters.names.Refresh(ctx)
	for name, filter := range map[string]func(property string) graph.Filter{
		"a condition":  func(p string) graph.Filter { return graph.Filter{{Property: p, Operator: graph.Equal, Value: "s7"}} },
		"that is not":  func(p string) graph.Filter { return graph.Filter{{Property: p, Operator: graph.Exists, Value: false}} },
		"alternatives": func(p string) graph.Filter { return alternativesOf(p, "") },
		"of an end":    func(p string) graph.Filter { return alternativesOf(p, graph.SourceSide) },
	} {
		hidden, missing := textsOfHidden(ctx, t, s, filter("secret")), textsOfHidden(ctx, t, s, filter("ghost"))
		require.Equal(t, missing, hidden, name)
		if name == "of an end" {
			continue
		}
		hits := map[string]int64{}
		for _, property := range []string{"secret", "ghost", "unknown"} {
			f, err := s.sources.filters.buildFilter(ctx, graph.NodeKind, filter(property))
			require.NoError(t, err)
			require.False(t, f.served("Person"), name)
			text := cypher.ListNodesSoughtCount.Text(cypher.Slots{"of": cypher.OfLabels(cypher.Quote("Person")), "where": f.where("Person")})
			hits[property], _ = neo4jtest.Profile(t, db, text.String(), f.AddParams(map[string]any{}))
		}
		require.Equal(t, hits["ghost"], hits["secret"], name)
		require.Equal(t, hits["unknown"], hits["secret"], "%s: a property that no rule hides", name)
	}
}

// A statement on all types has the same text for a property that only a type has which the user does not see, and for one that nothing has.
func TestAPropertyOfAnInvisibleTypeIsNotNamed(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "UNWIND range(1, 20000) AS i CREATE (:Person {age: i}) WITH i LIMIT 9 CREATE (:Vault {secret: i})", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"]}]`)
	require.Nil(t, f)
	limited := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	s := New(neo4jentitytest.Open(t, db))
	_, err := s.sources.counts.Recent(t.Context())
	require.NoError(t, err)
	s.sources.filters.names.Refresh(t.Context())
	whereOf := func(ctx context.Context, property string) string {
		f, err := s.sources.filters.buildFilter(ctx, graph.NodeKind, graph.Filter{{Property: property, Operator: graph.Equal, Value: int64(7)}})
		require.NoError(t, err)
		aggregation := graph.Aggregation{GroupBy: property, Measures: []string{property}}
		slots, _ := s.NewAggregates().aggregationSlots(aggregation, "", f)
		return f.where("").String() + slots["inputs"].String()
	}
	require.Equal(t, whereOf(limited, "ghost"), whereOf(limited, "secret"))
	require.NotEqual(t, whereOf(t.Context(), "ghost"), whereOf(t.Context(), "secret"), "named where nothing is hidden")
}

func alternativesOf(property string, side graph.Side) graph.Filter {
	return graph.Filter{
		{Any: 1, Side: side, Property: property, Operator: graph.Equal, Value: "s7"},
		{Any: 2, Property: "age", Operator: graph.Equal, Value: int64(7)},
	}
}

// textsOfHidden are the texts of statements on persons and on edges that filter, sort and aggregate.
func textsOfHidden(ctx context.Context, t *testing.T, s *Lists, filter graph.Filter) []string {
	t.Helper()
	var texts []string
	property := filter[0].Property
	kind, typ := graph.NodeKind, "Person"
	if filter[0].Side != "" {
		kind, typ = graph.EdgeKind, "KNOWS"
	}
	f, err := s.sources.filters.buildFilter(ctx, kind, filter)
	require.NoError(t, err)
	texts = append(texts, f.where("").String(), f.where(typ).String(), f.servedWhere(typ).String())
	if filter[0].Side != "" {
		return texts
	}
	slots, _ := s.NewAggregates().aggregationSlots(graph.Aggregation{GroupBy: property, Measures: []string{property}}, "Person", f)
	order := cypher.Order(cypher.NodeVariable, f.View.SortKeys("Person", graph.Sort{{Property: property}}))
	sort := graph.Sort{{Property: property}}
	read := sortedReadOf(ctx, t, s, graph.EdgeQuery{Type: "Person", Sort: sort, Filter: filter})
	require.False(t, read.position.hasIndex)
	top := read.texts.text(read.top, read.withSlots(cypher.Top(cypher.NodeVariable, read.keys, cypher.FromValue, cypher.Fragment{})))
	for _, slots := range []cypher.Slots{slots, order} {
		for _, name := range []string{"inputs", "row", "measures", "values", "keys"} {
			texts = append(texts, slots[name].String())
		}
	}
	return append(texts, top.String())
}
