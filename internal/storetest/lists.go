package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var nodeListRules = []rule{
	{"nodes are ordered by type, then by id, then those without an id in the database's order, then those without a label", nodeListOrder},
	{"a type's list contains every node with that label; the list of all contains each node once", nodeListSeveralLabels},
	{"pages of any size and at any offset agree with the whole list", nodeListPages},
	{"a graph that analysts created is listed without any write to it", nodeListForeign},
	{"a new node of a new type is listed immediately", nodeListNew},
	{"the list of a type without nodes is empty", nodeListEmpty},
	{"pages of any size agree with the whole list if element ids have gaps and types are partly adopted and overlap", listsWithHoles},
	{"filtered pages of a large managed type agree with the whole list, of filters that many, few or no entities meet", listsFilteredByID},
	{"in a managed type, nodes whose id property is missing or not a string come last, in the database's order", nodeListUnidentified},
}

// listedEntity has the fields that determine an entity's position in a list.
type listedEntity struct {
	typ, id, element string
	elsewhere        bool // it has its id as one of another type, which is managed
}

// ordered is the id by which the entity is sorted; empty if the database's own order applies.
func (l listedEntity) ordered() string {
	if l.elsewhere {
		return ""
	}
	return l.id
}

// wholeNodeList computes the list that the contract requires, directly from the database.
func (h Harness) wholeNodeList(t testing.TB, typ string) []string {
	t.Helper()
	managed := h.managed(t, "NODE")
	var all []listedEntity
	for _, row := range h.Cypher(t, `MATCH (n) RETURN labels(n) AS labels, elementId(n) AS element, n[$id] AS id`,
		map[string]any{"id": h.IDProperty}) {
		var labels []string
		for _, l := range row["labels"].([]any) {
			labels = append(labels, l.(string))
		}
		if slices.ContainsFunc(labels, internalName) || (typ != "" && !slices.Contains(labels, typ)) {
			continue
		}
		entry := listedEntity{typ: typ, element: row["element"].(string)}
		if typ == "" && len(labels) > 0 {
			entry.typ = labels[0]
		}
		if id, ok := row["id"].(string); ok && id != "" && slices.ContainsFunc(labels, func(l string) bool { return managed[l] }) {
			entry.id, entry.elsewhere = id, !managed[entry.typ]
		}
		all = append(all, entry)
	}
	return inOrder(all)
}

func internalName(name string) bool { return strings.HasPrefix(strings.ToLower(name), "_graphrest") }

// managed returns the names that have a uniqueness constraint on exactly the id property.
func (h Harness) managed(t testing.TB, entity string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, row := range h.Cypher(t, `SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties WHERE type ENDS WITH 'UNIQUENESS'
		RETURN entityType AS entity, labelsOrTypes AS names, properties AS properties`, nil) {
		if row["entity"] == entity && fmt.Sprint(row["properties"]) == fmt.Sprint([]any{h.IDProperty}) {
			names[row["names"].([]any)[0].(string)] = true
		}
	}
	return names
}

// inOrder sorts as the contract requires and returns the ids that clients see.
func inOrder(all []listedEntity) []string {
	slices.SortFunc(all, func(a, b listedEntity) int {
		return cmp.Or(
			last(a.typ == "", b.typ == ""), cmp.Compare(a.typ, b.typ), last(a.ordered() == "", b.ordered() == ""),
			cmp.Compare(a.ordered(), b.ordered()), cmp.Compare(numberOf(a.element), numberOf(b.element)),
		)
	})
	ids := make([]string, len(all))
	for i, e := range all {
		ids[i] = cmp.Or(e.id, e.element)
	}
	return ids
}

// numberOf is the number that ends an element id: the database's own order.
func numberOf(element string) int64 {
	number, err := strconv.ParseInt(element[strings.LastIndexByte(element, ':')+1:], 10, 64)
	if err != nil {
		panic(err)
	}
	return number
}

