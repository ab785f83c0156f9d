package neo4jstore

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// A real server plans every statement, on a database large enough that the planner has a choice: parameters, columns, access and plan must
// match the header.
func TestStatementsPlanAsTheirHeadersSay(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	seedForPlans(t, db)
	costs := newCostCheck(t, db)
	for _, statement := range cypher.All() {
		t.Run(statement.Folder+"/"+statement.Name, func(t *testing.T) {
			slots := planSlots(t, statement)
			text := statement.Text(slots).String()
			require.ElementsMatch(t, statement.Params, paramsOf(text), "parameters")
			columns, summary := explain(t, db, text)
			if !strings.HasPrefix(text, "SHOW ") { // EXPLAIN gives no columns for these
				require.Equal(t, len(statement.Returns), len(columns), "columns")
				require.ElementsMatch(t, statement.Returns, columns, "columns")
			}
			require.Contains(t, accessOf[statement.Access], summary.StatementType(), "access")
			operators := operatorsOf(t, summary.Plan())
			if slices.Contains(statement.Slots, "ends") { // reading the ends must not change how the edges are found
				for _, ends := range endsOfRows(statement, slots["id"]) {
					slots["ends"] = ends
					_, read := explain(t, db, statement.Text(slots).String())
					require.Equal(t, operators, operatorsOf(t, read.Plan()))
				}
			}
			requirePlan(t, statement, operators)
			if slices.Contains(statement.Slots, "listed") {
				for _, listed := range listedFragments(statement) {
					slots["listed"] = listed
					_, other := explain(t, db, statement.Text(slots).String())
					requirePlan(t, statement, operatorsOf(t, other.Plan()))
				}
				slots["listed"] = cypher.True // every node of the seed has an id
			}
			if _, has := slots["view"]; has { // a user's view costs more
				slots["view"] = cypher.True
			}
			if _, has := slots["ends"]; has {
				slots["ends"] = cypher.NoEnds
			}
			costs.check(t, statement, statement.Text(slots).String())
			if slices.Contains(statement.Slots, "left") {
				checkDirections(t, costs, statement, slots)
			}
		})
	}
}

// checkDirections checks a statement with a direction, which planSlots fills for both, for each of them. A KNOWS leaves each Person, and a
// LIKES enters it.
func checkDirections(t *testing.T, costs *costCheck, statement cypher.Statement, slots cypher.Slots) {
	t.Helper()
	for edgeType, direction := range map[string]cypher.Slots{"KNOWS": cypher.EdgesOut(), "LIKES": cypher.EdgesIn()} {
		maps.Copy(slots, direction)
		if _, has := slots["type"]; has {
			slots["type"] = cypher.Quote(edgeType)
		}
		text := statement.Text(slots).String()
		_, summary := explain(t, costs.db, text)
		requirePlan(t, statement, operatorsOf(t, summary.Plan()))
		costs.check(t, statement, text)
	}
}

// requirePlan compares the operators of a plan with the header.
func requirePlan(t *testing.T, statement cypher.Statement, operators []string) {
	t.Helper()
	for _, wanted := range statement.Plan {
		either := strings.Split(wanted, "/") // releases differ
		has := slices.ContainsFunc(either, func(want string) bool { return hasOperator(operators, want) })
		require.True(t, has, "the plan has no %s: %v", wanted, operators)
	}
	for _, unwanted := range statement.NotPlan {
		require.False(t, hasOperator(operators, unwanted), "the plan has %s: %v", unwanted, operators)
	}
}

// listedFragments are the conditions that the slot listed may have.
func listedFragments(s cypher.Statement) []cypher.Fragment {
	id := cypher.Quote("uuid")
	if variableOf(s) == cypher.EdgeVariable {
		return []cypher.Fragment{cypher.True, cypher.Listed{WithoutID: true}.Edges(id)}
	}
	return []cypher.Fragment{cypher.True, cypher.Listed{WithoutID: true}.Nodes(id), cypher.Listed{Under: true, WithoutID: true}.Nodes(id)}
}

