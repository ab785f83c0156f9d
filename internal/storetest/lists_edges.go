package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var edgeListRules = []rule{
	{"edges are ordered by type, then by id, then those without an id by element id", edgeListOrder},
	{"pages of any size and at any offset agree with the whole list", edgeListPages},
	{"type, source_id, target_id and node_id select edges, alone and combined; a self-loop is listed once", edgeListSelects},
	{"an end that does not exist selects no edges; a node in Of that does not exist is NOT_FOUND", edgeListMissingEnds},
	{"the edges of a node are listed by direction, by id and by element id", edgeListOf},
	{"in a large managed type, edges whose id property is missing or not a string come last", edgeListUnidentified},
	{"a new edge of a new type is listed immediately", edgeListNew},
}

// edgeRow is an edge as stored in the database.
type edgeRow struct {
	listedEntity
	source, target string // element ids
}

func (h Harness) edgeRows(t testing.TB) []edgeRow {
	t.Helper()
	managed := h.managed(t, "RELATIONSHIP")
	var all []edgeRow
	for _, row := range h.Cypher(t,
		`MATCH (a)-[r]->(b) RETURN labels(a) + labels(b) AS labels, type(r) AS type, elementId(r) AS element, r[$id] AS id,
		elementId(a) AS source, elementId(b) AS target`, map[string]any{"id": h.IDProperty}) {
		e := edgeRow{
			listedEntity: listedEntity{typ: row["type"].(string), element: row["element"].(string)}, source: row["source"].(string),
			target: row["target"].(string),
		}
		if internalName(e.typ) || slices.ContainsFunc(row["labels"].([]any), func(l any) bool { return internalName(l.(string)) }) {
			continue
		}
		if id, ok := row["id"].(string); ok && id != "" && managed[e.typ] {
			e.id = id
		}
		all = append(all, e)
	}
	return all
}

// wholeEdgeList computes the list that the contract requires, of the edges that wanted selects; nil selects all.
func (h Harness) wholeEdgeList(t testing.TB, wanted func(edgeRow) bool) []string {
	t.Helper()
	var all []listedEntity
	for _, e := range h.edgeRows(t) {
		if wanted == nil || wanted(e) {
			all = append(all, e.listedEntity)
		}
	}
	return inOrder(all)
}

func (h Harness) walkEdges(t testing.TB, q graph.EdgeQuery, limit int) []string {
	t.Helper()
	return walk(t, limit, func(p graph.Paging) graph.Page[graph.Edge] {
		q.Paging = p
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		return page
	}, edgeIDs)
}

// tangle creates edges of managed and other types between few nodes, including loops and parallel edges. It returns the
// nodes' element ids and the ids of the first two.
func (h Harness) tangle(t testing.TB) (elements, own []string) {
	t.Helper()
	a, b := h.node(t, "Person", graph.Properties{"n": int64(-1)}), h.node(t, "Person", graph.Properties{"n": int64(-2)})
	for range 4 {
		h.edge(t, "KNOWS", a.ID, b.ID, nil)
		h.edge(t, "KNOWS", a.ID, a.ID, nil)
		h.edge(t, "LIKES", b.ID, a.ID, nil)
	}
	h.manageEdges(t, "REF")
	h.Cypher(t, `UNWIND range(0, 5) AS i CREATE (:Legacy {n: i})`, nil)
	h.Cypher(t, `MATCH (x) WHERE NOT any(l IN labels(x) WHERE toLower(l) STARTS WITH '_graphrest') MATCH (y:Legacy)
		CREATE (x)-[r:REF]->(y) SET r[$id] = CASE y.n % 3 WHEN 0 THEN null WHEN 1 THEN y.n * 100 + x.n ELSE 'r' + (y.n * 100 + x.n) END
		CREATE (y)-[:PLAIN]->(x)`, map[string]any{"id": h.IDProperty})
	h.settle(t)
	for _, row := range h.Cypher(t, "MATCH (n) WHERE n.n IS NOT NULL RETURN elementId(n) AS e ORDER BY n.n DESC", nil) {
		elements = append(elements, row["e"].(string))
	}
	return elements, []string{a.ID, b.ID}
}

func edgeListOrder(t *testing.T, h Harness) {
	h.tangle(t)
	want := h.wholeEdgeList(t, nil)
	require.Greater(t, len(want), 100)
	require.Equal(t, want, h.walkEdges(t, graph.EdgeQuery{}, 1000))
	likes := h.walkEdges(t, graph.EdgeQuery{Type: "LIKES"}, 1000)
	require.Equal(t, h.wholeEdgeList(t, func(e edgeRow) bool { return e.typ == "LIKES" }), likes)
	require.Equal(t, sortedCopy(likes), likes)
}

func edgeListPages(t *testing.T, h Harness) {
	elements, own := h.tangle(t)
	node := elements[len(elements)-2] // the first person: "n" is -1
	for name, c := range map[string]struct {
		q      graph.EdgeQuery
		wanted func(edgeRow) bool
	}{
		"all":       {graph.EdgeQuery{}, nil},
		"of a type": {graph.EdgeQuery{Type: "REF"}, func(e edgeRow) bool { return e.typ == "REF" }},
		"at a node": {graph.EdgeQuery{NodeID: own[0]}, func(e edgeRow) bool { return e.source == node || e.target == node }},
		"out of it": {graph.EdgeQuery{SourceID: own[0]}, func(e edgeRow) bool { return e.source == node }},
	} {
		want := h.wholeEdgeList(t, c.wanted)
		for _, limit := range []int{1, 7, 50} {
			require.Equal(t, want, h.walkEdges(t, c.q, limit), "%s, limit %d", name, limit)
		}
		for offset := 0; offset <= len(want)+1; offset += 1 + len(want)/9 {
			q := c.q
			q.Paging = graph.Paging{Limit: 4, Offset: int64(offset)}
			page, err := h.Edges.Edges(context.Background(), q)
			require.NoError(t, err)
			from := min(offset, len(want))
			require.Equal(t, want[from:min(from+4, len(want))], edgeIDs(page.Items), "%s, offset %d", name, offset)
			require.Equal(t, from+4 < len(want), page.Next != nil)
		}
	}
}