// last sorts true after false.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// walkNodes pages through a query by position, and checks each page.
func (h Harness) walkNodes(t testing.TB, q graph.NodeQuery, limit int) []string {
	t.Helper()
	return walk(t, limit, func(p graph.Paging) graph.Page[graph.Node] {
		q.Paging = p
		page, err := h.Nodes.Nodes(context.Background(), q)
		require.NoError(t, err)
		return page
	}, nodeIDs)
}

func walk[T any](t testing.TB, limit int, read func(graph.Paging) graph.Page[T], ids func([]T) []string) []string {
	t.Helper()
	all := []string{}
	var at graph.Position
	for {
		page := read(graph.Paging{Limit: limit, After: at})
		require.LessOrEqual(t, len(page.Items), limit)
		all = append(all, ids(page.Items)...)
		if page.Next == nil {
			return all
		}
		require.Len(t, page.Items, limit, "a page with another behind it is full")
		require.NotEqual(t, at, page.Next, "the walk moves on")
		at = page.Next
	}
}

func nodeListOrder(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE (), (:Aaa), (:Zzz), (:Zzz {name: 'x'}), ()", nil)
	for range 3 {
		h.node(t, "Person", nil)
		h.node(t, "City", nil)
		h.node(t, "person", nil)
	}
	want := h.wholeNodeList(t, "")
	require.Len(t, want, 14)
	require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{}, 100))
	people := h.wholeNodeList(t, "Person")
	require.Len(t, people, 3)
	require.Equal(t, people, h.walkNodes(t, graph.NodeQuery{Type: "Person"}, 100))
	require.Equal(t, sortedCopy(people), people)
}

func nodeListSeveralLabels(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"name": "Ann"})
	h.Cypher(t, "MATCH (n:Person) SET n:Employee:Aaa", nil)
	h.Cypher(t, "CREATE (:Employee:Person {name: 'x'}), (:Employee), (:Aaa)", nil)
	for _, typ := range []graph.TypeName{"", "Person", "Employee", "Aaa"} {
		want := h.wholeNodeList(t, string(typ))
		for limit := 1; limit <= 5; limit++ {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ}, limit), "type %q, limit %d", typ, limit)
		}
	}
	page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: "Employee", Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Contains(t, nodeIDs(page.Items), made.ID)
	require.Len(t, page.Items, 3)
}

// mixedGraph creates managed and other types, several labels, missing and odd ids, no labels, and hostile names.
func (h Harness) mixedGraph(t testing.TB) {
	t.Helper()
	h.manageNodes(t, "Doc")
	h.Cypher(t, `UNWIND range(1, 40) AS i
		CREATE (d:Doc) SET d[$id] = CASE i % 4 WHEN 0 THEN null WHEN 1 THEN i WHEN 2 THEN 'doc-' + i ELSE 'Z' + i END
		CREATE (p:Plain {n: i}) SET p[$id] = CASE WHEN i % 2 = 0 THEN 'plain-' + i END
		CREATE (b:Plain:Doc) SET b[$id] = CASE WHEN i % 3 = 0 THEN 'both-' + i END
		CREATE ({n: i}) CREATE (:`+"`x y``z`"+` {n: i})`, map[string]any{"id": h.IDProperty})
	for i := range 30 {
		h.node(t, "Person", graph.Properties{"n": int64(i)})
	}
	h.settle(t)
}

func nodeListPages(t *testing.T, h Harness) {
	h.mixedGraph(t)
	for _, typ := range []graph.TypeName{"", "Doc", "Plain", "Person", "x y`z"} {
		want := h.wholeNodeList(t, string(typ))
		for _, limit := range []int{1, 7, 30, 1000} {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ}, limit), "type %q, limit %d", typ, limit)
		}
		for offset := 0; offset <= len(want)+1; offset += 1 + len(want)/13 {
			page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 5, Offset: int64(offset)}})
			require.NoError(t, err)
			from := min(offset, len(want))
			require.Equal(t, want[from:min(from+5, len(want))], nodeIDs(page.Items), "type %q, offset %d", typ, offset)
			require.Equal(t, from+5 < len(want), page.Next != nil)
		}
	}
}

