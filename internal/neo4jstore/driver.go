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
	acquireTimeout = 2 * time.Second // of all the waits of a request together
	connectTimeout = 2 * time.Second
	// poolReserve are connections beyond those that requests may use, for probes and for building constraints.
	poolReserve = 8
	idleCheck   = 30 * time.Second
	// deadlineMargin is how much sooner the server ends a statement than the gateway gives up on it: an error from the server
	// leaves the connection usable, giving up closes it.
	deadlineMargin = 250 * time.Millisecond
	// batchShare is the part of the query timeout that a batch of several callers may take before its rows are run alone.
	batchShare = 4
	retryFirst = 20 * time.Millisecond
	retryMost  = 200 * time.Millisecond
)

// client runs statements on the database. It is safe for concurrent use.
type client struct {
	driver   neo4j.DriverWithContext
	database string
	timeout  time.Duration // of one operation, retries included
	routed   bool          // the driver chooses a server of a cluster for each session
	poolSize int
	places   chan struct{} // one in it for each call under way, at most poolSize
	breaker  breaker
	told     observers
	log      *slog.Logger
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
	made := &client{
		driver: driver, database: c.Database, timeout: c.QueryTimeout, told: c.Statements, log: c.Log,
		routed: routes(c.URI), poolSize: c.PoolSize, places: make(chan struct{}, c.PoolSize),
	}
	made.breaker.probe = made.ping
	return made, nil
}

// bounded is a context that keeps a caller's deadline, but not its cancellation: a caller that leaves in the middle of a
// statement would make the driver close the connection (neo4j-go-driver#642). It never lasts longer than the query timeout. What
// graph.WithStop names ends it all the same: the server then rolls back what it has not committed.
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
	forget := context.AfterFunc(stop, cancel)
	return bounded, func() { forget(); cancel() }
}

// stopped says whether a statement was ended on purpose, so that its lost connection says nothing about the database.
func stopped(ctx context.Context) bool {
	stop := graph.StopFrom(ctx)
	return stop != nil && stop.Err() != nil
}

// txTimeout is the server's own limit for a statement that must be over by the context's deadline.
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

// withBatchLimit makes the server end a statement that carries several callers' rows early enough for each to be run alone, should one of
// them wait for a lock or cost much. A statement that ends so is not repeated as it is.
func (c *client) withBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, c.timeout/batchShare)
}

func withoutBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, nil)
}

func hasBatchLimit(ctx context.Context) bool { return ctx.Value(batchLimitKey{}) != nil }

// read runs a statement that changes nothing, in one round trip, and tries again while the failure is a passing one.
func (c *client) read(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var records []*neo4j.Record
	err := c.repeat(ctx, func() (err error) {
		records, err = c.once(ctx, neo4j.AccessModeRead, text, params)
		return err
	})
	return records, err
}

// write runs a statement that changes something, in one round trip and a transaction of its own. It tries again only where
// nothing was done: nothing was sent, or the server itself said so. A connection that was lost afterwards, or a database that broke
// down meanwhile, is an unknownOutcome: the change may have been made.
func (c *client) write(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var records []*neo4j.Record
	err := c.repeat(ctx, func() (err error) {
		records, err = c.once(ctx, neo4j.AccessModeWrite, text, params)
		if err != nil && leftOpen(err) {
			err = unknownOutcome{err}
		}
		return err
	})
	return records, err
}

// readLatest is read that finds what was written last, by anybody. A driver that routes sends a read to any server of a cluster, so the
// read comes after a bookmark of the one that takes the writes. Sending the statement itself there would take write access mode, in
// which the server would not refuse a statement that writes.
func (c *client) readLatest(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	var latest graph.Bookmarks
	if c.routed {
		var err error
		if latest, err = c.latest(ctx); err != nil {
			return nil, err
		}
	}
	return c.read(graph.WithBookmarks(ctx, latest), text, params)
}

// latest are bookmarks of everything that is committed by now, on the server that takes the writes.
func (c *client) latest(ctx context.Context) (graph.Bookmarks, error) {
	var mark graph.BookmarkRecorder
	err := c.repeat(ctx, func() error {
		_, err := c.once(graph.WithBookmarkRecorder(ctx, &mark), neo4j.AccessModeWrite, cypher.Ping.Text(nil), nil)
		return err
	})
	return mark.Latest(), err
}

// sessionOf says what session a context asks for. Writes go to the server that has seen all writes; reads may go to one that is
// behind, unless a bookmark makes it wait.
func (c *client) sessionOf(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionConfig {
	s := neo4j.SessionConfig{DatabaseName: c.database, AccessMode: mode}
	if after := graph.BookmarksFrom(ctx); mode == neo4j.AccessModeRead && len(after) > 0 {
		s.Bookmarks = neo4j.BookmarksFromRawValues(after...)
	}
	return s
}

// once runs a statement one time.
func (c *client) once(ctx context.Context, mode neo4j.AccessMode, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	return with(ctx, c, mode, func(session neo4j.SessionWithContext) (records []*neo4j.Record, err error) {
		began := time.Now()
		defer func() {
			recordTimeout(ctx, text, params, err)
			c.told.tell(ctx, text, began, err)
		}()
		result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
		if err != nil {
			return nil, err
		}
		return result.Collect(ctx)
	})
}

// stream runs a statement that changes nothing and hands its records over as they come, in bounded memory. It has no time limit of
// its own save for the limits given, and is not tried again: the caller's context ends it, and so does an error of each.
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
		return ctx.Err() // the driver tells a caller who has left as a lost connection
	}
	return err
}

