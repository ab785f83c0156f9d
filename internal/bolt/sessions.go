package bolt

import (
	"context"
	"errors"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/internal/graph"
)

// sessionConfig is the configuration of a session for a context. Writes go to the server that has all writes; reads may go to one that is
// behind, unless a bookmark makes it wait.
func (c *Client) sessionConfig(ctx context.Context, mode neo4j.AccessMode) neo4j.SessionConfig {
	s := neo4j.SessionConfig{DatabaseName: c.database, AccessMode: mode}
	if after := graph.BookmarksFrom(ctx); mode == neo4j.AccessModeRead && len(after) > 0 {
		s.Bookmarks = neo4j.BookmarksFromRawValues(after...)
	}
	return s
}

// withSession runs work with a session, once the breaker and the connection semaphore allow it.
func withSession[R any](ctx context.Context, c *Client, mode neo4j.AccessMode, work func(neo4j.SessionWithContext) (R, error)) (R, error) {
	return withConfiguredSession(ctx, c, c.sessionConfig(ctx, mode), work)
}

// withConfiguredSession is withSession for a given session configuration.
func withConfiguredSession[R any](
	ctx context.Context, c *Client, config neo4j.SessionConfig, work func(neo4j.SessionWithContext) (R, error),
) (R, error) {
	var none R
	if err := c.breaker.allow(); err != nil {
		return none, err
	}
	if err := c.acquire(ctx); err != nil {
		return none, err
	}
	result, err := inSession(ctx, c, config, work)
	if IsConnectionLost(err) && !isStopped(ctx) {
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

// inSession runs work with a session and a slot of the semaphore that the caller has acquired; both are released also if work panics.
func inSession[R any](
	ctx context.Context, c *Client, config neo4j.SessionConfig, work func(neo4j.SessionWithContext) (R, error),
) (R, error) {
	var none R
	defer func() { <-c.sem }()
	session, err := c.openSession(ctx, config)
	if err != nil {
		return none, err
	}
	defer c.closeSession(ctx, session)
	result, err := work(session)
	if err == nil || IsServerError(err) {
		c.answered.Store(time.Now().UnixNano())
	}
	if err == nil && config.AccessMode == neo4j.AccessModeWrite {
		graph.BookmarkRecorderFrom(ctx).Set(neo4j.BookmarksToRawValues(session.LastBookmarks()))
	}
	return result, err
}

// errClosing means that the client is being closed or is closed: nothing was sent.
var errClosing = errors.New("the connections to the database are being closed")

// openSession opens a session, which must be closed with closeSession. It does not wait for a client that is being closed: who asks may
// have a session that Close waits for.
func (c *Client) openSession(ctx context.Context, config neo4j.SessionConfig) (neo4j.SessionWithContext, error) {
	if !c.open.TryRLock() {
		return nil, errClosing
	}
	if c.closed { // the driver's own error would not say that nothing was sent
		c.open.RUnlock()
		return nil, errClosing
	}
	return c.driver.NewSession(ctx, config), nil
}

// closeSession releases the connection even after the deadline, but waits for it only briefly.
func (c *Client) closeSession(ctx context.Context, session neo4j.SessionWithContext) {
	defer c.open.RUnlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
	defer cancel()
	if err := session.Close(ctx); err != nil {
		c.log.Debug("a session could not be closed", "error", err.Error())
	}
}
