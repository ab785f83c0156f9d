package neo4jquery

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/pattern"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
	"graphrest/internal/typedjson"
)

// TestJudgingHasPlaces: the queries that one user has explained leave places and connections for the explanations and saves of others.
func TestJudgingHasPlaces(t *testing.T) {
	db := neo4jstoretest.OpenPrepared(t)
	client, store := neo4jstoretest.Open(t, neo4jstoretest.ClientOf(db), neo4jaudit.Config{}, neo4jstore.Config{})
	e := NewEngine(EngineConfig{
		Client: client, Guard: queryguard.New(queryguard.Config{Client: client}), Concurrency: 1, Timeout: time.Minute,
	})
	m := e.NewMatcher(store.Matches)
	for range judgingPlaces / 2 { // as many as one user may have on large machines
		e.judging.join("ann")
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.threads.Fresh(t.Context(), threadsAge)
	require.NoError(t, err)
	q := query.Question{Text: "RETURN 1 AS one", UserID: "ann"}
	tree, _ := typedjson.ParseTree("", `{"match":[[{"as":"p","type":"Person"}]]}`)
	question, f := pattern.Parse("", tree, nil)
	require.Nil(t, f)
	question.UserID = "ann"
	_, err = e.Explain(left, q)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	require.NotContains(t, fault.As(err).Message, "GRAPHREST_QUERY_CONCURRENCY", "it would not help")
	_, err = e.Judge(left, q)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	_, err = m.ExplainMatch(left, question)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	q.UserID = "bob"
	verdict, err := e.Explain(t.Context(), q)
	require.NoError(t, err)
	require.True(t, verdict.Accepted)
	_, err = e.Judge(t.Context(), q)
	require.NoError(t, err)
	question.UserID = "bob"
	_, err = m.ExplainMatch(t.Context(), question)
	require.NoError(t, err)
}
