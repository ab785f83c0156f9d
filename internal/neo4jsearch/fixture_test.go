package neo4jsearch_test

import (
	"testing"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// open opens the store of a gateway on a clean database.
func open(t *testing.T) (*neo4jstore.Store, *neo4jtest.DB) {
	t.Helper()
	db := neo4jstoretest.OpenPrepared(t)
	_, s := neo4jstoretest.Open(t, neo4jstoretest.ClientOf(db), neo4jaudit.Config{}, neo4jstore.Config{})
	return s, db
}

// indexOn is an index on properties of the nodes of a type.
func indexOn(name string, typ graph.TypeName, properties ...string) graph.NewSearchIndex {
	return graph.NewSearchIndex{Name: name, Kind: graph.NodeKind, Types: []graph.TypeName{typ}, Properties: properties}
}