// endsOfRows are the forms of the slot ends: those of the rows that answer several callers, or those of a list.
func endsOfRows(s cypher.Statement, id cypher.Fragment) []cypher.Fragment {
	if strings.HasPrefix(s.Name, "edges_by_") || strings.HasPrefix(s.Name, "lock_edge") {
		return []cypher.Fragment{
			cypher.EndNames(id), cypher.EndValues(cypher.EndKeysOfRow), cypher.EndNamesAndValues(id, cypher.EndKeysOfRow),
		}
	}
	return []cypher.Fragment{cypher.EndNames(id), cypher.EndNamesAndValues(id, cypher.EndKeysOfView)}
}

var accessOf = map[cypher.Access][]neo4j.StatementType{
	cypher.Read:   {neo4j.StatementTypeReadOnly},
	cypher.Write:  {neo4j.StatementTypeReadWrite, neo4j.StatementTypeWriteOnly},
	cypher.Schema: {neo4j.StatementTypeSchemaWrite},
}

// seedForPlans creates some 20,000 nodes and as many edges, of managed and other types, and updates the planner's statistics.
func seedForPlans(t *testing.T, db *neo4jtest.DB) {
	t.Helper()
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	defer func() { _ = accounts.Close(context.Background()) }()
	require.NoError(t, accounts.Prepare(context.Background()))
	for _, statement := range []string{
		"CREATE CONSTRAINT person_id IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE",
		"CREATE CONSTRAINT city_id IF NOT EXISTS FOR (n:City) REQUIRE n.uuid IS UNIQUE",
		"CREATE CONSTRAINT knows_id IF NOT EXISTS FOR ()-[r:KNOWS]-() REQUIRE r.uuid IS UNIQUE",
		"CREATE CONSTRAINT likes_id IF NOT EXISTS FOR ()-[r:LIKES]-() REQUIRE r.uuid IS UNIQUE",
		"UNWIND range(1, 8000) AS i CREATE (:Person {uuid: randomUUID(), n: i})",
		"UNWIND range(1, 4000) AS i CREATE (:City {uuid: randomUUID(), n: i, t: 'word ' + i})",
		"UNWIND range(1, 8000) AS i CREATE (:Legacy {n: i})", "UNWIND range(1, 500) AS i CREATE ({n: i})",
		"UNWIND range(1, 300) AS i CREATE (:_GraphrestSeed {n: i})-[:_GraphrestSeeds]->(:_GraphrestSeed {n: -i})",
		"MATCH (a:Person) MATCH (b:City {n: a.n % 4000}) CREATE (a)-[:KNOWS {uuid: randomUUID(), n: a.n, t: 'word'}]->(b), (b)-" +
			"[:LIKES {uuid: randomUUID(), n: a.n}]->(a)",
		"MATCH (a:Legacy) WITH collect(a) AS them UNWIND range(0, size(them) - 2) AS i WITH them[i] AS a, them[i + 1] AS b " +
			"CREATE (a)-[:LINK {n: 1}]->(b)",
		"MATCH (a:Legacy) WHERE a.n < 300 CREATE (a)-[:OWNS {n: 1}]->(a), (a)-[:USES {n: 1}]->(a)",
		"UNWIND range(1, 3000) AS i CREATE (c:_GraphrestChange {_graphrest_id: '17' + (100000 + i) + '-' + i, n: i}) " +
			"SET c._graphrest_entity = 'node ' + (i % 500), c._graphrest_request = 'r' + (i % 700), c._graphrest_position = i " +
			"SET c._graphrest_trash = CASE WHEN i % 5 = 0 THEN c._graphrest_id END " +
			"SET c._graphrest_with = CASE WHEN i % 7 = 0 THEN toString(i % 50) END",
		"CREATE FULLTEXT INDEX seed_nodes FOR (n:City) ON EACH [n.t]", "CREATE FULLTEXT INDEX seed_edges FOR ()-[r:KNOWS]-() ON EACH [r.t]",
		"CALL db.awaitIndexes(60)", "CALL db.prepareForReplanning(60)",
	} {
		db.Exec(t, statement, nil)
	}
}

