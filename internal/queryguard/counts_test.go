package queryguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/queryguard"
	"graphrest/internal/testmark"
)

// The nodes of a label are counted by the database's count store while no label is in use that could hide some of them.
func TestNodesOfALabelAreCountedByTheCountStore(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	execute(t, db, visibleData)
	db.Exec(t, "CREATE (:_GraphrestUser {username: 'root'})", nil)
	requireCounted := func(query string, want int64, fromStore bool) {
		t.Helper()
		guard, client := newGuard(db, t) // it reads the names in use
		checked, err := guard.Check(t.Context(), queryguard.Request{Text: query, Allow: queryguard.Allowable()})
		require.NoError(t, err, query)
		plan, err := client.ExplainQuery(t.Context(), checked.Text.Explain(), nil)
		require.NoError(t, err)
		require.Equal(t, fromStore, len(plan.Plan.Children) == 1 && plan.Plan.Children[0].Operator == "NodeCountFromCountStore", query)
		records, err := client.Read(t.Context(), checked.Text, nil)
		require.NoError(t, err)
		require.Equal(t, want, records[0].Values[0], query)
	}
	for _, query := range []string{
		"MATCH (n:Person) RETURN count(n)", "MATCH (n:Person) RETURN count(*) AS c", "MATCH (n:`Person`) RETURN count(n) AS `the persons`",
	} {
		requireCounted(query, 5, true)
	}
	requireCounted("MATCH (n) RETURN count(n)", 6, false)
	requireCounted("MATCH (n:Person), (m:City) RETURN count(*)", 5, false)
	requireCounted("MATCH (n:Person) RETURN count(n) AS `x``) AS y`", 5, false)
	requireCounted("MATCH (:Person)-[r:KNOWS]->() RETURN count(r)", 3, false)
	db.Exec(t, "CREATE (:Person:_GraphrestOdd)", nil)
	requireCounted("MATCH (n:Person) RETURN count(n)", 5, false)
}

func TestAShortestPathToItselfIsAMistakeOfTheQuery(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	execute(t, db, visibleData)
	guard, client := newGuard(db, t)
	checked, err := guard.Check(t.Context(), queryguard.Request{
		Text:  "MATCH (a:Person {name: 'a'}), (b:Person {name: 'a'}) RETURN shortestPath((a)-[*..3]-(b)) AS p",
		Allow: queryguard.Allowable(),
	})
	require.NoError(t, err)
	_, err = client.Read(t.Context(), checked.Text, nil)
	require.Equal(t, fault.Validation, fault.CodeOf(queryguard.Translate(err)), "%v", err)
}
