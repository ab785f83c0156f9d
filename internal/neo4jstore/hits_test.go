package neo4jstore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// pageLimit is the page size with which a bound on db hits is checked.
const pageLimit = 100

// costCheck runs statements under PROFILE on the database of seedForPlans, and compares the db hits with the bounds in their headers.
type costCheck struct {
	db        *neo4jtest.DB
	params    map[string]any            // by name, for every statement
	overrides map[string]map[string]any // by statement, if it needs another value
	entities  map[string]int            // by statement, how many it reads as a whole, if not those of Person or KNOWS
}

// personCount is the number of nodes of Person, and of relationships of KNOWS.
const personCount = 8000

// newCostCheck chooses the parameters: a page of 100 in the middle of the data, entities that exist, nodes of a low degree. The middle is
// that of the database's numbers, which are those of deleted entities in any order: a scan behind an early number reads more.
func newCostCheck(t *testing.T, db *neo4jtest.DB) *costCheck {
	t.Helper()
	column := func(statement string) []any {
		var values []any
		for _, row := range db.Query(t, statement, nil) {
			values = append(values, row["value"])
		}
		require.NotEmpty(t, values, statement)
		return values
	}
	person := column("MATCH (n:Person {n: 3998}) RETURN elementId(n) AS value")[0]
	city := column("MATCH (:Person {n: 3999})-[:KNOWS]->(n) RETURN elementId(n) AS value")[0]
	knower := column("MATCH (n:Person {n: 3999}) RETURN elementId(n) AS value")[0]
	people := column("MATCH (n:Person) WITH n ORDER BY n SKIP 4000 LIMIT 100 RETURN elementId(n) AS value")
	peopleIDs := column("MATCH (n:Person) WITH n ORDER BY n SKIP 4000 LIMIT 100 RETURN n.uuid AS value")
	known := column("MATCH ()-[r:KNOWS]->() WITH r ORDER BY r SKIP 4000 LIMIT 100 RETURN elementId(r) AS value")
	knownIDs := column("MATCH ()-[r:KNOWS]->() WITH r ORDER BY r SKIP 4000 LIMIT 100 RETURN r.uuid AS value")
	connected := column("MATCH (p:Person)-[:KNOWS]->(c:City) WHERE 2000 <= p.n < 2050 UNWIND [p, c] AS n RETURN elementId(n) AS value")
	unlabelled := column("MATCH (n) WHERE size(labels(n)) = 0 RETURN elementId(n) AS value ORDER BY n.n LIMIT 1")[0]
	everyNode := column("MATCH (n) RETURN count(n) AS value")[0].(int64)
	uuids := map[string]any{"k0": "uuid", "v0": ""}
	behind := func(element any) map[string]any {
		return map[string]any{"after": keyset.NumberOrNone(element.(string))}
	}
	scanned := func(types ...string) map[string]any {
		return map[string]any{"ranks": keyset.RanksOf(types), "rank": -1}
	}
	searched := func(index string) map[string]any {
		asked := map[string]any{"index": index, "property": "t", "query": "t:word", "words": 0}
		return map[string]any{"max_hits": pageLimit, "asked": []any{asked}}
	}
	sorted, top, near := map[string]any{"after": nil}, map[string]any{"from": 0}, map[string]any{"from": "f"}
	return &costCheck{
		db: db,
		entities: map[string]int{
			"list_nodes_scan": 20_000, "list_nodes_scan_count": 20_000, "list_edges_scan": 600, "list_edges_scan_count": 600,
			"list_nodes_unlabelled": int(everyNode),
		},
		params: map[string]any{
			"limit": pageLimit, "window": 10 * pageLimit, "skip": 0, "after": "", "number": -1, "rank": "", "phase": keyset.PhaseEnd,
			"first": "Person", "declared": nil, "ranks": nil,
			"managed": []string{"City", "Person"}, "managed_labels": []string{"City", "Person"}, "managed_types": []string{"KNOWS", "LIKES"},
			"where": map[string]any{"k0": "n", "v0": 0}, "sort": []string{"n", "uuid"},
			"node": person, "node_id": nil, "source": knower, "source_id": nil, "target": city, "target_id": nil,
			"from": []any{people}, "node_type": nil, "max_degree": 11, "max_edges": 10000, "entities": true, "verify": true,
			"ends_visible": false, "types_visible": false,
			"elements": []any{people}, "rows_per_part": 8, "ids": []any{peopleIDs}, "view": map[string]any{}, "types": nil,
			"aggregate": map[string]any{"k0": "n", "bin": 100},
			"type":      nil, "only": nil, "max_paths": 101, "element": person, "id": nil,
		},
		overrides: map[string]map[string]any{
			"list_edges_chosen":      {"elements": []any{known}},
			"edges_by_element":       {"elements": []any{known}},
			"edges_by_id":            {"ids": []any{knownIDs}},
			"nodes_by_id_each":       {"ids": []any{[]any{}, withPositions(peopleIDs)}}, // the types that planSlots names, in this order
			"edges_by_id_each":       {"ids": []any{withPositions(knownIDs), []any{}}},
			"edges_among":            {"elements": []any{connected}},
			"list_edges_around":      {"where": uuids},
			"aggregate_edges":        {"where": uuids},
			"aggregate_edges_around": {"where": uuids, "target": nil},
			"list_edges_between":     {"where": uuids},
			"list_edges_indexed":     {"where": uuids},
			"list_edges_first":       {"where": uuids},
			"list_nodes_window":      windowParams(people[0].(string)), "list_nodes_onward": windowParams(people[0].(string)),
			"list_nodes_unlabelled_window": windowParams(unlabelled.(string)), "list_nodes_unlabelled": {"after": -1},
			"list_nodes_behind": behind(people[0]), "list_edges_behind": behind(known[0]),
			"list_nodes_scan": scanned("City", "Legacy", "Person"), "list_edges_scan": scanned("OWNS", "USES"),
			"list_nodes_total": {"type": "Person"},
			"list_nodes_few":   {"max_rows": 2000}, "list_edges_few": {"max_rows": 2000},
			"list_nodes_skip": {"skip": 4000}, "list_edges_skip": {"skip": 4000},
			"list_nodes_sorted": sorted, "list_nodes_sorted_all": sorted,
			"list_edges_sorted": sorted, "list_edges_between_sorted": sorted, "list_edges_both_sorted": sorted,
			"list_edges_in_sorted": {"after": nil, "node": city}, "list_edges_out_sorted": sorted,
			"list_nodes_top": top, "list_nodes_top_all": top,
			"list_edges_top": top, "list_edges_between_top": top, "list_edges_around_top": top,
			"list_nodes_near": near, "list_edges_near": near,
			"list_edges_in_count": {"node": city},
			"search_nodes":        searched("seed_nodes"), "search_edges": searched("seed_edges"),
			"list_edges_window": windowParamsWhere(known[0].(string), uuids), "list_edges_onward": windowParamsWhere(known[0].(string), uuids),
		},
	}
}

