package neo4jstore

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// constraintBuilds are the constraints being built, one per type however many creates wait for it (single-flight).
type constraintBuilds struct {
	mu      sync.Mutex
	running map[string]*constraintBuild
}

type constraintBuild struct {
	done chan struct{}
	err  error
}

const (
	// buildReserve is the part of a request's time that remains when it stops waiting for a constraint.
	buildReserve = time.Second
	// retryAfterBuild is the Retry-After of requests while a constraint is being built on a large type.
	retryAfterBuild = 5 * time.Second
)

// ensureManaged makes a type managed before its first entity is created. Building the constraint on a large existing type may take longer
// than a request: then the build continues in the background and the request fails with DATABASE_UNAVAILABLE.
func (s *Store) ensureManaged(ctx context.Context, k kind, t graph.TypeName) error {
	m, err := s.catalogue.Get(ctx)
	if err != nil {
		return err
	}
	if m.of(k).has(string(t)) {
		return nil
	}
	return s.awaitBuild(ctx, s.startConstraintBuild(k, t), "The type's id index is still being built; nothing was created")
}

// awaitBuild waits for a constraint until shortly before the request's deadline.
func (s *Store) awaitBuild(ctx context.Context, c *constraintBuild, unfinished string) error {
	bounded, cancel := s.client.Bounded(ctx)
	defer cancel()
	deadline, _ := bounded.Deadline()
	timer := time.NewTimer(max(time.Until(deadline)-buildReserve, buildReserve))
	defer timer.Stop()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fault.New(fault.DatabaseUnavailable, unfinished).RetryAfter(retryAfterBuild)
	}
}

func (s *Store) startConstraintBuild(k kind, t graph.TypeName) *constraintBuild {
	return s.startBuild(string(k)+" "+string(t), func(ctx context.Context) error { return s.createConstraint(ctx, k, t) })
}

// startBuild builds a constraint in the background, once for all callers while the build runs.
func (s *Store) startBuild(name string, build func(context.Context) error) *constraintBuild {
	s.constraintBuilds.mu.Lock()
	defer s.constraintBuilds.mu.Unlock()
	if c := s.constraintBuilds.running[name]; c != nil {
		return c
	}
	if s.constraintBuilds.running == nil {
		s.constraintBuilds.running = map[string]*constraintBuild{}
	}
	c := &constraintBuild{done: make(chan struct{})}
	s.constraintBuilds.running[name] = c
	s.background(func(ctx context.Context) {
		c.err = build(ctx)
		s.constraintBuilds.mu.Lock()
		delete(s.constraintBuilds.running, name)
		s.constraintBuilds.mu.Unlock()
		close(c.done)
	})
	return c
}

// Manage makes a type managed and waits for the constraint without a time limit. CONFLICT if it cannot be created.
func (s *Store) Manage(ctx context.Context, k graph.Kind, name string) error {
	c := s.startConstraintBuild(k, graph.TypeName(name))
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// createConstraint creates the constraint without a time limit and verifies that it exists.
func (s *Store) createConstraint(ctx context.Context, k kind, t graph.TypeName) error {
	statement := cypher.ManageNodeType
	if k == edges {
		statement = cypher.ManageEdgeType
	}
	name := s.ConstraintName(k, string(t))
	text := statement.Text(cypher.Slots{"name": cypher.Quote(name), "type": cypher.Quote(string(t)), "id": s.idName})
	began := time.Now()
	for wait := bolt.MinBackoff; ; wait = min(2*wait, bolt.MaxBackoff) {
		err := s.client.ChangeSchema(ctx, text)
		m, readErr := s.catalogue.Fresh(ctx, 0)
		if readErr == nil && m.of(k).has(string(t)) {
			s.config.Log.Info("a type is managed from now on", "kind", string(k), "type", string(t), "took", time.Since(began).String())
			return nil
		}
		switch {
		case err == nil && readErr != nil:
			return readErr
		case bolt.Code(err) == "Neo.DatabaseError.Schema.ConstraintCreationFailed":
			return fault.Wrap(err, fault.Conflict, "Several entities of this type have the same id; no entity of it can be created until the ids are unique",
				fault.Detail{Field: "type", Message: "the property " + s.config.IDProperty + " is not unique in this type"})
		case bolt.IsIndexOfSameName(err) && time.Since(began) < s.client.QueryTimeout():
			if time.Since(began) > bolt.UnfinishedAfter {
				s.dropUnfinished(ctx, name)
			}
		case bolt.Code(err) == "Neo.ClientError.Schema.IndexAlreadyExists":
			return fault.Wrap(err, fault.Conflict, "An index prevents the type's id constraint; no entity of it can be created until the index is dropped",
				fault.Detail{Field: "type", Message: "has an index on the property " + s.config.IDProperty})
		case err == nil, !bolt.IsConcurrentSchemaChange(err), time.Since(began) > s.client.QueryTimeout():
			if err == nil {
				return fault.New(fault.Conflict, "The type's id index could not be created")
			}
			return bolt.Translate(err)
		}
		time.Sleep(wait)
	}
}

// dropUnfinished drops the index of a constraint whose creation was cut off: see bolt.UnfinishedAfter. The database refuses to drop an
// index that belongs to a constraint.
func (s *Store) dropUnfinished(ctx context.Context, name string) {
	found, err := s.client.ReadLatest(ctx, cypher.UnfinishedConstraints.Text(nil), map[string]any{"names": []string{name}})
	if err == nil && len(found) > 0 {
		_ = s.client.ChangeSchema(ctx, cypher.DropIndex.Text(cypher.Slots{"name": cypher.Quote(name)}))
	}
}

// ConstraintName is the name of a type's constraint, with the reserved prefix, in characters that need no quoting. Another id property than
// the default is part of it: a database whose gateway got another id property keeps the constraint on the one before.
func (s *Store) ConstraintName(k kind, t string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(t))
	if s.config.IDProperty != defaultIDProperty {
		_, _ = h.Write([]byte("\x00" + s.config.IDProperty))
	}
	return graph.ReservedPrefix + "_" + string(k) + "_" + hex.EncodeToString(h.Sum(nil))
}
