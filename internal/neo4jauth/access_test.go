package neo4jauth

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// The server rejects a write in a statement of accounts that is sent as a read.
func TestServerRejectsAccountWritesSentAsReads(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	accounts, err := Open(Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	defer func() { require.NoError(t, accounts.Close(context.Background())) }()
	mislabelled := cypher.AuthRevoke
	mislabelled.Access = cypher.Read
	_, err = accounts.run(t.Context(), mislabelled, map[string]any{"jti": "x", "expires_at": 1, "version": 1})
	require.Equal(t, "Neo.ClientError.Statement.AccessMode", bolt.Code(err))
	require.Zero(t, db.Count(t, "MATCH (n) RETURN count(n)", nil))
}
