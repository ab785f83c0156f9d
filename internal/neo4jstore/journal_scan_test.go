package neo4jstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

// A page of the feed takes few statements even if its user sees nothing of it.
func TestPagesThatShowNothingTakeFewStatements(t *testing.T) {
	sent := &sentStatements{}
	s := openJournal(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	for batch := range 3 {
		operations := make([]graph.Operation, 1000)
		for i := range operations {
			operations[i] = graph.Operation{Op: graph.OpCreateNode, Type: "Person", Properties: graph.Properties{"n": int64(batch*1000 + i)}}
		}
		_, err := s.Batches.Apply(as(t, "create"), operations, graph.BatchOptions{})
		require.NoError(t, err)
	}
	grant := rules.Grant{Kind: graph.NodeKind, Type: "Person", Actions: []rules.Action{rules.Read}, Where: []rules.Condition{
		{Condition: graph.Condition{Property: "n", Operator: graph.Less, Value: int64(0)}},
	}}
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{ID: "1"}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{grant}}}))
	require.Eventually(t, func() bool { // the records get their order in the background
		page, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: journal.FeedStart, Limit: 5000})
		return err == nil && len(page.Records) == 3000
	}, 30*time.Second, 100*time.Millisecond)

	sent.take()
	page, err := s.j.Feed(ctx, journal.FeedQuery{Since: journal.FeedStart, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, page.Records)
	require.True(t, page.AtEnd)
	_, err = s.j.Feed(ctx, journal.FeedQuery{Last: 10, Limit: 10})
	require.NoError(t, err)
	require.Less(t, len(sent.take()), 40)
}
