package neo4jquery

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
)

// TestJudgingHasPlaces: the queries that one user has explained leave places and connections for the explanations and saves of others.
func TestJudgingHasPlaces(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	e := NewEngine(EngineConfig{
		Client: client, Guard: queryguard.New(queryguard.Config{Client: client}), Places: NewPlaces(1), Timeout: time.Minute,
	})
	for range judgingPlaces / 2 {
		release, err := e.judging.take(t.Context(), "ann")
		require.NoError(t, err)
		t.Cleanup(release)
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	q := query.Question{Text: "RETURN 1 AS one", UserID: "ann"}
	_, err = e.Explain(left, q)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	_, err = e.Judge(left, q)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	q.UserID = "bob"
	verdict, err := e.Explain(t.Context(), q)
	require.NoError(t, err)
	require.True(t, verdict.Accepted)
	_, err = e.Judge(t.Context(), q)
	require.NoError(t, err)
}
