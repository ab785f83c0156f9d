package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

const (
	acquireTimeout = 2 * time.Second // of all waits of a request together
	connectTimeout = 2 * time.Second
	// poolReserve is the number of connections beyond those of requests, for probes and for building constraints.
	poolReserve = 8
	idleCheck   = 30 * time.Second
	// deadlineMargin is how much earlier the server ends a statement than the gateway's deadline: an error from the server leaves the
	// connection usable, a deadline closes it.
	deadlineMargin = 250 * time.Millisecond
	// batchShare is the part of the query timeout that a batch of several callers may use before its rows are run separately.
	batchShare = 4
	minBackoff = 20 * time.Millisecond
	maxBackoff = 200 * time.Millisecond
)

// client runs statements on the database. It is safe for concurrent use.
type client struct {
	driver    neo4j.DriverWithContext
	database  string
	timeout   time.Duration // of one operation, retries included
	routed    bool          // the driver chooses a server of a cluster for each session
	poolSize  int
	sem       chan struct{} // semaphore with poolSize slots, one for each running call
	breaker   breaker
	observers observers
	log       *slog.Logger
}

func newClient(c Config) (*client, error) {
	driver, err := newDriver(c.URI, c.Username, c.Password, func(o *config.Config) {
		o.MaxConnectionPoolSize = c.PoolSize + poolReserve
		o.ConnectionAcquisitionTimeout = acquireTimeout
		o.SocketConnectTimeout = connectTimeout
		o.ConnectionLivenessCheckTimeout = idleCheck
		o.UserAgent = "graphrest"
	})
	if err != nil {
		return nil, err
	}
	created := &client{
		driver: driver, database: c.Database, timeout: c.QueryTimeout, observers: c.Statements, log: c.Log,
		routed: usesRouting(c.URI), poolSize: c.PoolSize, sem: make(chan struct{}, c.PoolSize),
	}
	created.breaker.probe = created.ping
	return created, nil
}

// bounded is a context that keeps a caller's deadline, but not its cancellation: cancellation in the middle of a statement would make the
// driver close the connection (neo4j-go-driver#642). It lasts at most the query timeout. The context of graph.WithStop cancels it as well:
// the server then rolls back what is not committed.
func (c *client) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline := time.Now().Add(c.timeout)
	if given, ok := ctx.Deadline(); ok && given.Before(deadline) {
		deadline = given
	}
	bounded, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	stop := graph.StopFrom(ctx)
	if stop == nil {
		return bounded, cancel
	}
	if stop.Err() != nil {
		cancel() // before a statement can begin
	}
	stopWatching := context.AfterFunc(stop, cancel)
	return bounded, func() { stopWatching(); cancel() }
}

// stopped says whether a statement was cancelled by graph.WithStop, so that its lost connection is no sign of an outage.
func stopped(ctx context.Context) bool {
	stop := graph.StopFrom(ctx)
	return stop != nil && stop.Err() != nil
}

// txTimeout is the server's time limit for a statement that must end by the context's deadline.
func txTimeout(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	limit := max(time.Until(deadline)-deadlineMargin, time.Millisecond)
	if shorter, ok := ctx.Value(batchLimitKey{}).(time.Duration); ok {
		limit = min(limit, shorter)
	}
	return limit
}

type batchLimitKey struct{}

// withBatchLimit makes the server end a statement with the rows of several callers early enough to run each row separately, in case one of
// them waits for a lock or is expensive. Such a timeout is not retried.
func (c *client) withBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, c.timeout/batchShare)
}

func withoutBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, nil)
}

func hasBatchLimit(ctx context.Context) bool { return ctx.Value(batchLimitKey{}) != nil }

// read runs a read statement in one round trip and retries transient failures.
func (c *client) read(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var records []*neo4j.Record
	err := c.retry(ctx, func() (err error) {
		records, err = c.runOnce(ctx, neo4j.AccessModeRead, text, params)
		return err
	})
	return records, err
}

// write runs a write statement in one round trip and its own transaction. It retries only if nothing was done: nothing was sent, or the
// server reported the failure. After a connection that was lost later, or a failure of the database meanwhile, the error is an
// unknownOutcome: the change may have been committed.
func (c *client) write(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var records []*neo4j.Record
	err := c.retry(ctx, func() (err error) {
		records, err = c.runOnce(ctx, neo4j.AccessModeWrite, text, params)
		if err != nil && mayHaveCommitted(err) {
			err = unknownOutcome{err}
		}
		return err
	})
	return records, err
}