// windowParams are the parameters of the window that begins with the number of first, as long as one for a page of a type that has all
// numbers.
func windowParams(first string) map[string]any {
	_, number, _ := keyset.SplitElementID(first)
	return map[string]any{"from": number, "to": number + 5*pageLimit/4}
}

func windowParamsWhere(first string, where map[string]any) map[string]any {
	params := windowParams(first)
	params["where"] = where
	return params
}

// withPositions pairs ids with their indexes, as nodes_by_id_each requires.
func withPositions(ids []any) []any {
	pairs := make([]any, len(ids))
	for i, id := range ids {
		pairs[i] = []any{i, id}
	}
	return pairs
}

// check runs a statement that has a bound. A statement that returns no row proves nothing and fails.
func (c *costCheck) check(t *testing.T, s cypher.Statement, text string) {
	t.Helper()
	if s.Hits == (cypher.Bound{}) {
		return
	}
	params := map[string]any{}
	for _, name := range s.Params {
		value, known := c.params[name]
		if own, differs := c.overrides[s.Name][name]; differs {
			value, known = own, true
		}
		require.True(t, known, "parameter $%s has no value in newCostCheck", name)
		params[name] = value
	}
	hits, found := neo4jtest.Profile(t, c.db, text, params)
	require.Positive(t, found, "the statement finds nothing with the parameters of newCostCheck")
	entities, differs := c.entities[s.Name]
	if !differs {
		entities = personCount
	}
	most := s.Hits.Of(rowsAsked(params), entities)
	t.Logf("%s: %d db hits, at most %d", s.Name, hits, most)
	require.LessOrEqual(t, hits, most, "db hits of %d rows", found)
}

