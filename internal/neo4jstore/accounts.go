package neo4jstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// Accounts stores users and revoked token ids; it is an auth.Store. It has a separate connection pool, so that load on the graph cannot
// delay reads of who is still authorized.
type Accounts struct {
	driver    neo4j.DriverWithContext
	database  string
	routed    bool
	observers observers
	audited   bool
}

var _ auth.Store = (*Accounts)(nil)

// AccountsConfig says where the database is.
type AccountsConfig struct {
	URI, Username, Password string
	Database                string // default neo4j
	Audited                 bool   // record changes of users and logouts
	Statements              []StatementObserver
}

const (
	accountsPool          = 8
	accountsConnect       = 2 * time.Second
	accountsAcquire       = 2 * time.Second
	accountsIdleCheck     = 10 * time.Second
	accountsTxTimeout     = 15 * time.Second // the server ends longer transactions
	accountsChangeTimeout = 5 * time.Second  // of a change, with all its attempts
	accountsAttempts      = 3                // of an idempotent statement
	accountsMinBackoff    = 20 * time.Millisecond
	accountsMaxBackoff    = 200 * time.Millisecond
	accountsRetryAfter    = time.Second // sent to clients
)

// OpenAccounts creates the store. It does not connect: the database may start later.
func OpenAccounts(c AccountsConfig) (*Accounts, error) {
	driver, err := newDriver(c.URI, c.Username, c.Password, func(o *config.Config) {
		o.MaxConnectionPoolSize = accountsPool
		o.ConnectionAcquisitionTimeout = accountsAcquire
		o.SocketConnectTimeout = accountsConnect
		o.ConnectionLivenessCheckTimeout = accountsIdleCheck
	})
	if err != nil {
		return nil, err
	}
	database := c.Database
	if database == "" {
		database = "neo4j"
	}
	return &Accounts{driver: driver, database: database, routed: usesRouting(c.URI), observers: c.Statements, audited: c.Audited}, nil
}

// Close closes the connections.
func (a *Accounts) Close(ctx context.Context) error { return a.driver.Close(ctx) }

// session opens a session that the server allows to run the statement. If the driver routes, the session is always one for writing: it goes
// to the leader of a cluster, because waiting for a follower that is behind would let requests fail. The statements of accounts have no
// slots, so what they do there is fixed.
func (a *Accounts) session(ctx context.Context, access cypher.Access) neo4j.SessionWithContext {
	mode := neo4j.AccessModeWrite
	if access == cypher.Read && !a.routed {
		mode = neo4j.AccessModeRead
	}
	return a.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: a.database, AccessMode: mode})
}

// run sends one idempotent statement in its own transaction, in one round trip, and collects its rows. It sends the statement again if a
// pooled connection turns out to be dead, as all are after a restart.
func (a *Accounts) run(ctx context.Context, s cypher.Statement, params map[string]any) ([]*neo4j.Record, error) {
	for try := 1; ; try++ {
		rows, err := a.runOnce(ctx, s, params)
		if err == nil || try == accountsAttempts || ctx.Err() != nil || !lostConnection(err) {
			return rows, err
		}
	}
}

func (a *Accounts) runOnce(ctx context.Context, s cypher.Statement, params map[string]any) (rows []*neo4j.Record, err error) {
	session := a.session(ctx, s.Access)
	defer closeAccountsSession(ctx, session)
	text, began := s.Text(nil), time.Now()
	defer func() { a.observers.notify(ctx, text, began, err) }()
	result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(accountsTxTimeout))
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// closeAccountsSession releases the connection even after the caller's deadline, but waits for it only briefly.
func closeAccountsSession(ctx context.Context, session neo4j.SessionWithContext) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), accountsConnect)
	defer cancel()
	_ = session.Close(ctx)
}

// change is one transaction that changes users or revocations.
type change struct {
	tx        neo4j.ExplicitTransaction
	observers observers
	version   int64 // of this change; every entity that it changes has this version
	retried   bool  // an earlier attempt may have been committed
	audited   bool
}

// run sends one statement and collects its rows.
func (c *change) run(ctx context.Context, s cypher.Statement, params map[string]any) (rows []*neo4j.Record, err error) {
	text, began := s.Text(nil), time.Now()
	defer func() { c.observers.notify(ctx, text, began, err) }()
	result, err := c.tx.Run(ctx, text.String(), params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// runChange runs work under the lock that serializes changes. A fault, or one of auth's errors, that work returns ends the change; other
// errors are the database's, and the change is retried until its deadline. Cancellation of the caller does not interrupt it: half a logout
// is worse than one without a waiting caller.
func (a *Accounts) runChange(ctx context.Context, work func(context.Context, *change) error) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	unknown := false
	for wait := accountsMinBackoff; ; wait = min(2*wait, accountsMaxBackoff) {
		committing, err := a.tryChange(ctx, work, unknown)
		if err == nil {
			return nil
		}
		if isDecision(err) {
			return err
		}
		unknown = unknown || committing
		if ctx.Err() != nil || !(committing || neo4j.IsRetryable(err)) {
			return accountsFault(err)
		}
		select {
		case <-time.After(wait/2 + rand.N(wait)):
		case <-ctx.Done():
			return accountsFault(err)
		}
	}
}

// tryChange makes one attempt. committing says that the commit failed, so that its outcome is unknown.
func (a *Accounts) tryChange(ctx context.Context, work func(context.Context, *change) error, retried bool) (committing bool, err error) {
	session := a.session(ctx, cypher.Write)
	defer closeAccountsSession(ctx, session)
	tx, err := session.BeginTransaction(ctx, neo4j.WithTxTimeout(accountsTxTimeout))
	if err != nil {
		return false, err
	}
	c := &change{tx: tx, observers: a.observers, retried: retried, audited: a.audited}
	locked, err := c.run(ctx, cypher.AuthLock, nil)
	if err != nil {
		return false, err
	}
	if len(locked) == 0 {
		return false, auth.ErrNotPrepared
	}
	rows, err := c.run(ctx, cypher.AuthNextVersion, nil)
	if err != nil {
		return false, err
	}
	if c.version, err = singleInteger(rows, "version"); err != nil {
		return false, err
	}
	if err := work(ctx, c); err != nil {
		return false, err // closing the session rolls back
	}
	err = tx.Commit(ctx)
	var serverErr *neo4j.Neo4jError
	return err != nil && !errors.As(err, &serverErr), err
}

// detached drops the cancellation of a context and keeps its deadline, or sets an earlier one.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline := time.Now().Add(accountsChangeTimeout)
	if earlier, bounded := ctx.Deadline(); bounded && earlier.Before(deadline) {
		deadline = earlier
	}
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// isDecision says whether an error is a decision rather than a failure of the database.
func isDecision(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) || errors.Is(err, auth.ErrHashChanged)
}

// accountsFault converts an error of the database to a fault. The error's text is for the log only.
func accountsFault(err error) error {
	switch {
	case err == nil || errors.Is(err, auth.ErrNotPrepared) || isDecision(err):
		return err
	default:
		return fault.Wrap(err, fault.DatabaseUnavailable, "The database cannot be reached at the moment; try again").RetryAfter(accountsRetryAfter)
	}
}