// readLatest is read that sees the latest writes of all clients. A driver that routes sends a read to any server of a cluster, so the read
// uses a bookmark of the server that takes the writes. Sending the statement itself there would need write access mode, in which the server
// would not reject a statement that writes.
func (c *client) readLatest(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var latest graph.Bookmarks
	if c.routed {
		var err error
		if latest, err = c.latestBookmarks(ctx); err != nil {
			return nil, err
		}
	}
	return c.read(graph.WithBookmarks(ctx, latest), text, params)
}

// latestBookmarks are bookmarks of everything committed by now, from the server that takes the writes.
func (c *client) latestBookmarks(ctx context.Context) (graph.Bookmarks, error) {
	var mark graph.BookmarkRecorder
	err := c.retry(ctx, func() error {
		_, err := c.runOnce(graph.WithBookmarkRecorder(ctx, &mark), neo4j.AccessModeWrite, cypher.Ping.Text(nil), nil)
		return err
	})
	return mark.Latest(), err
}

// sessionConfig is the configuration of a session for a context. Writes go to the server that has all writes; reads may go to one that is
// behind, unless a bookmark makes it wait.
func (c *client) sessionConfig(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionConfig {
	s := neo4j.SessionConfig{DatabaseName: c.database, AccessMode: mode}
	if after := graph.BookmarksFrom(ctx); mode == neo4j.AccessModeRead && len(after) > 0 {
		s.Bookmarks = neo4j.BookmarksFromRawValues(after...)
	}
	return s
}

// runOnce runs a statement once, without retries.
func (c *client) runOnce(ctx context.Context, mode neo4j.AccessMode, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	return with(ctx, c, mode, func(session neo4j.SessionWithContext) (records []*neo4j.Record, err error) {
		began := time.Now()
		defer func() {
			recordTimeout(ctx, text, params, err)
			c.observers.notify(ctx, text, began, err)
		}()
		result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
		if err != nil {
			return nil, err
		}
		return result.Collect(ctx)
	})
}

// stream runs a read statement and passes its records to each as they arrive, in bounded memory. It has no time limit except the given
// limits, and is not retried. Cancellation of the context ends it, and so does an error of each.
func (c *client) stream(ctx context.Context, text cypher.Text, params map[string]any, each func(*neo4j.Record) error, limits ...func(*neo4j.TransactionConfig)) error {
	_, err := with(ctx, c, neo4j.AccessModeRead, func(session neo4j.SessionWithContext) (struct{}, error) {
		result, err := session.Run(ctx, text.String(), params, limits...)
		if err != nil {
			return struct{}{}, err
		}
		var record *neo4j.Record
		for result.NextRecord(ctx, &record) {
			if err := each(record); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, result.Err()
	})
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the driver reports a cancelled caller as a lost connection
	}
	return err
}

// readRecords runs a read statement and passes its records to each one by one, until there are no more or each returns false. It pulls
// fetchSize records at a time; the rest of a batch is read and dropped, and no further batch is pulled. After a transient failure it runs
// the statement again; begin is called before each run.
func (c *client) readRecords(
	ctx context.Context, text cypher.Text, params map[string]any, fetchSize int, begin func(), each func(*neo4j.Record) bool,
) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	session := c.sessionConfig(ctx, neo4j.AccessModeRead)
	session.FetchSize = fetchSize
	return c.retry(ctx, func() error {
		begin()
		_, err := withSession(ctx, c, session, func(session neo4j.SessionWithContext) (_ struct{}, err error) {
			began := time.Now()
			defer func() {
				recordTimeout(ctx, text, params, err)
				c.observers.notify(ctx, text, began, err)
			}()
			result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
			if err != nil {
				return struct{}{}, err
			}
			var record *neo4j.Record
			for result.NextRecord(ctx, &record) {
				if !each(record) {
					_, _ = result.Consume(ctx) // the wanted records are there; the pool replaces a connection that breaks now
					return struct{}{}, nil
				}
			}
			return struct{}{}, result.Err()
		})
		return err
	})
}

// with runs work with a session, once the breaker and the connection semaphore allow it.
func with[R any](ctx context.Context, c *client, mode neo4j.AccessMode, work func(neo4j.SessionWithContext) (R, error)) (R, error) {
	return withSession(ctx, c, c.sessionConfig(ctx, mode), work)
}

