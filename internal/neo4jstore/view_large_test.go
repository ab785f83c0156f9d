package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestListsOfLargeTypesShowWhatAViewAllows compares lists of types that are too large to be read together, and so by other statements than
// those of newViewedGraph, with the rules evaluated on the whole graph.
func TestListsOfLargeTypesShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newLargeViewedGraph(t)
	grants, f := rules.ParseGrants("grants", `[
		{"kind":"node","type":"Person","actions":["read"],"where":{"owner":{"ne":"cid"}},"hidden":["level"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"eq":2}},"hidden":["owner"]},
		{"kind":"node","type":"City","actions":["read"],"where":{"level":{"lt":3}}},
		{"kind":"edge","type":"KNOWS","actions":["read"],"where":{"level":{"ne":1}},"hidden":["level"]},
		{"kind":"edge","type":"KNOWS","actions":["read"],"where":{"level":{"gte":3}}},
		{"kind":"edge","type":"ROAD","actions":["read"],"where":{"level":{"nin":[4,7]}}}]`)
	require.Nil(t, f)
	many := []rules.Grant{grantOfManyConditions(graph.NodeKind), grantOfManyConditions(graph.EdgeKind)}
	byLevel := graph.Sort{{Property: "level", Descending: true}}
	indexed := graph.Filter{{Property: "level", Operator: graph.GreaterEqual, Value: int64(1)}}
	vg.compareLists(t, grants, nil, nil)
	vg.compareLists(t, grants, nil, byLevel)
	vg.compareLists(t, grants, indexed, nil)
	vg.compareLists(t, append(grants, many...), indexed, byLevel)
	vg.compareLists(t, append(grants, many...), graph.Filter{{Property: "owner", Operator: graph.Exists, Value: false}}, nil)
}

// compareLists compares the lists of all types, by cursor and by offset.
func (vg *viewedGraph) compareLists(t *testing.T, grants []rules.Grant, filter graph.Filter, sort graph.Sort) {
	vg.view = viewOf(rules.Role{Name: "r", Grants: grants})
	ctx := rules.WithView(t.Context(), vg.view)
	skipped := vg.limit + vg.limit/2
	for _, typ := range []string{"", "Person", "Staff", "City"} {
		listed := vg.compareNodes(ctx, t, typ, filter, sort)
		q := graph.NodeQuery{Type: graph.TypeName(typ), Filter: filter, Sort: sort, Paging: graph.Paging{Limit: vg.limit, Offset: int64(skipped)}}
		page, err := vg.store.Nodes(ctx, q)
		require.NoError(t, err)
		requirePart(t, listed, skipped, vg.limit, page.Items)
	}
	for _, typ := range []graph.TypeName{"", "KNOWS", "ROAD"} {
		q := graph.EdgeQuery{Type: typ, Filter: filter, Sort: sort, Paging: graph.Paging{Limit: vg.limit, Count: true}}
		listed := vg.compareEdges(ctx, t, q)
		q.Offset = int64(skipped)
		page, err := vg.store.Edges(ctx, q)
		require.NoError(t, err)
		requirePart(t, listed, skipped, vg.limit, page.Items)
	}
}

// requirePart requires the entities of a list from one position on.
func requirePart[T any](t *testing.T, all []T, from, limit int, got []T) {
	t.Helper()
	from = min(from, len(all))
	require.Equal(t, append([]T{}, all[from:min(from+limit, len(all))]...), append([]T{}, got...))
}

// TestLargeTypesShowWhatAViewAllows compares every question about large types with the rules, for generated views.
func TestLargeTypesShowWhatAViewAllows(t *testing.T) {
	testmark.Long(t)
	vg := newLargeViewedGraph(t)
	checkRules(t, func(r *rapid.T) {
		vg.view = drawView(r)
		ctx := rules.WithView(t.Context(), vg.view)
		for _, question := range []func(context.Context, *rapid.T){
			vg.checkNodes, vg.checkEdges, vg.checkNodeAggregate, vg.checkEdgeAggregate, vg.checkReads, vg.checkDegree, vg.checkExport,
		} {
			question(ctx, r)
		}
	})
}

// newLargeViewedGraph has the types of newViewedGraph with more entities than small types have. Person and KNOWS are managed, and a part of
// their entities has no id. Indexes serve some conditions: one of them finds more entities of a type that is not managed than are sorted.
func newLargeViewedGraph(t *testing.T) *viewedGraph {
	vg := newViewedGraphBy(t, nil, []string{
		"CREATE CONSTRAINT IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
		"CREATE CONSTRAINT IF NOT EXISTS FOR ()-[r:KNOWS]-() REQUIRE r.uuid IS UNIQUE",
		"CREATE INDEX IF NOT EXISTS FOR (n:City) ON (n.level)", "CREATE INDEX IF NOT EXISTS FOR ()-[r:ROAD]-() ON (r.level)",
		`UNWIND range(0, 1199) AS i CREATE (n:Person {name: 'p' + i, owner: ['ann', 'bob', 'cid'][i % 3], level: i % 4})
		 FOREACH (x IN CASE WHEN i % 2 = 0 THEN [1] ELSE [] END | SET n:Staff)
		 FOREACH (x IN CASE WHEN i % 5 > 0 THEN [1] ELSE [] END | SET n.uuid = randomUUID())
		 FOREACH (x IN CASE WHEN i % 7 = 0 THEN [1] ELSE [] END | REMOVE n.owner)`,
		`UNWIND range(0, 799) AS i CREATE (:City {name: 'c' + i, level: toFloat(i % 4), tags: ['a', 'b'][..i % 3]})`,
		"UNWIND range(0, 99) AS i CREATE ({name: 'n' + i, level: 'x'})",
		`MATCH (a) WHERE a.name IS NOT NULL WITH collect(a) AS every UNWIND range(0, 3799) AS i
		 WITH every[i % size(every)] AS a, every[(i * 7 + 3) % size(every)] AS b, i
		 FOREACH (x IN CASE WHEN i % 3 = 0 THEN [1] ELSE [] END | CREATE (a)-[:KNOWS {level: i % 4, uuid: randomUUID()}]->(b))
		 FOREACH (x IN CASE WHEN i % 9 = 1 THEN [1] ELSE [] END | CREATE (b)-[:KNOWS {level: i % 3, note: 'k' + i}]->(a))
		 FOREACH (x IN CASE WHEN i % 3 > 0 THEN [1] ELSE [] END | CREATE (a)-[:ROAD {level: i % 9, note: 'r' + i}]->(b))`,
	})
	vg.limit = 450
	counts, err := vg.store.Counts.Current(t.Context())
	require.NoError(t, err)
	for _, size := range []int64{
		counts.Nodes["Person"], counts.Nodes["Staff"], counts.Nodes["City"], counts.Edges["KNOWS"], counts.Edges["ROAD"],
	} {
		require.Greater(t, size, int64(keyset.SmallType))
	}
	return vg
}
