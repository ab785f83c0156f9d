package neo4jlist

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/testmark"
)

// listTextsOf are the texts of a query on edges, without a database.
func listTextsOf(q graph.EdgeQuery) *listTexts {
	query := newListQuery(graph.EdgeKind, q)
	query.filter = Filter{Conditions: q.Filter, variable: cypher.EdgeVariable, View: neo4jview.Predicate{}}
	return newListTexts(query, &neo4jentity.Texts{IDName: cypher.Quote("uuid")}, map[string]any{"managed": []string{"KNOWS"}, "declared": nil})
}

// TestAListStatementGetsOnlyTheParametersThatItDeclares: what is given comes before what all statements of the page may have, and the rest
// is not sent.
func TestAListStatementGetsOnlyTheParametersThatItDeclares(t *testing.T) {
	texts := listTextsOf(graph.EdgeQuery{})
	statement := cypher.Statement{Params: []string{"managed", "skip", "missing"}}
	require.Equal(t, map[string]any{"managed": []string{"KNOWS"}, "skip": 3},
		texts.declaredParams(statement, map[string]any{"skip": 3, "limit": 9}))
	require.Equal(t, map[string]any{"managed": []string{"LIKES"}},
		texts.declaredParams(statement, map[string]any{"managed": []string{"LIKES"}}))
}

// TestASortByAnEndExcludesInternalEdgesOnce: such a key would put internal edges first, unless a condition on an end excludes them.
func TestASortByAnEndExcludesInternalEdgesOnce(t *testing.T) {
	testmark.Concurrent(t)
	byEnd := graph.Sort{{Property: "since"}, {Side: graph.SourceSide, Property: "name"}}
	ofEnd := graph.Filter{{Side: graph.TargetSide, Property: "name", Operator: graph.Equal, Value: "Ann"}}
	ofEdge := graph.Filter{{Property: "since", Operator: graph.Equal, Value: int64(1)}}
	for _, c := range []struct {
		name      string
		query     graph.EdgeQuery
		exclusion int
	}{
		{"its own property", graph.EdgeQuery{Sort: graph.Sort{{Property: "since"}}}, 0},
		{"an end", graph.EdgeQuery{Sort: byEnd}, 1},
		{"an end, with a condition on the edge", graph.EdgeQuery{Sort: byEnd, Filter: ofEdge}, 1},
		{"an end, with a condition on an end", graph.EdgeQuery{Sort: byEnd, Filter: ofEnd}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			where := listTextsOf(c.query).whereSorted(endpointFilter{})
			require.Equal(t, c.exclusion, strings.Count(where.String(), cypher.VisibleEdge.String()), where.String())
		})
	}
}
