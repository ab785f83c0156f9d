package bolt

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// The connections are closed when the last session has ended: Close waits for that as long as it may.
func TestCloseLeavesStatementsThatRunTheirConnections(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	for name, waits := range map[string]bool{"Close waits": true, "Close has no time left": false} {
		t.Run(name, func(t *testing.T) {
			c, err := Open(Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
			require.NoError(t, err)
			running, end := make(chan struct{}), make(chan struct{})
			statement, closed := make(chan error, 1), make(chan error, 1)
			go func() {
				statement <- c.Stream(context.Background(), cypher.Ping.Text(nil), nil, func(*neo4j.Record) error {
					close(running)
					<-end
					for deadline := time.Now().Add(time.Minute); !c.isClosing() && time.Now().Before(deadline); {
						runtime.Gosched()
					}
					_, err := c.Read(context.Background(), cypher.Ping.Text(nil), nil)
					return err
				})
			}()
			<-running
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			if !waits {
				cancel()
			}
			defer cancel()
			go func() { closed <- c.Close(ctx) }()
			if !waits {
				require.NoError(t, <-closed)
			}
			require.False(t, c.open.TryLock(), "a session is open")
			require.Empty(t, statement)
			close(end)
			require.ErrorIs(t, <-statement, errClosing, "a statement inside of another one's session fails: Close waits for that session")
			if waits {
				require.NoError(t, <-closed)
			}
			require.Eventually(t, func() bool { return c.open.TryLock() }, time.Minute, time.Millisecond)
			require.True(t, c.closed)
			c.open.Unlock()
			_, err = c.Write(t.Context(), cypher.Ping.Text(nil), nil)
			require.ErrorIs(t, err, errClosing, "nothing was sent, so the outcome is known")
		})
	}
}

func (c *Client) isClosing() bool {
	if c.open.TryRLock() {
		c.open.RUnlock()
		return false
	}
	return true
}

// A panic in what runs with a session is answered further up, and leaves neither the session nor its slot behind.
func TestAPanicClosesItsSession(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	c, err := Open(Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	require.Panics(t, func() {
		_ = c.Stream(t.Context(), cypher.Ping.Text(nil), nil, func(*neo4j.Record) error { panic("as a fault of ours would") })
	})
	inUse, _ := c.Connections()
	require.Zero(t, inUse)
	require.True(t, c.open.TryLock(), "no session is open")
	c.open.Unlock()
	require.NoError(t, c.Close(t.Context()))
	_, err = c.Read(t.Context(), cypher.Ping.Text(nil), nil)
	require.ErrorIs(t, err, errClosing)
}

// The log says which statement failed, in a transaction or alone, while what is decided by the error stays the same.
func TestAnErrorNamesItsStatement(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	c, err := Open(Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	text := cypher.PurgeNameBudgets.Text(nil)
	_, alone := c.Read(t.Context(), text, nil) // it writes
	together := c.RunTransaction(t.Context(), func(ctx context.Context, tx *Transaction) error {
		_, err := tx.RunStatement(ctx, cypher.NodeDegrees.Text(nil), nil) // it has no parameters
		return err
	})
	for name, err := range map[string]error{text.Statement(): alone, "node_degrees": together} {
		require.ErrorContains(t, err, name+": ")
		require.ErrorContains(t, Translate(err), name+": ", "the cause of a fault is logged")
		require.NotEmpty(t, Code(err))
		require.False(t, IsRetryable(err))
	}
	require.True(t, IsRetryable(nameStatement(text, &neo4j.ConnectivityError{})))
	require.True(t, isUnusable(nameStatement(text, errors.New("invalid state 3"))))
}
