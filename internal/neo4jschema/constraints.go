package neo4jschema

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// defaultIDProperty is the id property that is not part of the name of a type's constraint.
const defaultIDProperty = "uuid"

const (
	// buildReserve is the part of a request's time that remains when it stops waiting for a constraint.
	buildReserve = time.Second
	// RetryAfterBuild is the Retry-After of requests while a constraint or an index is being built on a large type.
	RetryAfterBuild = 5 * time.Second
)

// Constraints creates constraints in the background, one at a time for each name however many requests wait for it (single-flight). It is
// safe for concurrent use.
type Constraints struct {
	client     *bolt.Client
	managed    ManagedTypes
	background Background
	idProperty string
	log        *slog.Logger

	mu      sync.Mutex
	running map[string]*constraintBuild
}

type constraintBuild struct {
	done chan struct{}
	err  error
}

// newConstraint is a constraint to be created, and the faults of requests that wait for it.
type newConstraint struct {
	name   string // in the database
	create cypher.Text
	exists func(context.Context) (bool, error)

	duplicates conflict // entities share the values that are to be unique
	indexed    conflict // an index prevents the constraint
	missing    conflict // it was created without an error and does not exist
}

// conflict is a CONFLICT that a client sees.
type conflict struct {
	message string
	details []fault.Detail
}

func (c conflict) wrap(cause error) error {
	return fault.Wrap(cause, fault.Conflict, c.message, c.details...)
}

// EnsureID makes a type managed that is not, and waits for its constraint until shortly before the request's deadline. Building it on a
// large existing type may take longer than a request: then the build continues in the background and the request fails with
// DATABASE_UNAVAILABLE.
func (c *Constraints) EnsureID(ctx context.Context, k graph.Kind, t graph.TypeName) error {
	return c.await(ctx, c.startID(k, t), "The type's id index is still being built; nothing was created")
}

// Manage makes a type managed and waits for the constraint without a time limit. CONFLICT if it cannot be created.
func (c *Constraints) Manage(ctx context.Context, k graph.Kind, name string) error {
	b := c.startID(k, graph.TypeName(name))
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ManagedNames are the managed node types and edge types, read now, in byte order.
func (c *Constraints) ManagedNames(ctx context.Context) (labels, types []string, err error) {
	return c.managed(ctx, 0)
}

// await waits for a constraint until shortly before the request's deadline.
func (c *Constraints) await(ctx context.Context, b *constraintBuild, unfinished string) error {
	bounded, cancel := c.client.WithQueryTimeout(ctx)
	defer cancel()
	deadline, _ := bounded.Deadline()
	timer := time.NewTimer(max(time.Until(deadline)-buildReserve, buildReserve))
	defer timer.Stop()
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fault.New(fault.DatabaseUnavailable, unfinished).RetryAfter(RetryAfterBuild)
	}
}

// start creates a constraint in the background, once for all callers while it is being created.
func (c *Constraints) start(name string, build func(context.Context) error) *constraintBuild {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.running[name]; b != nil {
		return b
	}
	if c.running == nil {
		c.running = map[string]*constraintBuild{}
	}
	b := &constraintBuild{done: make(chan struct{})}
	c.running[name] = b
	c.background(func(ctx context.Context) {
		b.err = build(ctx)
		c.mu.Lock()
		delete(c.running, name)
		c.mu.Unlock()
		close(b.done)
	})
	return b
}

// startID creates the constraint of a type's ids in the background.
func (c *Constraints) startID(k graph.Kind, t graph.TypeName) *constraintBuild {
	return c.start(string(k)+" "+string(t), func(ctx context.Context) error {
		began := time.Now()
		err := c.create(ctx, c.idConstraint(k, t))
		if err == nil {
			c.log.Info("a type is managed from now on", "kind", string(k), "type", string(t), "took", time.Since(began).String())
		}
		return err
	})
}

