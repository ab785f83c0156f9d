package neo4jschema_test

import (
	"testing"

	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// openStore opens the store of a gateway, which uses the schema as clients do.
func openStore(t *testing.T, db *neo4jtest.DB, config neo4jstore.Config) *neo4jstore.Store {
	t.Helper()
	_, s := neo4jstoretest.Open(t, neo4jstoretest.ClientOf(db), neo4jaudit.Config{}, config)
	return s
}