// rowsAsked is the number of rows that a page or a look-up requests.
func rowsAsked(params map[string]any) int {
	if limit, paged := params["limit"].(int); paged {
		return limit
	}
	for _, name := range []string{"ids", "elements", "from"} {
		list, _ := params[name].([]any)
		for _, member := range list {
			if inner, nested := member.([]any); nested && len(inner) > 0 {
				return len(inner)
			}
		}
		if len(list) > 0 {
			return len(list)
		}
	}
	return 1
}

// Where a name is enough to name an end, the statement reads no other value of it, since values may be large. Neo4j counts a hit for each
// key that it reads, and one for each value.
func TestNamesOfEndsReadNoOtherValues(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	hits := func(ends cypher.Fragment, others int) int64 {
		properties := map[string]any{"name": "Ann"}
		for i := range others {
			properties[fmt.Sprintf("a%d", i)] = "text"
		}
		edge := db.Query(t, "CREATE (a)-[r:KNOWS]->(b) SET a = $p, b = $p RETURN elementId(r) AS id", map[string]any{"p": properties})[0]["id"]
		slots := planSlots(t, cypher.EdgesByElement)
		slots["ends"] = ends
		found, rows := neo4jtest.Profile(t, db, cypher.EdgesByElement.Text(slots).String(), map[string]any{
			"elements": []any{[]any{edge}}, "rows_per_part": 8, "end_keys": []any{[]any{[]any{[]string{}, []string{"a0", "b"}}}},
		})
		require.Equal(t, 1, rows)
		return found
	}
	for name, ends := range map[string]cypher.Fragment{
		"names":            cypher.EndNames(cypher.Quote("uuid")),
		"names and values": cypher.EndNamesAndValues(cypher.Quote("uuid"), cypher.EndKeysOfRow),
	} {
		t.Run(name, func(t *testing.T) { require.Less(t, hits(ends, 100)-hits(ends, 0), int64(2*100*3/2)) })
	}
}

