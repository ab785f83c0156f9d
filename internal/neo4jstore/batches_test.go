package neo4jstore_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// One row of a batch waits for a lock of another transaction: the other rows are answered while it still waits, and it fails with
// DATABASE_TIMEOUT at its own time limit.
func TestOneCostlyRowDelaysNoOther(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = 12 * time.Second })
	ctx := t.Context()
	createNode := func() string {
		n, err := s.CreateNode(ctx, graph.NewNode{Type: "Row"})
		require.NoError(t, err)
		return n.Entity.ID
	}
	for name, write := range map[string]func(id string) error{
		"updates": func(id string) error {
			_, err := s.UpdateNode(ctx, id, graph.Change{Properties: graph.Properties{"x": int64(1)}})
			return err
		},
		"deletes": func(id string) error {
			_, err := s.DeleteNode(ctx, id, graph.Removal{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			slowID := createNode()
			var fastIDs []string
			for range 40 {
				fastIDs = append(fastIDs, createNode())
			}
			tx := begin(context.WithoutCancel(ctx), t, db, "MATCH (n:Row {uuid: $id}) SET n += {}", map[string]any{"id": slowID})
			slowErr := make(chan error, 1)
			var group sync.WaitGroup
			for i, id := range fastIDs {
				if i == len(fastIDs)/2 {
					go func() { slowErr <- write(slowID) }()
				}
				group.Go(func() { require.NoError(t, write(id)) })
			}
			group.Wait()
			select {
			case err := <-slowErr:
				require.Fail(t, "the slow row was answered before the others", "%v", err)
			default:
			}
			require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(<-slowErr))
			require.NoError(t, tx.Rollback(context.WithoutCancel(ctx)))
			require.NoError(t, write(slowID))
		})
	}
}

// Every status code of a statement that the server ended at its time limit is DATABASE_TIMEOUT.
func TestTimeoutsOfTheServer(t *testing.T) {
	testmark.Long(t)
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = 5 * time.Second })
	ctx := t.Context()
	n, err := s.CreateNode(ctx, graph.NewNode{Type: "Timed"})
	require.NoError(t, err)
	id := map[string]any{"id": n.Entity.ID}
	update := graph.Change{Properties: graph.Properties{"x": int64(1)}}
	conditional := update
	conditional.If = graph.Precondition{Revisions: []graph.Revision{n.Entity.Revision()}}

	tx := begin(context.WithoutCancel(ctx), t, db, "MATCH (n:Timed {uuid: $id}) SET n += {}", id)
	_, err = s.UpdateNode(ctx, n.Entity.ID, update)
	require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(err), "waiting for a lock: %v", err)
	_, err = s.UpdateNode(ctx, n.Entity.ID, conditional)
	require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(err), "waiting for a lock in a transaction of several statements: %v", err)

	ended := make(chan error, 1)
	go func() {
		_, err := s.UpdateNode(ctx, n.Entity.ID, update)
		ended <- err
	}()
	var blocked []map[string]any
	for len(blocked) == 0 {
		blocked = db.Query(t, `SHOW TRANSACTIONS YIELD transactionId AS id, currentQuery, status
			WHERE currentQuery STARTS WITH '/* update_nodes */' AND status STARTS WITH 'Blocked' RETURN id`, nil)
	}
	db.Exec(t, "TERMINATE TRANSACTIONS $id", map[string]any{"id": blocked[0]["id"]})
	err = <-ended
	require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(err), "terminated by an operator: %v", err)
	require.NoError(t, tx.Rollback(context.WithoutCancel(ctx)))

	for _, code := range []string{
		"Neo.ClientError.Transaction.TransactionTimedOut", "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
		"Neo.TransientError.Transaction.LockAcquisitionTimeout", "Neo.ClientError.Transaction.LockAcquisitionTimeout",
		"Neo.TransientError.Transaction.LockClientStopped", "Neo.ClientError.Transaction.LockClientStopped",
		"Neo.TransientError.Transaction.Terminated", "Neo.ClientError.Transaction.Terminated", "Neo.ClientError.Procedure.ProcedureTimedOut",
	} {
		require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(bolt.Translate(&neo4j.Neo4jError{Code: code})), code)
	}
}
