package neo4jstore_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// viewedGraph is a whole graph and what a view shows of it, computed without the store's statements.
type viewedGraph struct {
	store *neo4jstore.Store
	db    *neo4jtest.DB
	nodes map[string]graph.Node
	edges map[string]graph.Edge
	view  *rules.View
	limit int // of the pages of lists
}

// newViewedGraph fills a database with nodes of several labels or none and edges between them, with and without their own ids.
func newViewedGraph(t *testing.T) *viewedGraph { return newViewedGraphWith(t, nil) }

func newViewedGraphWith(t *testing.T, change func(*settings)) *viewedGraph {
	return newViewedGraphBy(t, change, []string{
		`UNWIND range(0, 39) AS i CREATE (n:Person {name: 'p' + i, owner: ['ann', 'bob', 'cid'][i % 3], level: i % 4})
		 FOREACH (x IN CASE WHEN i % 5 = 0 THEN [1] ELSE [] END | SET n:Staff)
		 FOREACH (x IN CASE WHEN i % 2 = 0 THEN [1] ELSE [] END | SET n.uuid = randomUUID())
		 FOREACH (x IN CASE WHEN i % 7 = 0 THEN [1] ELSE [] END | REMOVE n.owner)`,
		"UNWIND range(0, 9) AS i CREATE (:City {name: 'c' + i, level: toFloat(i % 4), tags: ['a', 'b'][..i % 3]}), ({name: 'n' + i, level: 'x'})",
		`MATCH (a) WHERE a.name IS NOT NULL WITH collect(a) AS every UNWIND range(0, 119) AS i
		 WITH every[i % size(every)] AS a, every[(i * 7 + 3) % size(every)] AS b, i
		 FOREACH (x IN CASE WHEN i % 3 = 0 THEN [1] ELSE [] END | CREATE (a)-[:KNOWS {level: i % 4, uuid: randomUUID()}]->(b))
		 FOREACH (x IN CASE WHEN i % 3 > 0 THEN [1] ELSE [] END | CREATE (a)-[:ROAD {level: i % 5, note: 'r' + i}]->(b))`,
		"CREATE INDEX IF NOT EXISTS FOR (n:Person) ON (n.level)",
	})
}

func newViewedGraphBy(t *testing.T, change func(*settings), statements []string) *viewedGraph {
	db := neo4jtest.OpenPrepared(t)
	for _, statement := range statements {
		db.Exec(t, statement, nil)
	}
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	s := openOn(t, db, change)
	vg := &viewedGraph{store: s, db: db, nodes: map[string]graph.Node{}, edges: map[string]graph.Edge{}, limit: 9}
	require.NoError(t, s.Bulk.Export(t.Context(), graph.ExportQuery{}, graph.Receiver{
		Types: func([]string) error { return nil },
		Node:  func(n *graph.Node) error { vg.nodes[n.ID] = *n; return nil },
		Edge:  func(e *graph.Edge) error { vg.edges[e.ID] = *e; return nil },
	}))
	return vg
}

func (vg *viewedGraph) node(id string) (graph.Node, bool) {
	n := vg.nodes[id]
	rights := vg.view.NodeRights(rules.Read, n.Labels, n.Properties)
	n.Properties = rights.Project(n.Properties)
	return n, rights.Granted()
}

func (vg *viewedGraph) edge(id string) (graph.Edge, bool) {
	e := vg.edges[id]
	_, source := vg.node(e.SourceID)
	_, target := vg.node(e.TargetID)
	rights := vg.view.EdgeRights(rules.Read, e.Type, e.Properties)
	e.Properties = rights.Project(e.Properties)
	return e, rights.Granted() && source && target
}

// endsOf are the ends of an edge as the user sees them.
func (vg *viewedGraph) endsOf(e graph.Edge) *graph.Ends {
	end := func(id string) graph.End {
		n, _ := vg.node(id)
		return graph.End{Type: n.Type, Caption: n.Properties.Caption()}
	}
	return &graph.Ends{Source: end(e.SourceID), Target: end(e.TargetID)}
}