// withSession is with for a given session configuration.
func withSession[R any](ctx context.Context, c *client, config neo4j.SessionConfig, work func(neo4j.SessionWithContext) (R, error)) (R, error) {
	var none R
	if err := c.breaker.allow(); err != nil {
		return none, err
	}
	if err := c.acquire(ctx); err != nil {
		return none, err
	}
	session := c.driver.NewSession(ctx, config)
	result, err := work(session)
	if err == nil && config.AccessMode == neo4j.AccessModeWrite {
		graph.BookmarkRecorderFrom(ctx).Set(neo4j.BookmarksToRawValues(session.LastBookmarks()))
	}
	c.closeSession(ctx, session)
	<-c.sem
	if lostConnection(err) && !stopped(ctx) {
		late := ctx.Err() != nil // the server checks for statements over their time limit only every two seconds
		if c.breaker.reportLost() != nil {
			return none, unreachableError{err}
		}
		if late {
			return none, timeoutError{err}
		}
	}
	return result, err
}

// ping runs a statement that reads no data. Connections that died while idle fail immediately, one after another: it uses them up until one
// works or none can be opened.
func (c *client) ping() error {
	var err error
	for range c.poolSize + 1 {
		ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
		session := c.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: c.database, AccessMode: neo4j.AccessModeRead})
		var result neo4j.ResultWithContext
		if result, err = session.Run(ctx, cypher.Ping.Text(nil).String(), nil, neo4j.WithTxTimeout(probeTimeout)); err == nil {
			_, err = result.Consume(ctx)
		}
		c.closeSession(ctx, session)
		late := ctx.Err() != nil
		cancel()
		if late || err == nil || isServerError(err) || isNotSent(err) {
			break
		}
	}
	if isServerError(err) {
		return nil // any reply of the server shows that it is reachable
	}
	return err
}

// transaction runs several statements in one transaction. Work may run more than once. An error of work rolls back.
func (c *client) transaction(ctx context.Context, work func(context.Context, neo4j.ExplicitTransaction) error) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	return c.retry(ctx, func() error {
		_, err := with(ctx, c, neo4j.AccessModeWrite, func(session neo4j.SessionWithContext) (struct{}, error) {
			return struct{}{}, transact(ctx, session, work)
		})
		return err
	})
}

func transact(ctx context.Context, session neo4j.SessionWithContext, work func(context.Context, neo4j.ExplicitTransaction) error) error {
	tx, err := session.BeginTransaction(ctx, neo4j.WithTxTimeout(txTimeout(ctx)))
	if err != nil {
		return err
	}
	if err := work(ctx, tx); err != nil {
		_ = tx.Rollback(ctx) // work's error is what counts; a transaction that is not committed is rolled back anyway
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		if !isServerError(err) || mayHaveCommitted(err) {
			return unknownOutcome{err}
		}
		return err
	}
	return nil
}

// retry retries transient failures until the context's deadline.
func (c *client) retry(ctx context.Context, try func() error) error {
	wait := minBackoff
	for {
		err := try()
		if err == nil || !isRetryable(err) || isTimeout(err) && hasBatchLimit(ctx) {
			return err
		}
		pause := wait/2 + rand.N(wait)
		wait = min(2*wait, maxBackoff)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause+deadlineMargin {
			return err
		}
		time.Sleep(pause)
	}
}

// isRetryable says whether a failed call has done nothing and may succeed the next time.
func isRetryable(err error) bool {
	var unknown unknownOutcome
	var away unreachableError
	switch {
	case errors.As(err, &unknown), errors.As(err, &away), errors.Is(err, errCircuitOpen), errors.Is(err, errPoolExhausted), outOfMemory(err), readOnlyDatabase(err):
		return false
	default:
		return lostConnection(err) || isUnusable(err) || neo4j.IsRetryable(err)
	}
}

// closeSession releases the connection even after the deadline, but waits for it only briefly.
func (c *client) closeSession(ctx context.Context, session neo4j.SessionWithContext) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
	defer cancel()
	if err := session.Close(ctx); err != nil {
		c.log.Debug("a session could not be closed", "error", err.Error())
	}
}

func (c *client) close(ctx context.Context) error {
	if err := c.driver.Close(ctx); err != nil {
		return fmt.Errorf("close the connections to the database: %w", err)
	}
	return nil
}