func edgeListSelects(t *testing.T, h Harness) {
	elements, own := h.tangle(t)
	a, b := elements[len(elements)-2], elements[len(elements)-1]
	ids := map[string]string{a: own[0], b: own[1]}
	nodes := []string{"", a, b, elements[0]}
	for _, source := range nodes {
		for _, target := range nodes {
			for _, node := range nodes {
				for _, typ := range []string{"", "KNOWS", "REF", "NOTHING"} {
					q := graph.EdgeQuery{Type: graph.TypeName(typ), SourceID: idOrElement(ids, source), TargetID: target, NodeID: idOrElement(ids, node)}
					q.Paging = graph.Paging{Limit: 1000, Count: true}
					page, err := h.Edges.Edges(context.Background(), q)
					require.NoError(t, err)
					want := h.wholeEdgeList(t, func(e edgeRow) bool {
						return (source == "" || e.source == source) && (target == "" || e.target == target) &&
							(node == "" || e.source == node || e.target == node) && (typ == "" || e.typ == typ)
					})
					require.Equal(t, want, edgeIDs(page.Items), "%+v", q)
					require.EqualValues(t, len(want), *page.Total)
				}
			}
		}
	}
}

// idOrElement returns a node's id property if it has one.
func idOrElement(ids map[string]string, element string) string {
	if id, ok := ids[element]; ok {
		return id
	}
	return element
}

func edgeListMissingEnds(t *testing.T, h Harness) {
	_, own := h.tangle(t)
	for _, q := range []graph.EdgeQuery{
		{SourceID: "nothing"}, {TargetID: "nothing"}, {NodeID: "nothing"}, {SourceID: own[0], TargetID: "nothing"},
	} {
		q.Paging = graph.Paging{Limit: 10, Count: true}
		page, err := h.Edges.Edges(context.Background(), q)
		require.NoError(t, err)
		require.Empty(t, page.Items)
		require.EqualValues(t, 0, *page.Total)
	}
	_, err := h.Edges.Edges(context.Background(),
		graph.EdgeQuery{Of: &graph.Around{NodeID: "nothing", Direction: graph.Both}, Paging: graph.Paging{Limit: 10}})
	requireCode(t, fault.NotFound, err)
}

func edgeListOf(t *testing.T, h Harness) {
	elements, own := h.tangle(t)
	node := elements[len(elements)-2]
	for direction, wanted := range map[graph.Direction]func(edgeRow) bool{
		graph.Out:  func(e edgeRow) bool { return e.source == node },
		graph.In:   func(e edgeRow) bool { return e.target == node },
		graph.Both: func(e edgeRow) bool { return e.source == node || e.target == node },
	} {
		want := h.wholeEdgeList(t, wanted)
		for _, id := range []string{own[0], node} {
			require.Equal(t, want, h.walkEdges(t, graph.EdgeQuery{Of: &graph.Around{NodeID: id, Direction: direction}}, 3), "%s", direction)
		}
		onlyKnows := h.wholeEdgeList(t, func(e edgeRow) bool { return wanted(e) && e.typ == "KNOWS" })
		require.Equal(t, onlyKnows, h.walkEdges(t, graph.EdgeQuery{Type: "KNOWS", Of: &graph.Around{NodeID: node, Direction: direction}}, 3))
	}
}

func edgeListUnidentified(t *testing.T, h Harness) {
	h.manageEdges(t, "BIG")
	h.Cypher(t, `CREATE (a:A), (b:B) WITH a, b UNWIND range(1, 1500) AS i CREATE (a)-[r:BIG {n: i}]->(b)
		SET r[$id] = CASE WHEN i % 50 = 0 THEN null WHEN i % 50 = 1 THEN i ELSE 'b' + i END`, map[string]any{"id": h.IDProperty})
	h.settle(t)
	want := h.wholeEdgeList(t, nil)
	for _, typ := range []graph.TypeName{"BIG", ""} {
		require.Equal(t, want, h.walkEdges(t, graph.EdgeQuery{Type: typ}, 97))
		for _, offset := range []int{0, 1439, 1440, 1441, 1499, 1500} {
			page, err := h.Edges.Edges(context.Background(),
				graph.EdgeQuery{Type: typ, Paging: graph.Paging{Limit: 3, Offset: int64(offset), Count: true}})
			require.NoError(t, err)
			require.Equal(t, want[offset:min(offset+3, len(want))], edgeIDs(page.Items), "offset %d", offset)
			require.EqualValues(t, 1500, *page.Total)
		}
	}
}

func edgeListNew(t *testing.T, h Harness) {
	a := h.node(t, "Person", nil)
	for i := range 4 {
		typ := graph.TypeName(fmt.Sprintf("FRESH%d", i))
		require.Empty(t, h.walkEdges(t, graph.EdgeQuery{Type: typ}, 10))
		made := h.edge(t, typ, a.ID, a.ID, nil)
		for _, q := range []graph.EdgeQuery{{}, {Type: typ}, {SourceID: a.ID}, {NodeID: a.ID, Type: typ}} {
			require.Contains(t, h.walkEdges(t, q, 10), made.ID)
		}
	}
}