// planSlots fills a statement's slots with names of the seed. An unknown slot fails the test.
func planSlots(t *testing.T, s cypher.Statement) cypher.Slots {
	t.Helper()
	ofEdges := strings.Contains(s.Name, "edge") || strings.Contains(s.Name, "relationship") ||
		strings.HasPrefix(s.Name, "expand") || strings.HasPrefix(s.Name, "paths") || s.Name == "degree"
	known := map[string]cypher.Fragment{
		"id": cypher.Quote("uuid"), "labels": cypher.QuoteAny([]string{"City", "Legacy", "Person"}),
		"types":    cypher.QuoteAny([]string{"OWNS", "USES"}),
		"internal": cypher.QuoteAny([]string{"_Graphrest", "_GraphrestSeed"}), "internal_types": cypher.QuoteAny([]string{"_GraphrestSeeds"}),
		"type": cypher.Quote("Person"), "label": cypher.Quote("Person"), "of": cypher.OfLabels(cypher.Quote("Person")),
		"name":    cypher.Quote("_Graphrest_planned"),
		"managed": cypher.QuoteAny([]string{"City", "Person"}), "ends": cypher.NoEnds,
	}
	if strings.HasSuffix(s.Name, "_all") {
		known["of"] = cypher.OfLabels(cypher.AnyOrNone)
	}
	known["together"] = cypher.Together("Person", []string{"City", "Legacy"})
	known["kind"] = cypher.RangeIndex
	known["records"] = cypher.CountNodesWith([]string{"_GraphrestSeed"})
	known["counted"] = cypher.Quote("_GraphrestSeed")
	if ofEdges {
		known["records"] = cypher.CountEdgesAt([]string{"_GraphrestSeed"}, "Person")
	}
	known["shortest"], known["steps"], known["arrow"] = cypher.AllShortest, cypher.Steps(cypher.Any, 6), cypher.Undirected
	maps.Copy(known, cypher.EdgesBoth())
	variable := cypher.NodeVariable
	if ofEdges {
		variable = cypher.EdgeVariable
	}
	known["content"] = cypher.AllContent(variable)
	known["properties"] = cypher.Keys(variable, []string{"a", "b"})
	known["where"] = cypher.Where(variable, []cypher.Condition{{Operator: "gt"}})
	known["held"] = cypher.Held(variable, []string{"uuid"})
	known["view"] = viewForPlans(ofEdges)
	known["shown"] = cypher.KeyShown([]cypher.Fragment{known["view"]})
	known["listed"] = cypher.True
	if !ofEdges {
		known["listed"] = cypher.Listed{Under: true}.Nodes(known["id"])
	}
	for slot, name := range cypher.Order(variable, []cypher.SortKey{{}, {Descending: true}}) {
		known[slot] = name
	}
	sorted := []cypher.SortKey{{Property: "n"}, {Property: "uuid", Descending: true}}
	inOrder := strings.HasSuffix(s.Name, "_near")
	if inOrder { // an index serves the first
		slices.Reverse(sorted)
	}
	for slot, name := range cypher.Top(variable, sorted, cypher.FromValue, known["id"]) {
		if slot != "values" || inOrder || strings.HasSuffix(s.Name, "_top") || strings.HasSuffix(s.Name, "_top_all") {
			known[slot] = name
		}
	}
	if !ofEdges {
		known["types"] = known["labels"]
	} else {
		known["type"], known["managed"] = cypher.Quote("KNOWS"), cypher.QuoteAny([]string{"KNOWS", "LIKES"})
	}
	known["edges"], known["limit"] = cypher.AnyEdge, cypher.Limit(true)
	known["each"] = cypher.NodesPerType([]string{"City", "Person"}, known["id"])
	if ofEdges {
		known["each"] = cypher.EdgesPerType([]string{"KNOWS", "LIKES"}, known["id"])
	}
	if strings.HasSuffix(s.Name, "_by_id") {
		known["types"] = known["managed"]
	}
	if s.Name == "list_edges_around" || s.Name == "list_edges_between" { // every parameter that a page after a position may have
		known["where"] = cypher.And([]cypher.Fragment{known["where"], cypher.EdgeAfterID(known["id"]), cypher.EdgeAfter()})
		known["order"] = cypher.EdgeOrder(known["id"], true, true)
	}
	if strings.HasPrefix(s.Name, "aggregate_") {
		measures := []cypher.Aggregated{{Key: cypher.Quote("n")}, {Key: cypher.Quote("uuid")}}
		maps.Copy(known, cypher.Aggregation(variable, &cypher.Aggregated{}, cypher.ByWholeWidth, measures))
		if ofEdges {
			known["types"] = known["managed"]
		}
	}
	if strings.HasPrefix(s.Name, "match_") {
		maps.Copy(known, matchSlots())
	}
	slots := cypher.Slots{}
	for _, slot := range s.Slots {
		name, ok := known[slot]
		require.True(t, ok, "slot %q is unknown to the plan test", slot)
		slots[slot] = name
	}
	return slots
}