// readRecords runs a statement that changes nothing and hands its records over one by one, until there are no more or each returns
// false. It pulls fetchSize records at a time; the rest of a batch that is not wanted is read and dropped, further batches are not
// asked for. After a passing failure it runs the statement again; begin is called before each run.
func (c *client) readRecords(
	ctx context.Context, text cypher.Text, params map[string]any, fetchSize int, begin func(), each func(*neo4j.Record) bool,
) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	session := c.sessionOf(ctx, neo4j.AccessModeRead)
	session.FetchSize = fetchSize
	return c.repeat(ctx, func() error {
		begin()
		_, err := withSession(ctx, c, session, func(session neo4j.SessionWithContext) (_ struct{}, err error) {
			began := time.Now()
			defer func() {
				recordTimeout(ctx, text, params, err)
				c.told.tell(ctx, text, began, err)
			}()
			result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
			if err != nil {
				return struct{}{}, err
			}
			var record *neo4j.Record
			for result.NextRecord(ctx, &record) {
				if !each(record) {
					_, _ = result.Consume(ctx) // what was wanted is there; a connection that breaks now is the pool's to replace
					return struct{}{}, nil
				}
			}
			return struct{}{}, result.Err()
		})
		return err
	})
}

// with gives work a session, once the breaker and the number of connections allow it.
func with[R any](ctx context.Context, c *client, mode neo4j.AccessMode, work func(neo4j.SessionWithContext) (R, error)) (R, error) {
	return withSession(ctx, c, c.sessionOf(ctx, mode), work)
}

// withSession is with for a session of the caller's own configuration.
func withSession[R any](ctx context.Context, c *client, config neo4j.SessionConfig, work func(neo4j.SessionWithContext) (R, error)) (R, error) {
	var none R
	if err := c.breaker.enter(); err != nil {
		return none, err
	}
	if err := c.takePlace(ctx); err != nil {
		return none, err
	}
	session := c.driver.NewSession(ctx, config)
	result, err := work(session)
	if err == nil && config.AccessMode == neo4j.AccessModeWrite {
		graph.BookmarkRecorderFrom(ctx).Set(neo4j.BookmarksToRawValues(session.LastBookmarks()))
	}
	c.closeSession(ctx, session)
	<-c.places
	if lostConnection(err) && !stopped(ctx) {
		late := ctx.Err() != nil // the server looks for statements that are over their time every other second only
		if c.breaker.suspect() != nil {
			return none, awayError{err}
		}
		if late {
			return none, lateError{err}
		}
	}
	return result, err
}

// ping asks the database for nothing much. Connections that died while they were idle fail one after another, each at once: it uses
// them up until there is one that lives or none can be made.
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
		if late || err == nil || toldByServer(err) || notSent(err) {
			break
		}
	}
	if toldByServer(err) {
		return nil // an answer of any kind is one
	}
	return err
}

// transaction runs several statements in one transaction. Work may run more than once. An error of work rolls back.
func (c *client) transaction(ctx context.Context, work func(context.Context, neo4j.ExplicitTransaction) error) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	return c.repeat(ctx, func() error {
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
		_ = tx.Rollback(ctx) // what counts is work's error; a transaction that is not committed is rolled back anyhow
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		if !toldByServer(err) || leftOpen(err) {
			return unknownOutcome{err}
		}
		return err
	}
	return nil
}

// repeat tries again after passing failures until the context's time is up.
func (c *client) repeat(ctx context.Context, try func() error) error {
	wait := retryFirst
	for {
		err := try()
		if err == nil || !mayRepeat(err) || timedOut(err) && hasBatchLimit(ctx) {
			return err
		}
		pause := wait/2 + rand.N(wait)
		wait = min(2*wait, retryMost)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause+deadlineMargin {
			return err
		}
		time.Sleep(pause)
	}
}

// mayRepeat says whether a call that failed so has done nothing and may succeed the next time.
func mayRepeat(err error) bool {
	var unknown unknownOutcome
	var away awayError
	switch {
	case errors.As(err, &unknown), errors.As(err, &away), errors.Is(err, errBroken), errors.Is(err, errBusy), outOfMemory(err), readOnlyDatabase(err):
		return false
	default:
		return lostConnection(err) || unusable(err) || neo4j.IsRetryable(err)
	}
}

// closeSession gives the connection back even when time is up, but does not wait for it long.
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
