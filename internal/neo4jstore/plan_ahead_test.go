package neo4jstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/testmark"
)

// TestStatementsArePlannedAhead: the first requests and the first undo find their statements planned.
func TestStatementsArePlannedAhead(t *testing.T) {
	testmark.EveryRelease(t)
	sent := &sentStatements{}
	open(t, func(c *settings) {
		c.PlanAhead, c.Journal = true, true
		c.client.Statements = []bolt.StatementObserver{sent}
	})
	for _, name := range []string{
		"nodes_by_element", "create_nodes", "delete_edges", "journal_with", "restore_nodes", "restore_edges", "journal_made",
	} {
		require.Eventually(t, func() bool { return sent.has(name) }, time.Minute, 10*time.Millisecond, name)
	}
	require.Empty(t, sent.refused())
}
