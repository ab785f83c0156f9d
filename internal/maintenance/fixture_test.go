package maintenance_test

import (
	"cmp"
	"testing"

	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// openStore opens the maintenance of a database, and the store of a gateway on it. An empty id property is the default.
func openStore(t *testing.T, db *neo4jtest.DB, idProperty string) (*maintenance.Store, *neo4jstore.Store) {
	t.Helper()
	idProperty = cmp.Or(idProperty, "uuid")
	client, s := neo4jstoretest.Open(t, neo4jstoretest.ClientOf(db), neo4jaudit.Config{}, neo4jstore.Config{IDProperty: idProperty})
	return maintenance.New(client, s.Constraints, s.Names, idProperty), s
}