// drawView draws a view of zero to three grants for nodes and one or two for edges.
func drawView(r *rapid.T) *rules.View { return viewOf(*drawRole(r)) }

// viewOf is the view of a user with one role.
func viewOf(role rules.Role) *rules.View {
	return rules.NewView(rules.User{ID: "1", Name: "ann"}, nil, []rules.Role{role})
}

func drawRole(r *rapid.T) *rules.Role {
	properties := []string{"owner", "level", "name", "tags", "note"}
	grant := func(kind graph.Kind, types []string) rules.Grant {
		g := rules.Grant{Kind: kind, Type: rapid.SampledFrom(types).Draw(r, "type"), Actions: []rules.Action{rules.Read}}
		for range rapid.IntRange(0, 2).Draw(r, "conditions") {
			c := rules.Condition{Condition: graph.Condition{Property: rapid.SampledFrom(properties).Draw(r, "property")}}
			c.Operator = rapid.SampledFrom(graph.Operators).Draw(r, "operator")
			switch {
			case c.Operator == graph.OneOf || c.Operator == graph.NoneOf:
				c.Value = []graph.Value{"ann", int64(1), 2.0}
			case c.Operator == graph.Exists:
				c.Value = rapid.Bool().Draw(r, "exists")
			case c.Operator.CheckLiteral("", int64(0)) != nil:
				c.Value = rapid.SampledFrom([]string{"1", "A", "b"}).Draw(r, "text")
			case rapid.Bool().Draw(r, "user"):
				c.User, c.Value = "username", "ann"
			default:
				c.Value = rapid.SampledFrom([]graph.Value{int64(0), int64(2), 1.0, "a", "bob"}).Draw(r, "value")
			}
			g.Where = append(g.Where, c)
		}
		if rapid.Bool().Draw(r, "hides") {
			g.Hidden = drawHidden(r)
		}
		return g
	}
	role := rules.Role{Name: "r"}
	for range rapid.IntRange(0, 3).Draw(r, "node grants") {
		role.Grants = append(role.Grants, grant(graph.NodeKind, []string{"Person", "Staff", "City", rules.AnyType}))
	}
	for range rapid.IntRange(1, 2).Draw(r, "edge grants") {
		role.Grants = append(role.Grants, grant(graph.EdgeKind, []string{"KNOWS", "ROAD", rules.AnyType}))
	}
	drawManyConditions(r, graph.NodeKind, &role)
	drawManyConditions(r, graph.EdgeKind, &role)
	return &role
}

// TestListsAndReadsShowWhatAViewAllows compares lists, counts and single reads with the rules evaluated on the whole graph.
func TestListsAndReadsShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	checkRules(t, func(r *rapid.T) {
		vg.view = drawView(r)
		ctx := rules.WithView(t.Context(), vg.view)
		rapid.SampledFrom([]func(context.Context, *rapid.T){vg.checkNodes, vg.checkEdges, vg.checkReads}).Draw(r, "question")(ctx, r)
	})
}

func (vg *viewedGraph) checkNodes(ctx context.Context, r *rapid.T) {
	typ := rapid.SampledFrom([]string{"", "Person", "Staff", "City"}).Draw(r, "listed")
	filter, sort := drawQuery(r)
	vg.compareNodes(ctx, r, typ, filter, sort)
}

// maxCounted is up to how many entities of a list its pages are counted: a count reads as much as all pages.
const maxCounted = 200

