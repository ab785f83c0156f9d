// Package bolt runs Cypher statements on Neo4j through its Bolt driver: sessions, retries, the circuit breaker and the semaphore of
// connections. It converts the driver's values to those of the domain, and its errors to faults. Which statements run is up to the packages
// that use it.
package bolt

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"graphrest/cypher"
)

const (
	acquireTimeout = 2 * time.Second // of all waits of a request together
	connectTimeout = 2 * time.Second
	// poolReserve is the number of connections beyond those of requests, for probes and for building constraints.
	poolReserve = 8
	idleCheck   = 30 * time.Second
)

// Config says where the database is and how to use it. Zero values select the defaults given.
type Config struct {
	URI, Username, Password string
	Database                string              // default neo4j
	QueryTimeout            time.Duration       // of one operation, retries included; default 15 s
	PoolSize                int                 // connections of requests; default 50
	Statements              []StatementObserver // observe statements
	Log                     *slog.Logger        // default: discards
}

func (c *Config) defaults() {
	if c.Database == "" {
		c.Database = "neo4j"
	}
	if c.QueryTimeout == 0 {
		c.QueryTimeout = 15 * time.Second
	}
	if c.PoolSize == 0 {
		c.PoolSize = 50
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// Client runs statements on the database. It is safe for concurrent use.
type Client struct {
	uri       string
	driver    neo4j.DriverWithContext
	database  string
	timeout   time.Duration // of one operation, retries included
	routed    bool          // the driver chooses a server of a cluster for each session
	poolSize  int
	sem       chan struct{} // semaphore with poolSize slots, one for each running call
	breaker   breaker
	answered  atomic.Int64 // when the server last answered a call, in Unix nanoseconds
	distance  distance
	open      sync.RWMutex // held for reading while a session is open: the driver must not be closed then
	closed    bool         // the driver is closed; guarded by open
	observers Observers
	log       *slog.Logger
}

// Open creates a client. It does not connect: the database may start later.
func Open(c Config) (*Client, error) {
	c.defaults()
	driver, err := NewDriver(c.URI, c.Username, c.Password, func(o *config.Config) {
		o.MaxConnectionPoolSize = c.PoolSize + poolReserve
		o.ConnectionAcquisitionTimeout = c.QueryTimeout // the semaphore bounds the waits for a free one: what remains is to open it
		o.SocketConnectTimeout = connectTimeout
		o.ConnectionLivenessCheckTimeout = idleCheck
		o.UserAgent = "graphrest"
	})
	if err != nil {
		return nil, err
	}
	created := &Client{
		uri: c.URI, driver: driver, database: c.Database, timeout: c.QueryTimeout, observers: c.Statements, log: c.Log,
		routed: UsesRouting(c.URI), poolSize: c.PoolSize, sem: make(chan struct{}, c.PoolSize),
	}
	created.breaker.probe, created.breaker.answeredSince = created.ping, created.AnsweredSince
	return created, nil
}

// ping runs a statement that reads no data. Connections that died while idle fail immediately, one after another: it uses them up until one
// works or none can be opened.
func (c *Client) ping(timeout time.Duration) error {
	var err error
	for range c.poolSize + 1 {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		err = c.runWithoutSlot(ctx, neo4j.AccessModeRead, cypher.Ping.Text(nil), neo4j.WithTxTimeout(timeout))
		late := ctx.Err() != nil
		cancel()
		if late || err == nil || IsServerError(err) || IsNotSent(err) {
			break
		}
	}
	if IsServerError(err) {
		return nil // any reply of the server shows that it is reachable
	}
	return err
}

// QueryTimeout is the time limit of one operation, retries included.
func (c *Client) QueryTimeout() time.Duration { return c.timeout }

// Connections returns how many connections are in use by a call, and how many may be.
func (c *Client) Connections() (inUse, limit int) { return len(c.sem), c.poolSize }

// AnsweredSince reports whether the server has answered a call since a moment. A database that answers some calls is slow, not away.
func (c *Client) AnsweredSince(moment time.Time) bool { return c.answered.Load() > moment.UnixNano() }

// Reachable reports whether the database answered the last probe.
func (c *Client) Reachable() bool { return !c.breaker.isOpen() }

// Ready runs a statement that reads no data.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.Read(ctx, cypher.Ping.Text(nil), nil)
	return Translate(err)
}

// Close closes the connections once no session is open and no probe runs. It waits for them until the context ends; after that, the
// connections are closed when the last session has ended.
func (c *Client) Close(ctx context.Context) error {
	closed := make(chan error, 1)
	go func() {
		c.breaker.probes.Wait()
		c.open.Lock()
		defer c.open.Unlock()
		c.closed = true
		closed <- c.driver.Close(ctx)
	}()
	select {
	case err := <-closed:
		if err != nil {
			return fmt.Errorf("close the connections to the database: %w", err)
		}
	case <-ctx.Done():
		c.log.Warn("statements still run, so the connections to the database are not closed yet")
	}
	return nil
}