func (c *Constraints) idConstraint(k graph.Kind, t graph.TypeName) newConstraint {
	name := c.ConstraintName(k, string(t))
	field := func(message string) []fault.Detail { return []fault.Detail{{Field: "type", Message: message}} }
	return newConstraint{
		name: name,
		create: statementsOf[k].manage.Text(cypher.Slots{
			"name": cypher.Quote(name), "type": cypher.Quote(string(t)), "id": cypher.Quote(c.idProperty),
		}),
		exists: func(ctx context.Context) (bool, error) {
			labels, types, err := c.managed(ctx, 0)
			if k == graph.EdgeKind {
				labels = types
			}
			return slices.Contains(labels, string(t)), err
		},
		duplicates: conflict{
			"Several entities of this type have the same id; no entity of it can be created until the ids are unique",
			field("the property " + c.idProperty + " is not unique in this type"),
		},
		indexed: conflict{
			"An index prevents the type's id constraint; no entity of it can be created until the index is dropped",
			field("has an index on the property " + c.idProperty),
		},
		missing: conflict{"The type's id index could not be created", nil},
	}
}

// create creates a constraint without a time limit for the build, and verifies that it exists. What fails because of another change of the
// schema at the same time is tried again, for as long as a query may take.
func (c *Constraints) create(ctx context.Context, n newConstraint) error {
	for retries := bolt.ConcurrentChange.Begin(); ; {
		err := c.client.ChangeSchema(ctx, n.create)
		exists, readErr := n.exists(ctx)
		if readErr == nil && exists {
			return nil
		}
		expired := retries.Lasting() > c.client.QueryTimeout()
		switch {
		case err == nil && readErr != nil:
			return readErr
		case err == nil:
			return n.missing.wrap(nil)
		case bolt.Code(err) == "Neo.DatabaseError.Schema.ConstraintCreationFailed":
			return n.duplicates.wrap(err)
		case bolt.Code(err) == "Neo.ClientError.Schema.IndexAlreadyExists":
			return n.indexed.wrap(err)
		case bolt.IsIndexOfSameName(err) && !expired:
			if retries.Lasting() > bolt.UnfinishedAfter {
				c.dropUnfinished(ctx, n.name)
			}
		case bolt.IsIndexOfSameName(err): // as long as a query may take, and longer on a large type
			return fault.Wrap(err, fault.DatabaseUnavailable, "Another client is building this constraint").RetryAfter(RetryAfterBuild)
		case expired || !bolt.IsConcurrentSchemaChange(err):
			return bolt.Translate(err)
		}
		if !retries.Again(ctx) {
			return bolt.Translate(err)
		}
	}
}

// dropUnfinished drops the index of a constraint whose creation was cut off: see bolt.UnfinishedAfter. The database refuses to drop an
// index that belongs to a constraint.
func (c *Constraints) dropUnfinished(ctx context.Context, name string) {
	rows, err := c.client.ReadLatest(ctx, cypher.UnfinishedConstraints.Text(nil), map[string]any{"names": []string{name}})
	if err != nil {
		return
	}
	readCreators := func() ([]*bolt.Record, error) {
		return c.client.ReadLatest(ctx, cypher.ConstraintCreators.Text(nil), nil)
	}
	if len(bolt.UnfinishedIndexes(rows, readCreators)) > 0 {
		_ = c.client.ChangeSchema(ctx, cypher.DropIndex.Text(cypher.Slots{"name": cypher.Quote(name)}))
	}
}

// ConstraintName is the name of the constraint of a type's ids, with the reserved prefix, in characters that need no quoting. Another id
// property than the default is part of it: a database whose gateway got another id property keeps the constraint on the one before.
func (c *Constraints) ConstraintName(k graph.Kind, t string) string {
	text := t
	if c.idProperty != defaultIDProperty {
		text += "\x00" + c.idProperty
	}
	return graph.ReservedPrefix + "_" + string(k) + "_" + hashName(text)
}

func hashName(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}