// What only refers to entities, or judges them by some properties, reads no others: large entities would cost others their time.
func TestReferencesReadNoOtherValues(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	for _, statement := range []string{
		"CREATE CONSTRAINT p_id IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
		"CREATE CONSTRAINT k_id IF NOT EXISTS FOR ()-[r:KNOWS]-() REQUIRE r.uuid IS UNIQUE",
		"CALL db.awaitIndexes(60)",
	} {
		db.Exec(t, statement, nil)
	}
	id, made := cypher.Quote("uuid"), 0
	for _, c := range []struct {
		statement cypher.Statement
		slots     cypher.Slots
		variable  cypher.Variable
	}{
		{
			cypher.NodesByID, cypher.Slots{"types": cypher.Quote("Person"), "id": id, "view": cypher.True}, cypher.NodeVariable,
		},
		{cypher.NodesByIDEach, cypher.Slots{"each": cypher.NodesPerType([]string{"Person"}, id)}, cypher.NodeVariable},
		{cypher.NodesByElement, cypher.Slots{"view": cypher.True}, cypher.NodeVariable},
		{cypher.EdgesByID, cypher.Slots{"types": cypher.Quote("KNOWS"), "id": id, "ends": cypher.NoEnds}, cypher.EdgeVariable},
		{
			cypher.EdgesByIDEach,
			cypher.Slots{"each": cypher.EdgesPerType([]string{"KNOWS"}, id), "id": id, "ends": cypher.NoEnds},
			cypher.EdgeVariable,
		},
		{cypher.EdgesByElement, cypher.Slots{"id": id, "ends": cypher.NoEnds}, cypher.EdgeVariable},
	} {
		hits := func(content cypher.Fragment, others int) int64 {
			made++
			properties := map[string]any{"uuid": fmt.Sprint(made), "a": 1}
			for i := range others {
				properties[fmt.Sprintf("a%d", i)] = "text"
			}
			ids := db.Query(t, "CREATE (a:Person) SET a = $p CREATE (a)-[r:KNOWS]->(a) SET r = $p "+
				"RETURN elementId(a) AS node, elementId(r) AS edge", map[string]any{"p": properties})[0]
			element := ids["node"]
			if c.variable == cypher.EdgeVariable {
				element = ids["edge"]
			}
			c.slots["content"] = content
			params := map[string]any{"elements": []any{[]any{element}}, "rows_per_part": 8, "ids": []any{[]any{properties["uuid"]}}}
			if strings.HasSuffix(c.statement.Name, "_each") {
				params["ids"] = []any{[]any{[]any{0, properties["uuid"]}}}
			}
			found, rows := neo4jtest.Profile(t, db, c.statement.Text(c.slots).String(), params)
			require.Equal(t, 1, rows, c.statement.Name)
			return found
		}
		some := cypher.SomeContent(c.variable, id, []string{"a"})
		require.Less(t, hits(some, 100)-hits(some, 0), int64(20), c.statement.Name)
		all := cypher.AllContent(c.variable)
		require.Less(t, hits(all, 100)-hits(all, 0), int64(2*100*3/2), "%s: each value is read once", c.statement.Name)
	}
}

// What measures a record reads each of its values once, since values may be large.
func TestMeasuringARecordReadsItsValuesOnce(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	hits := func(position, values int) int64 {
		properties := map[string]any{"_graphrest_position": position}
		for i := range values {
			properties[fmt.Sprintf("_graphrest.a%d", i)] = []string{"text", "téxt"}
		}
		db.Exec(t, "CREATE (c:_GraphrestChange) SET c = $p", map[string]any{"p": properties})
		found, _ := neo4jtest.Profile(t, db, cypher.JournalMeasure.Text(nil).String(), map[string]any{"limit": pageLimit})
		measured := db.Query(t, "MATCH (s:_GraphrestState {name: 'journal'}) RETURN s.measured_position AS position", nil)
		require.EqualValues(t, position, measured[0]["position"])
		return found
	}
	small := hits(1, 0)
	require.Less(t, hits(2, 100)-small, int64(2*100*3/2))
}

// TestTheOrderOfEdgesReadsEachIDOnce: a page of the edges of a node reads, for each edge, its type and its id once.
func TestTheOrderOfEdgesReadsEachIDOnce(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	const edgeCount = 2000
	hub := db.Query(t, "CREATE (h:Hub) WITH h UNWIND range(1, $edges) AS i CREATE (h)-[:KNOWS {uuid: toString(i)}]->(:Person) "+
		"RETURN DISTINCT elementId(h) AS hub", map[string]any{"edges": edgeCount})[0]["hub"]
	for _, types := range []bool{true, false} {
		slots := planSlots(t, cypher.ListEdgesAround)
		slots["where"], slots["order"] = cypher.True, cypher.EdgeOrder(cypher.Quote("uuid"), types, true)
		hits, found := neo4jtest.Profile(t, db, cypher.ListEdgesAround.Text(slots).String(), map[string]any{
			"node": hub, "node_id": nil, "managed_types": []string{"KNOWS"}, "managed_labels": []string{}, "skip": 0, "limit": pageLimit,
		})
		require.Equal(t, pageLimit, found)
		most := int64(2*edgeCount + 20*pageLimit)
		if types {
			most += edgeCount
		}
		require.LessOrEqual(t, hits, most)
	}
}
