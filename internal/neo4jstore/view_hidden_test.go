package neo4jstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
)

// TestWalksDoNotDependOnWhatIsHidden: what a limit leaves out is the same before and after there are edges and nodes that the user does not
// see, however many: also if they change which node has the most edges, or how the database orders the edges of a node.
func TestWalksDoNotDependOnWhatIsHidden(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, `UNWIND range(0, 19) AS i CREATE (:Person {n: i})`, nil)
	db.Exec(t, `UNWIND range(0, 59) AS i MATCH (a:Person {n: i % 7}), (b:Person {n: (i * 3 + 1) % 20})
		FOREACH (x IN CASE WHEN i % 2 = 0 THEN [1] ELSE [] END | CREATE (a)-[:KNOWS {i: i}]->(b))
		FOREACH (x IN CASE WHEN i % 2 = 1 THEN [1] ELSE [] END | CREATE (b)-[:LIKES {i: i}]->(a))`, nil)
	s := openOn(t, db, nil)
	read := []rules.Action{rules.Read}
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{ID: "1", Name: "ann"}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{
		{Kind: graph.NodeKind, Type: "Person", Actions: read},
		{Kind: graph.EdgeKind, Type: "KNOWS", Actions: read},
		{Kind: graph.EdgeKind, Type: "LIKES", Actions: read},
	}}}))
	var ids []string
	for _, row := range db.Query(t, "MATCH (p:Person) RETURN elementId(p) AS id ORDER BY p.n", nil) {
		ids = append(ids, row["id"].(string))
	}
	before := walksOf(ctx, t, s, ids)
	for _, hide := range []string{
		"MATCH (a:Person {n: 1}), (b:Person {n: 2}) UNWIND range(1, 100) AS i CREATE (a)-[:SECRET]->(b)",
		"MATCH (a:Person) WHERE a.n > 4 UNWIND range(1, 70) AS i CREATE (:Vault)-[:KNOWS]->(a), (a)-[:LIKES]->(:Vault)",
		"MATCH (a:Person {n: 0}) UNWIND range(1, 300) AS i CREATE (a)<-[:SECRET]-(a)",
	} {
		db.Exec(t, hide, nil)
		require.Equal(t, before, walksOf(ctx, t, s, ids), hide)
	}
}

// walksOf asks for what small limits cut.
func walksOf(ctx context.Context, t *testing.T, s *neo4jstore.Store, ids []string) map[string]any {
	t.Helper()
	answers := map[string]any{}
	for _, limit := range []int{1, 3, 10, 40} {
		found, err := s.Walks.Among(ctx, graph.AmongQuery{NodeIDs: ids, Limit: limit})
		require.NoError(t, err)
		require.Len(t, found.Edges, limit)
		answers[fmt.Sprintf("%d among", limit)] = found
		for i, id := range ids {
			for _, depth := range []int{1, 2} {
				q := graph.NeighborQuery{NodeID: id, Direction: graph.Both, Depth: depth, Limit: 10, MaxDegree: limit}
				around, err := s.Walks.Neighbors(ctx, q)
				require.NoError(t, err)
				answers[fmt.Sprintf("%d from %d, depth %d", limit, i, depth)] = around
			}
		}
	}
	for i, id := range ids {
		degree, err := s.Walks.Degree(ctx, id)
		require.NoError(t, err)
		path, err := s.Walks.Paths(ctx, graph.PathQuery{SourceID: id, TargetID: ids[(i+5)%len(ids)], Direction: graph.Both, MaxDepth: 6})
		require.NoError(t, err)
		answers[fmt.Sprintf("degree of %d", i)] = degree
		answers[fmt.Sprintf("length of the path from %d", i)] = len(path.Edges)
	}
	return answers
}
