package bolt

import (
	"context"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// The server rejects any write in a statement that is sent as a read.
func TestServerRejectsWritesOnEveryReadPath(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	creates := cypher.CreateNodes.Text(nil)
	require.Contains(t, creates.String(), "CREATE (")
	params := map[string]any{"rows": BatchRows{{"type": "Smuggled", "properties": map[string]any{}}}, "audit": nil}
	for _, scheme := range []string{"bolt", "neo4j"} {
		uri := scheme + strings.TrimPrefix(db.URI, "bolt")
		c, err := Open(Config{URI: uri, Username: db.Username, Password: db.Password, Database: db.Database})
		require.NoError(t, err)
		for path, run := range map[string]func(context.Context) error{
			"read":       func(ctx context.Context) error { _, err := c.Read(ctx, creates, params); return err },
			"readLatest": func(ctx context.Context) error { _, err := c.ReadLatest(ctx, creates, params); return err },
			"stream": func(ctx context.Context) error {
				return c.Stream(ctx, creates, params, func(*neo4j.Record) error { return nil })
			},
		} {
			require.Equal(t, "Neo.ClientError.Statement.AccessMode", Code(run(t.Context())), "%s over %s", path, scheme)
		}
		require.NoError(t, c.Close(context.Background()))
	}
	require.Zero(t, db.Count(t, "MATCH (n) RETURN count(n)", nil))
}

// A replica that reads the types right after another has created one finds it, on any server of a cluster: the read uses a bookmark that
// the writer returned after that.
func TestReadLatestSeesTheWritesOfOtherDrivers(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	c, err := Open(Config{
		URI: "neo4j" + strings.TrimPrefix(db.URI, "bolt"), Username: db.Username, Password: db.Password,
		Database: db.Database,
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close(context.Background())) }()
	session := db.Driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: db.Database})
	defer func() { require.NoError(t, session.Close(context.Background())) }()
	_, err = session.Run(t.Context(), "CREATE (:Written)", nil)
	require.NoError(t, err)
	result, err := session.Run(t.Context(), "RETURN 1", nil)
	require.NoError(t, err)
	_, err = result.Consume(t.Context())
	require.NoError(t, err)

	latest, err := c.latestBookmarks(t.Context())
	require.NoError(t, err)
	require.Equal(t, neo4j.BookmarksToRawValues(session.LastBookmarks()), []string(latest), "a bookmark of the write of another driver")
}