// compareNodes compares a list of nodes, which it returns, with the rules.
func (vg *viewedGraph) compareNodes(
	ctx context.Context, r require.TestingT, typ string, filter graph.Filter, sort graph.Sort,
) (listed []graph.Node) {
	want := map[string]graph.Node{}
	for id := range vg.nodes {
		if n, seen := vg.node(id); seen && (typ == "" || slices.Contains(n.Labels, typ)) && meets(filter, n.Properties) {
			want[id] = n
		}
	}
	q := graph.NodeQuery{Type: graph.TypeName(typ), Filter: filter, Sort: sort, Paging: graph.Paging{Limit: vg.limit, Count: true}}
	got := map[string]graph.Node{}
	for {
		page, err := vg.store.Nodes(ctx, q)
		require.NoError(r, err, "%+v: %s", q, chainOf(err))
		if q.Count {
			require.EqualValues(r, len(want), *page.Total, "%s %v", typ, filter)
		}
		for _, n := range page.Items {
			got[n.ID] = n
		}
		listed = append(listed, page.Items...)
		if len(page.Next) == 0 {
			break
		}
		q.After, q.Count = page.Next, len(listed) < maxCounted
	}
	require.Equal(r, want, got, "%s %v", typ, filter)
	require.Len(r, listed, len(want), "%s %v", typ, filter)
	shown := func(_ graph.Side, n graph.Node) graph.Properties { return n.Properties }
	requireOrder(r, sort, listed, shown, func(n graph.Node) string { return n.ID })
	return listed
}

func (vg *viewedGraph) checkEdges(ctx context.Context, r *rapid.T) {
	typ := rapid.SampledFrom([]string{"", "KNOWS", "ROAD"}).Draw(r, "listed edges")
	filter, sort := drawQuery(r)
	filter, sort = atDrawnEnds(r, filter, sort)
	q := graph.EdgeQuery{Type: graph.TypeName(typ), Filter: filter, Sort: sort, Paging: graph.Paging{Limit: vg.limit, Count: true}}
	q.Ends = rapid.Bool().Draw(r, "ends")
	if rapid.Bool().Draw(r, "of a node") {
		of := rapid.SampledFrom(sortedIDs(vg.nodes)).Draw(r, "node")
		q.Of = &graph.Around{NodeID: of, Direction: rapid.SampledFrom([]graph.Direction{graph.Out, graph.In, graph.Both}).Draw(r, "direction")}
	}
	vg.compareEdges(ctx, r, q)
}

// compareEdges compares a list of edges, which it returns, with the rules.
func (vg *viewedGraph) compareEdges(ctx context.Context, r require.TestingT, q graph.EdgeQuery) (listed []graph.Edge) {
	of, typ, filter, sort := "", string(q.Type), q.Filter, q.Sort
	if q.Of != nil {
		of = q.Of.NodeID
	}
	want := map[string]graph.Edge{}
	for id := range vg.edges {
		e, seen := vg.edge(id)
		around := of == "" || (e.SourceID == of && q.Of.Direction != graph.In) || (e.TargetID == of && q.Of.Direction != graph.Out)
		if seen && around && (typ == "" || e.Type == typ) && vg.meetsAtEnds(filter, e) {
			if q.Ends {
				e.Ends = vg.endsOf(e)
			}
			want[id] = e
		}
	}
	got := map[string]graph.Edge{}
	for {
		page, err := vg.store.Edges(ctx, q)
		if _, seen := vg.node(of); of != "" && !seen {
			require.Equal(r, fault.NotFound, fault.CodeOf(err))
			return nil
		}
		require.NoError(r, err, "%+v: %s", q, chainOf(err))
		if q.Count {
			require.EqualValues(r, len(want), *page.Total, "%s %v", typ, filter)
		}
		for _, e := range page.Items {
			got[e.ID] = e
		}
		listed = append(listed, page.Items...)
		if len(page.Next) == 0 {
			break
		}
		q.After, q.Count = page.Next, len(listed) < maxCounted
	}
	require.Equal(r, want, got, "%s %v of %q", typ, filter, of)
	requireOrder(r, sort, listed, vg.at, func(e graph.Edge) string { return e.ID })
	return listed
}

func (vg *viewedGraph) checkReads(ctx context.Context, r *rapid.T) {
	for range 4 {
		id := rapid.SampledFrom(sortedIDs(vg.nodes)).Draw(r, "read")
		want, seen := vg.node(id)
		got, err := vg.store.Node(ctx, id)
		requireRead(r, seen, want, got, err)
		id = rapid.SampledFrom(sortedIDs(vg.edges)).Draw(r, "read edge")
		wantEdge, seen := vg.edge(id)
		gotEdge, err := vg.store.Edge(ctx, id)
		requireRead(r, seen, wantEdge, gotEdge, err)
	}
}

