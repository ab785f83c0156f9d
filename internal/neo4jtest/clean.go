package neo4jtest

import (
	"testing"

	"graphrest/cypher"
)

// wholeDeleteLimit is how many nodes and edges one transaction of a small heap deletes with ease.
const wholeDeleteLimit = 20_000

// commonTypes are the types that many tests create entities of, without a thought to whether a type is new. Every other name is that of
// a new type in every test.
var commonTypes = []string{
	"Account", "Airport", "Big", "City", "Doc", "Half", "Kind", "Person", "Place", "Port", "Region", "Thing", "Witness",
	"BIG", "FLIGHT", "HALF", "HAS", "KIND", "KNOWS", "LIKES", "OWNS", "REF", "ROAD", "ROUTE", "SHIP",
}

// Clean empties the database: constraints, indexes (other than the token look-up indexes), edges and nodes.
// Open has done it already; a test may call it to start over.
func (db *DB) Clean(t testing.TB) {
	t.Helper()
	db.clean(t, "$^", []string{})
}

// ownNames matches the names of the gateway's own constraints and indexes, sharedNames those of the ones on internal data that the
// cases of storetest share, idNames those of the id constraints that the gateway gives to types.
const (
	ownNames    = "_Graphrest(?!Own$)[A-Z].*|" + sharedNames // a case creates one named Own on a visible label
	sharedNames = "_GraphrestTest[A-Z].*|index_of_internal_label"
	idNames     = "_Graphrest_(node|edge)_[0-9a-f]{16}"
)

// CleanGraph empties the database except for the gateway's own constraints and indexes and the id constraints of common types: each takes
// a second to create again, and Neo4j discards all its query plans whenever a constraint is created or dropped. The keys of declared
// types are dropped, as is what others created.
func (db *DB) CleanGraph(t testing.TB) {
	t.Helper()
	db.clean(t, ownNames, commonTypes)
}

// DropInternalOfCases drops the constraints and indexes on internal data that the cases of storetest share and CleanGraph spares: the
// database lists their labels, which no gateway has made, for as long as they exist.
func (db *DB) DropInternalOfCases(t testing.TB) {
	t.Helper()
	var drops []string
	shared := map[string]any{"shared": sharedNames}
	for _, row := range db.Query(t, "SHOW CONSTRAINTS YIELD name WHERE name =~ $shared", shared) {
		drops = append(drops, "DROP CONSTRAINT "+cypher.Quote(row["name"].(string)).String()+" IF EXISTS")
	}
	for _, row := range db.Query(t, "SHOW INDEXES YIELD name, owningConstraint WHERE owningConstraint IS NULL AND name =~ $shared", shared) {
		drops = append(drops, "DROP INDEX "+cypher.Quote(row["name"].(string)).String()+" IF EXISTS")
	}
	db.execAll(t, drops)
}

// clean spares constraints and indexes whose whole name matches a pattern, and the id constraints of some types.
func (db *DB) clean(t testing.TB, spared string, types []string) {
	t.Helper()
	params := map[string]any{"spared": spared, "ids": idNames, "types": types}
	var drops []string
	for _, row := range db.Query(t, `SHOW CONSTRAINTS YIELD name, labelsOrTypes
		WHERE NOT (name =~ $spared OR name =~ $ids AND all(type IN labelsOrTypes WHERE type IN $types))`, params) {
		drops = append(drops, "DROP CONSTRAINT "+cypher.Quote(row["name"].(string)).String()+" IF EXISTS")
	}
	for _, row := range db.Query(t,
		"SHOW INDEXES YIELD name, type, owningConstraint WHERE type <> 'LOOKUP' AND owningConstraint IS NULL AND NOT name =~ $spared", params) {
		drops = append(drops, "DROP INDEX "+cypher.Quote(row["name"].(string)).String()+" IF EXISTS")
	}
	db.execAll(t, drops)
	// Both counts come from the count store.
	size := db.Query(t, "MATCH (n) WITH count(n) AS nodes OPTIONAL MATCH ()-[r]->() RETURN nodes, count(r) AS edges", nil)[0]
	nodes, edges := size["nodes"].(int64), size["edges"].(int64)
	switch {
	case nodes == 0:
	case nodes+edges <= wholeDeleteLimit:
		db.Exec(t, "MATCH (n) DETACH DELETE n", nil)
	default:
		// Edges first, so that a batch is bounded whatever the degree of a node is.
		db.Exec(t, "MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS", nil)
		db.Exec(t, "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 20000 ROWS", nil)
	}
}
