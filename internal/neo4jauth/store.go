// Package neo4jauth stores users, permissions, revoked token ids and service tokens in Neo4j. It has separate connections, so that load
// on the graph cannot delay reads of who is still authorized.
package neo4jauth

import (
	"context"
	"errors"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jaudit"
)

// Store stores users, revoked token ids and service tokens; it is an auth.Store. It has a separate connection pool.
type Store struct {
	driver    neo4j.DriverWithContext
	database  string
	routed    bool
	observers bolt.Observers
	audited   bool
}

var _ auth.Store = (*Store)(nil)

// Config says where the database is.
type Config struct {
	URI, Username, Password string
	Database                string // default neo4j
	Audited                 bool   // record changes of users and logouts
	Statements              []bolt.StatementObserver
}

const (
	poolSize       = 8
	connectTimeout = 2 * time.Second
	acquireTimeout = 5 * time.Second // a slow database takes long to open a connection
	idleCheck      = 10 * time.Second
	txTimeout      = 15 * time.Second // the server ends longer transactions
	changeTimeout  = 5 * time.Second  // of a change, with all its attempts
	retryAfter     = time.Second      // sent to clients
)

// Open creates the store. It does not connect: the database may start later.
func Open(c Config) (*Store, error) {
	driver, err := bolt.NewDriver(c.URI, c.Username, c.Password, func(o *config.Config) {
		o.MaxConnectionPoolSize = poolSize
		o.ConnectionAcquisitionTimeout = acquireTimeout
		o.SocketConnectTimeout = connectTimeout
		o.ConnectionLivenessCheckTimeout = idleCheck
	})
	if err != nil {
		return nil, err
	}
	database := c.Database
	if database == "" {
		database = "neo4j"
	}
	return &Store{driver: driver, database: database, routed: bolt.UsesRouting(c.URI), observers: c.Statements, audited: c.Audited}, nil
}

// Close closes the connections.
func (a *Store) Close(ctx context.Context) error { return a.driver.Close(ctx) }

// session opens a session that the server allows to run the statement. If the driver routes, the session is always one for writing: it goes
// to the leader of a cluster, because waiting for a follower that is behind would let requests fail. The statements of accounts have no
// slots, so what they do there is fixed.
func (a *Store) session(ctx context.Context, access cypher.Access) neo4j.SessionWithContext {
	mode := neo4j.AccessModeWrite
	if access == cypher.Read && !a.routed {
		mode = neo4j.AccessModeRead
	}
	return a.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: a.database, AccessMode: mode})
}

// run sends one idempotent statement in its own transaction, in one round trip, and collects its rows. It sends the statement again if a
// pooled connection turns out to be dead, as all are after a restart.
func (a *Store) run(ctx context.Context, s cypher.Statement, params map[string]any) ([]*neo4j.Record, error) {
	for retries := bolt.AtOnce.Begin(); ; {
		rows, err := a.runOnce(ctx, s, params)
		if err == nil || !bolt.IsConnectionLost(err) || !retries.Again(ctx) {
			return rows, err
		}
	}
}

func (a *Store) runOnce(ctx context.Context, s cypher.Statement, params map[string]any) ([]*neo4j.Record, error) {
	return a.runText(ctx, s.Access, s.Text(nil), params)
}

func (a *Store) runText(
	ctx context.Context, access cypher.Access, text cypher.Text, params map[string]any,
) (rows []*neo4j.Record, err error) {
	session := a.session(ctx, access)
	defer closeSession(ctx, session)
	began := time.Now()
	defer func() { a.observers.Notify(ctx, text, began, err) }()
	result, err := bolt.SendStatement(ctx, session, text, params, neo4j.WithTxTimeout(txTimeout))
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// closeSession releases the connection even after the caller's deadline, but waits for it only briefly.
func closeSession(ctx context.Context, session neo4j.SessionWithContext) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
	defer cancel()
	_ = session.Close(ctx)
}

// change is one transaction that changes users or revocations.
type change struct {
	tx        neo4j.ExplicitTransaction
	observers bolt.Observers
	version   int64 // of this change; every entity that it changes has this version
	retried   bool  // an earlier attempt may have been committed
	audited   bool
}

// run sends one statement and collects its rows.
func (c *change) run(ctx context.Context, s cypher.Statement, params map[string]any) (rows []*neo4j.Record, err error) {
	text, began := s.Text(nil), time.Now()
	defer func() { c.observers.Notify(ctx, text, began, err) }()
	result, err := bolt.SendInTransaction(ctx, c.tx, text, params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// runChange runs work under the lock that serializes changes. A fault, or one of auth's errors, that work returns ends the change; other
// errors are the database's, and the change is retried until its deadline. Cancellation of the caller does not interrupt it: half a logout
// is worse than one without a waiting caller.
func (a *Store) runChange(ctx context.Context, work func(context.Context, *change) error) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	unknown := false
	for retries := bolt.ConcurrentChange.Begin(); ; {
		committing, err := a.tryChange(ctx, work, unknown)
		if err == nil {
			return nil
		}
		if isDecision(err) {
			return err
		}
		unknown = unknown || committing
		if !(committing || neo4j.IsRetryable(err)) || !retries.Again(ctx) {
			return translate(err)
		}
	}
}

// tryChange makes one attempt. committing says that the commit failed, so that its outcome is unknown.
func (a *Store) tryChange(ctx context.Context, work func(context.Context, *change) error, retried bool) (committing bool, err error) {
	session := a.session(ctx, cypher.Write)
	defer closeSession(ctx, session)
	tx, err := session.BeginTransaction(ctx, neo4j.WithTxTimeout(txTimeout))
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
	if c.version, err = bolt.SingleInteger(rows, "version"); err != nil {
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
	deadline := time.Now().Add(changeTimeout)
	if earlier, bounded := ctx.Deadline(); bounded && earlier.Before(deadline) {
		deadline = earlier
	}
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// isDecision reports whether an error is a decision rather than a failure of the database.
func isDecision(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) || errors.Is(err, auth.ErrHashChanged)
}

// translate converts an error of the database to a fault. The error's text is for the log only.
func translate(err error) error {
	switch {
	case err == nil || errors.Is(err, auth.ErrNotPrepared) || isDecision(err):
		return err
	case bolt.IsSlow(err):
		return fault.Wrap(err, fault.DatabaseTimeout, "The database did not answer in time")
	default:
		return fault.Wrap(err, fault.DatabaseUnavailable, "The database cannot be reached at the moment; try again").RetryAfter(retryAfter)
	}
}

// Record writes entries: see audit.Recorder. If the connection is lost at the commit, they may be written twice.
func (a *Store) Record(ctx context.Context, entries []audit.Entry) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	_, err := a.run(ctx, cypher.AuditRecord, neo4jaudit.EntryParameters(entries...))
	return translate(err)
}

// record writes an entry in the transaction of a change of users or revocations.
func (c *change) record(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) error {
	if !c.audited {
		return nil
	}
	_, err := c.run(ctx, cypher.AuditRecord, neo4jaudit.EntryParameters(neo4jaudit.NewEntry(ctx, action, kind, entity, name, fields...)))
	return err
}

var _ audit.Recorder = (*Store)(nil)
