package bolt

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
)

// A probe that runs out of time opens the breaker only if the server has answered nothing else meanwhile.
func TestAServerThatAnswersOtherCallsIsNotAway(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	c, err := Open(Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	began := time.Now()
	require.False(t, c.AnsweredSince(began))
	answers := false
	c.breaker.probe = func(time.Duration) error {
		if answers {
			_, err := c.Read(t.Context(), cypher.Ping.Text(nil), nil)
			require.NoError(t, err)
		}
		return context.DeadlineExceeded
	}
	answers = true
	require.NoError(t, c.breaker.reportLost())
	require.True(t, c.AnsweredSince(began))
	answers = false
	require.ErrorIs(t, c.breaker.reportLost(), errCircuitOpen)
	require.False(t, c.Reachable())
}