func requireRead[T any](r *rapid.T, seen bool, want, got T, err error) {
	answersRead.Add(1)
	if !seen {
		require.Equal(r, fault.NotFound, fault.CodeOf(err), "%v", want)
		return
	}
	require.NoError(r, err, "%v", want)
	require.Equal(r, want, got)
}

func drawQuery(r *rapid.T) (graph.Filter, graph.Sort) {
	var f graph.Filter
	if rapid.Bool().Draw(r, "filtered") {
		c := graph.Condition{Property: rapid.SampledFrom([]string{"owner", "level", "name"}).Draw(r, "filter")}
		c.Operator, c.Value = graph.GreaterEqual, int64(1)
		if rapid.Bool().Draw(r, "absent") {
			c.Operator, c.Value = graph.Exists, false
		}
		f = graph.Filter{c}
	}
	var s graph.Sort
	for range rapid.IntRange(0, 2).Draw(r, "sort keys") {
		key := graph.SortKey{Property: rapid.SampledFrom([]string{"owner", "level"}).Draw(r, "sort")}
		key.Descending = rapid.Bool().Draw(r, "descending")
		s = append(s, key)
	}
	return f, s
}

// meets evaluates a filter by the rules' own grants: a role with the filter as its condition.
func meets(f graph.Filter, p graph.Properties) bool {
	g := rules.Grant{Kind: graph.NodeKind, Type: rules.AnyType, Actions: []rules.Action{rules.Read}}
	for _, c := range f {
		g.Where = append(g.Where, rules.Condition{Condition: c})
	}
	return rules.NewView(rules.User{}, nil, []rules.Role{{Grants: []rules.Grant{g}}}).NodeRights(rules.Read, nil, p).Granted()
}

func sortedIDs[T any](m map[string]T) []string {
	ids := make([]string, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// TestConditionsOnTheExistenceOfAPropertyShowItsValue: with conditions joined by OR, Neo4j 5.26 returned true as the value of a property
// whose existence one of them tested.
func TestConditionsOnTheExistenceOfAPropertyShowItsValue(t *testing.T) {
	vg := newViewedGraph(t)
	for _, condition := range []string{`{"exists":true}`, `{"exists":false}`, `{"ne":99}`, `{"nin":[99]}`} {
		grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"where":{"owner":{"contains":"n"}}},
			{"kind":"node","type":"Person","actions":["read"],"where":{"level":`+condition+`}},{"kind":"edge","type":"*","actions":["read"]}]`)
		require.Nil(t, f)
		vg.view = rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}})
		ctx := rules.WithView(t.Context(), vg.view)
		for _, typ := range []graph.TypeName{"", "Person"} {
			page, err := vg.store.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 100}})
			require.NoError(t, err)
			require.NotEmpty(t, page.Items)
			for _, n := range page.Items {
				require.Equal(t, vg.nodes[n.ID].Properties, n.Properties, "%s %s", typ, condition)
			}
		}
	}
	// So do alternatives of a filter.
	for _, c := range []graph.Condition{
		{Operator: graph.Exists, Value: true},
		{Operator: graph.Exists, Value: false},
		{Operator: graph.NotEqual, Value: int64(99)},
		{Operator: graph.NoneOf, Value: []graph.Value{int64(99)}},
	} {
		c.Any, c.Property = 2, "level"
		for _, typ := range []graph.TypeName{"", "Person"} {
			filter := graph.Filter{{Any: 1, Property: "owner", Operator: graph.Contains, Value: "n"}, c}
			page, err := vg.store.Nodes(t.Context(), graph.NodeQuery{Type: typ, Filter: filter, Paging: graph.Paging{Limit: 100}})
			require.NoError(t, err)
			require.NotEmpty(t, page.Items)
			for _, n := range page.Items {
				require.Equal(t, vg.nodes[n.ID].Properties, n.Properties, "%s %+v", typ, c)
			}
		}
	}
}
