package neo4jstore

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// The grants of a view are tested on each entity that a list reads. Of an OR of tests of labels the planner would make a union of a scan
// for each label, and a page would read most of them to their ends.
func TestAPageReadsNoUnionOfTheGrantedTypes(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	db.SeedForeign(t, 3000, 3000)
	condition := cypher.Condition{Operator: "eq", Key: cypher.Quote("name")}
	scopes := []cypher.Scope{{Conditions: []cypher.Condition{condition}}}
	for i, label := range []string{"Actor", "Back`tick", "Company", "City"} {
		scopes = append(scopes, cypher.Scope{Types: []string{label}, Conditions: []cypher.Condition{condition}, First: i + 1})
	}
	together := []cypher.Scope{{Types: []string{"Actor", "City", "Company"}, Conditions: []cypher.Condition{condition}}}
	id, internal := cypher.Quote("uuid"), cypher.QuoteAny([]string{"_GraphrestUser"})
	for _, c := range []struct {
		statement cypher.Statement
		slots     cypher.Slots
	}{
		{cypher.ListNodesFirst, cypher.Slots{
			"type": cypher.Quote("Person"), "listed": cypher.True, "internal": internal, "where": cypher.InScopes(cypher.NodeEntity, scopes),
		}},
		{cypher.ListNodesFirst, cypher.Slots{
			"type": cypher.Quote("Person"), "listed": cypher.True, "internal": internal, "where": cypher.InScopes(cypher.NodeEntity, together),
		}},
		{cypher.ListEdgesFirst, cypher.Slots{
			"type": cypher.Quote("KNOWS"), "id": id, "internal": internal, "ends": cypher.NoEnds, "listed": cypher.True,
			"where": cypher.And([]cypher.Fragment{cypher.InScopes(cypher.SourceEntity, scopes), cypher.InScopes(cypher.TargetEntity, scopes)}),
		}},
	} {
		_, summary := explain(t, db, c.statement.Text(c.slots).String())
		operators := operatorsOf(t, summary.Plan())
		for _, one := range []string{"OrderedUnion", "Union", "OrderedDistinct", "Distinct"} {
			require.NotContains(t, operators, one, c.statement.Name)
		}
	}
}

// TestAWalkOutOfTimeSaysNoNumbersOfAView: the planner's estimates cover what the user does not see.
func TestAWalkOutOfTimeSaysNoNumbersOfAView(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	hub := db.Query(t, `CREATE (h:Hub) WITH h UNWIND range(1, 300) AS i CREATE (h)-[:KNOWS]->(:Person)
		RETURN elementId(h) AS hub LIMIT 1`, nil)[0]["hub"]
	core := neo4jentitytest.Open(t, db)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"*","actions":["read"]},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	require.Nil(t, f)
	limited := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	slots := cypher.EdgesOut()
	slots["type"], slots["view"], slots["limit"] = cypher.Any, cypher.True, cypher.Limit(false)
	text := cypher.Expand.Text(slots)
	params := map[string]any{
		"from": slices.Repeat([]any{hub}, 300000), "node_type": nil,
		"max_degree": math.MaxInt32, "max_edges": math.MaxInt32, "view": map[string]any{},
	}
	runOut := func(t *testing.T, ctx context.Context) string {
		for { // on a busy machine there may be no time to read the plan
			ctx, cancel := context.WithTimeout(ctx, 700*time.Millisecond)
			ctx, recorder := bolt.WithTimeoutRecorder(ctx)
			_, err := core.Client.ReadRows(ctx, text, params)
			require.Error(t, err)
			err = core.Timeouts.ExplainWalkTimeout(ctx, recorder, "depth", "", fault.Wrap(err, fault.DatabaseTimeout, "out of time"))
			cancel()
			if details := fault.As(err).Details; len(details) > 0 {
				require.Equal(t, "depth", details[0].Field)
				return details[0].Message
			}
		}
	}
	require.Regexp(t, `about \d+ relationships`, runOut(t, t.Context()))
	require.NotRegexp(t, `\d`, runOut(t, limited))
}

// TestADegreeChecksTheOtherEndsOnly: the user sees the node whose edges are counted, so that no edge costs a test of it.
func TestADegreeChecksTheOtherEndsOnly(t *testing.T) {
	testmark.Concurrent(t)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Note","actions":["read"],"where":{"n":{"gt":1}}},
		{"kind":"edge","type":"*","actions":["read"],"where":{"n":{"gt":2}}}]`)
	require.Nil(t, f)
	view := rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}})
	db := neo4jtest.Open(t)
	db.Exec(t, `CREATE (h:Note {n: 900}) WITH h UNWIND range(1, 200) AS i
		CREATE (h)-[:HAS {n: i}]->(:Note {n: i}), (:Note {n: i})-[:HAS {n: 3}]->(h)`, nil)
	hub := db.Query(t, "MATCH (h:Note {n: 900}) RETURN elementId(h) AS hub", nil)[0]["hub"]
	p := neo4jview.PredicateOf(rules.WithView(t.Context(), view), graph.EdgeKind)
	params := p.With(map[string]any{"node": hub, "node_id": nil})
	for _, c := range []struct {
		direction cypher.Slots
		other     cypher.Entity
		want      int64
	}{{cypher.EdgesOut(), cypher.TargetEntity, 198}, {cypher.EdgesIn(), cypher.SourceEntity, 199}} {
		ask := func(view cypher.Fragment) (total, hits int64) {
			c.direction["id"], c.direction["view"] = cypher.Quote("uuid"), view
			text := cypher.Degree.Text(c.direction).String()
			for _, row := range db.Query(t, text, params) {
				total += row["total"].(int64)
			}
			hits, _ = neo4jtest.Profile(t, db, text, params)
			return total, hits
		}
		_, both := ask(p.Text(""))
		total, one := ask(p.TextWithEnds("", c.other))
		require.Equal(t, c.want, total)
		require.Less(t, one, both)
		t.Logf("%d db hits instead of %d", one, both)
	}
}