func nodeListForeign(t *testing.T, h Harness) {
	h.Cypher(t, `UNWIND range(1, 700) AS i
		CREATE (a:Legacy {n: i, `+"`"+h.IDProperty+"`"+`: 'theirs-' + i}) CREATE (b:Old:Legacy) CREATE (a)-[:LINK {n: i}]->(b) CREATE ({n: i})`,
		nil)
	// Over HTTP the case also logs in, which the audit records.
	const whole = "MATCH (n) WHERE NOT n:_GraphrestAudit RETURN elementId(n) AS e, labels(n) AS l, properties(n) AS p ORDER BY e"
	before, managed := h.Cypher(t, whole, nil), h.managed(t, "NODE")
	require.NotContains(t, managed, "Legacy")
	for _, typ := range []graph.TypeName{"", "Legacy", "Old"} {
		require.Equal(t, h.wholeNodeList(t, string(typ)), h.walkNodes(t, graph.NodeQuery{Type: typ}, 400))
	}
	require.Equal(t, h.wholeEdgeList(t, nil), h.walkEdges(t, graph.EdgeQuery{}, 400))
	require.Equal(t, before, h.Cypher(t, whole, nil))
	require.Equal(t, managed, h.managed(t, "NODE"))
	page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: "Legacy", Paging: graph.Paging{Limit: 1000}})
	require.NoError(t, err)
	for _, n := range page.Items {
		if len(n.Labels) == 1 {
			require.Contains(t, n.Properties, h.IDProperty, "in a type that is not managed the property is an ordinary one")
		}
	}
}

func nodeListNew(t *testing.T, h Harness) {
	for i := range 5 {
		typ := graph.TypeName(fmt.Sprintf("Fresh%d", i))
		require.Empty(t, h.walkNodes(t, graph.NodeQuery{Type: typ}, 10))
		made := h.node(t, typ, nil)
		require.Equal(t, []string{made.ID}, h.walkNodes(t, graph.NodeQuery{Type: typ}, 10))
		require.Contains(t, h.walkNodes(t, graph.NodeQuery{}, 10), made.ID)
		element := h.element(t, fmt.Sprintf("CREATE (n:Foreign%d) RETURN elementId(n)", i), nil)
		require.Contains(t, h.walkNodes(t, graph.NodeQuery{}, 10), element)
	}
}

func nodeListEmpty(t *testing.T, h Harness) {
	page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: "Nothing", Paging: graph.Paging{Limit: 10, Count: true}})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.NotNil(t, page.Items, "an empty list is an array")
	require.Nil(t, page.Next)
	require.EqualValues(t, 0, *page.Total)
}

// nodeListUnidentified uses a type that is large enough to be read through its index.
func nodeListUnidentified(t *testing.T, h Harness) {
	h.manageNodes(t, "Big")
	h.Cypher(t, `UNWIND range(1, 1500) AS i CREATE (n:Big)
		SET n[$id] = CASE WHEN i % 50 = 0 THEN null WHEN i % 50 = 1 THEN i WHEN i % 50 = 2 THEN date() + duration({days: i}) ELSE 'b' + i END`,
		map[string]any{"id": h.IDProperty})
	h.Cypher(t, "MATCH (n:Big) WHERE n[$id] STARTS WITH 'b7' SET n:Also", map[string]any{"id": h.IDProperty})
	h.settle(t)
	for _, typ := range []graph.TypeName{"Big", "Also", ""} {
		want := h.wholeNodeList(t, string(typ))
		for _, limit := range []int{97, 1000} {
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ}, limit))
		}
		for _, offset := range []int{0, 100, 1409, 1410, 1411, 1450, 1499, 1500, 1501} {
			page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 3, Offset: int64(offset)}})
			require.NoError(t, err)
			from := min(offset, len(want))
			require.Equal(t, want[from:min(from+3, len(want))], nodeIDs(page.Items), "type %q, offset %d", typ, offset)
		}
	}
	h.Cypher(t, "CREATE (:Big)", nil)
	require.Equal(t, h.wholeNodeList(t, "Big"), h.walkNodes(t, graph.NodeQuery{Type: "Big"}, 500), "one without an id that came a moment ago")
}