// matchSlots are the slots of a question for persons, whom they know, and the edges between.
func matchSlots() cypher.Slots {
	person, knows, known := cypher.NumberedNode(0), cypher.NumberedEdge(0), cypher.NumberedNode(1)
	direction := cypher.EdgesOut()
	slots := cypher.MatchedEntities{Nodes: []cypher.Entity{person, known}, Edges: []cypher.Entity{knows}}.Slots(1, 1, nil)
	slots["rows"] = cypher.MatchRows([]cypher.MatchChain{{
		Nodes: []cypher.MatchNode{{Of: person, Labels: []cypher.Fragment{cypher.Quote("Person")}}, {Of: known}},
		Hops:  []cypher.MatchHop{{Of: knows, Types: cypher.Quote("KNOWS"), Left: direction["left"], Right: direction["right"], Min: 1, Max: 1}},
	}}, nil, []cypher.Entity{person, knows, known}, false)
	slots["page"] = cypher.MatchPage(nil, nil)
	slots["cells"] = cypher.MatchCells([]cypher.Matched{{Of: known, Key: cypher.Quote("n")}})
	return slots
}

// viewForPlans is the predicate of a view with a condition on the entities, and with another one on the ends of edges.
func viewForPlans(ofEdges bool) cypher.Fragment {
	scopes := func(first int) []cypher.Scope {
		condition := cypher.Condition{Operator: "gt", Key: cypher.Quote("n")}
		narrowed := cypher.Scope{Types: []string{"City", "Person"}, Conditions: []cypher.Condition{condition}, First: first}
		return []cypher.Scope{{Types: []string{"City"}}, narrowed}
	}
	if !ofEdges {
		return cypher.InScopes(cypher.NodeEntity, scopes(0))
	}
	return cypher.And([]cypher.Fragment{
		cypher.InScopes(cypher.EdgeEntity, scopes(0)),
		cypher.InScopes(cypher.SourceEntity, scopes(1)), cypher.InScopes(cypher.TargetEntity, scopes(1)),
	})
}

var paramPattern = regexp.MustCompile(`\$([A-Za-z_]\w*)`)

// paramsOf finds the distinct parameters of a statement.
func paramsOf(text string) []string {
	var params []string
	for _, found := range paramPattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(params, found[1]) {
			params = append(params, found[1])
		}
	}
	return params
}

func explain(t *testing.T, db *neo4jtest.DB, text string) ([]string, neo4j.ResultSummary) {
	t.Helper()
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, "EXPLAIN "+text, nil)
	require.NoError(t, err, text)
	columns, err := result.Keys()
	require.NoError(t, err, text)
	summary, err := result.Consume(ctx)
	require.NoError(t, err, text)
	return columns, summary
}

// operatorsOf are the operators of a plan, from its result to its leaves.
func operatorsOf(t *testing.T, plan neo4j.Plan) []string {
	t.Helper()
	require.NotNil(t, plan)
	root, err := bolt.ReadPlan(plan)
	require.NoError(t, err)
	var operators []string
	var add func(bolt.Plan)
	add = func(p bolt.Plan) {
		operators = append(operators, p.Operator)
		for _, child := range p.Children {
			add(child)
		}
	}
	add(root)
	return operators
}

// hasOperator reports whether a plan has an operator, or a variant of it: NodeUniqueIndexSeek(Locking) is a NodeUniqueIndexSeek.
func hasOperator(operators []string, want string) bool {
	return slices.ContainsFunc(operators, func(have string) bool { return have == want || strings.HasPrefix(have, want+"(") })
}
