package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/coalesce"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// update is a change that requires only that the entity exists.
type update struct {
	at    reference
	clear map[string]any
	set   map[string]any
	by    audit.Actor
}

// sortedOrder is the order in which a batch's rows run: by element id, so that two batches take locks in the same order. It maps an index
// in that order to an index in the batch.
func sortedOrder[Q any](batch []Q, element func(Q) string) []int {
	order := make([]int, len(batch))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(element(batch[a]), element(batch[b])) })
	return order
}

// runInOrder runs a batch's rows in an order and returns the results in the batch's order.
func (s *Store) runInOrder(ctx context.Context, text cypher.Text, order []int, row func(i int) map[string]any, more map[string]any) []coalesce.Outcome[rowResult] {
	all := make(batchRows, len(order))
	for at, i := range order {
		all[at] = row(i)
	}
	got := s.runBatch(s.client.withBatchLimit(ctx), text, all, more)
	back := make([]rowResult, len(order))
	for at, i := range order {
		back[i] = got[at]
	}
	return toOutcomes(back)
}

func (s *Store) updateBatch(k kind) func(context.Context, []update) []coalesce.Outcome[rowResult] {
	statement := cypher.UpdateNodes
	if k == edges {
		statement = cypher.UpdateEdges
	}
	text := statement.Text(cypher.Slots{"id": s.idName})
	return func(ctx context.Context, batch []update) []coalesce.Outcome[rowResult] {
		order := sortedOrder(batch, func(u update) string { return u.at.elementID })
		params := s.auditParams(audit.Update, k)
		params["checked"] = batched(s.declared.current().CheckedOnChange(domainKind(k)))
		return s.runInOrder(ctx, text, order, func(i int) map[string]any {
			return s.updateRow(batch[i])
		}, params)
	}
}

func (s *Store) updateRow(u update) map[string]any {
	row := map[string]any{"element": u.at.elementID, "id": u.at.ownParam(), "clear": u.clear, "set": u.set}
	if !s.config.Audit.Records(audit.Node) {
		return row
	}
	return s.withActor(u.by, u.at.id(), slices.Sorted(maps.Keys(u.set)), row)
}

// withResolvedID resolves an id and runs a write on the entity. A cached reference that turned out to be stale is dropped and resolved
// again, once, from the database.
func (s *Store) withResolvedID(ctx context.Context, k kind, id string, write func(reference) (found bool, err error)) error {
	for {
		at, known, err := s.resolve(ctx, k, id)
		if err != nil {
			return err
		}
		found, err := write(at)
		switch {
		case err != nil:
			return translate(err)
		case found:
			return nil
		case !known:
			return notFound(k)
		}
		s.idCacheOf(k).drop(id)
	}
}

// update changes an entity and returns its new state.
func (s *Store) update(ctx context.Context, k kind, id string, c graph.Change) (*managedTypes, *element, error) {
	if err := s.names.reserve(ctx, s.config, nil, nil, c.Properties); err != nil {
		return nil, nil, err
	}
	m, err := s.catalogue.get(ctx)
	if err != nil {
		return nil, nil, err
	}
	types, err := s.currentTypes(ctx)
	if err != nil {
		return nil, nil, err
	}
	var result *element
	err = s.withResolvedID(ctx, k, id, func(at reference) (bool, error) {
		if s.dependsOnContent(c) {
			result, err = s.validatedUpdate(ctx, m, types, k, at, c)
			return result != nil, err
		}
		u := update{at: at, clear: zeroFloats(c.Properties), set: parameters(c.Properties), by: audit.ActorFrom(ctx)}
		t, err := s.batchedUpdate(ctx, k, u)
		switch {
		case err != nil || t == nil:
		case t.needsValidation():
			result, err = s.validatedUpdate(ctx, m, s.declared.current().Types, k, at, c)
		default:
			result = t.element(k)
		}
		return result != nil, err
	})
	return m, result, err
}

// batchedUpdate runs an update in a batch, or alone if its entity is known to be large. It charges the bytes of its result to the caller's
// budget: before the change if the size is known, so that a rejection changes nothing.
func (s *Store) batchedUpdate(ctx context.Context, k kind, u update) (tuple, error) {
	groups := s.queues.of(k)
	queue, expected := groups.updates, groups.large.size(u.at.elementID)
	if expected > 0 {
		queue = groups.updatesAlone
		if err := graph.TakeBytes(ctx, expected); err != nil {
			return nil, err
		}
	}
	a, err := retryIdempotent(func() (rowResult, error) { return submit(ctx, queue, u) })
	if err != nil || a.tuple == nil || a.tuple.needsValidation() {
		_ = graph.TakeBytes(ctx, -expected)
		return a.tuple, err
	}
	size := sizeOfRow(a.tuple)
	groups.large.recordSize(u.at.elementID, size)
	if err := graph.TakeBytes(ctx, size-expected); err != nil {
		return nil, fault.Wrap(err, fault.DatabaseUnavailable,
			"The change was made, but there is not enough memory for its result at the moment").RetryAfter(retryAfterOutage)
	}
	return a.tuple, nil
}

// retryIdempotent repeats an idempotent write whose outcome is unknown. If the repetition does not find its entity, or fails, the first
// attempt may have succeeded, and the outcome remains unknown.
func retryIdempotent(write func() (rowResult, error)) (rowResult, error) {
	a, err := write()
	var unknown unknownOutcome
	if !errors.As(err, &unknown) {
		return a, err
	}
	retried, secondErr := write()
	if secondErr != nil || retried.tuple == nil {
		return a, err
	}
	return retried, nil
}

// dependsOnContent says whether a change must read the entity first.
func (s *Store) dependsOnContent(c graph.Change) bool {
	_, id := c.Properties[s.config.IDProperty]
	return c.If.Present() || len(c.Unchanged) > 0 || id
}

// zeroFloats are the properties whose value is, or contains, a zero of type Float. Neo4j treats -0.0 and 0.0 as equal and would keep the
// old one, so such a property is removed first.
func zeroFloats(p graph.Properties) map[string]any {
	found := map[string]any{}
	for key, value := range p {
		if hasZero(value) {
			found[key] = nil
		}
	}
	return found
}

func hasZero(v graph.Value) bool {
	switch v := v.(type) {
	case float64:
		return v == 0
	case graph.Point:
		return v.X == 0 || v.Y == 0 || v.Z == 0
	case []any:
		return slices.ContainsFunc(v, hasZero)
	default:
		return false
	}
}

// withLock runs work on an entity under its write lock, in one transaction. found is false if the entity does not exist or no longer has
// the id.
func (s *Store) withLock(ctx context.Context, m *managedTypes, k kind, at reference, work func(context.Context, neo4j.ExplicitTransaction, *element) error) (found bool, err error) {
	statement, slots := cypher.LockNode, cypher.Slots(nil)
	if k == edges {
		statement, slots = cypher.LockEdge, cypher.Slots{"id": s.idName}
	}
	attempt := func() error {
		return s.client.transaction(ctx, func(ctx context.Context, tx neo4j.ExplicitTransaction) error {
			found = false
			tuples, err := s.runInTransaction(ctx, tx, statement.Text(slots), map[string]any{"element": at.elementID})
			if err != nil || len(tuples) == 0 {
				return err
			}
			e := tuples[0].element(k)
			e.size = sizeOfRow(tuples[0])
			if own := m.ownID(k, e.names, e.properties[s.config.IDProperty]); own != at.own {
				return nil
			}
			found = true
			return work(ctx, tx, e)
		})
	}
	if err = attempt(); isEntityDeleted(err) {
		err = attempt()
	}
	return found, err
}

// runInTransaction runs a statement in a transaction.
func (s *Store) runInTransaction(ctx context.Context, tx neo4j.ExplicitTransaction, text cypher.Text, params map[string]any) (rows []tuple, err error) {
	began := time.Now()
	defer func() { s.client.observers.notify(ctx, text, began, err) }()
	result, err := tx.Run(ctx, text.String(), params)
	if err != nil {
		return nil, err
	}
	records, err := result.Collect(ctx)
	return collectTuples(records), err
}

// needsValidation says whether an update did not change its row, because the declaration must be checked first.
func (t tuple) needsValidation() bool { return t[3] == nil }

// validatedUpdate changes an entity after checking its content under its lock.
func (s *Store) validatedUpdate(ctx context.Context, m *managedTypes, types *declared.Types, k kind, at reference, c graph.Change) (*element, error) {
	statement := cypher.UpdateNodes
	if k == edges {
		statement = cypher.UpdateEdges
	}
	var result *element
	var taken int64
	found, err := s.withLock(ctx, m, k, at, func(ctx context.Context, tx neo4j.ExplicitTransaction, e *element) error {
		_ = graph.TakeBytes(ctx, -taken) // of an earlier attempt
		result, taken = nil, 0
		if err := graph.TakeBytes(ctx, 2*e.size); err != nil { // the old and the new content
			return err
		}
		taken = 2 * e.size
		managed := slices.ContainsFunc(e.names, m.of(k).has)
		current, revision, err := s.readContent(ctx, m, k, e)
		if err != nil {
			return err
		}
		if err := s.checkChange(c, at, managed, current, revision); err != nil {
			return err
		}
		ends := declared.Ends{Source: asTexts(e.source.labels), Target: asTexts(e.target.labels)}
		if err := types.ValidateChange(domainKind(k), e.names, current, applyChange(current, c.Properties), ends); err != nil {
			return err
		}
		params := s.auditParams(audit.Update, k)
		params["checked"] = batched([]string{})
		params["rows"] = batchRows{s.updateRow(update{at, zeroFloats(c.Properties), parameters(c.Properties), audit.ActorFrom(ctx)})}.list()
		tuples, err := s.runInTransaction(ctx, tx, statement.Text(cypher.Slots{"id": s.idName}), params)
		if err != nil || len(tuples) == 0 {
			return err
		}
		result = tuples[0].element(k)
		return nil
	})
	if !found {
		return nil, err // an earlier attempt of the same call may have got further
	}
	return result, err
}

// applyChange returns the properties that an entity has after a change.
func applyChange(current, change graph.Properties) graph.Properties {
	after := maps.Clone(current)
	for key, value := range change {
		if value == nil {
			delete(after, key)
		} else {
			after[key] = value
		}
	}
	return after
}

// checkChange rejects a change that the entity's content does not allow.
func (s *Store) checkChange(c graph.Change, at reference, managed bool, current graph.Properties, revision graph.Revision) error {
	if !c.If.Allows(revision) {
		return preconditionFailed()
	}
	id := s.config.IDProperty
	if value, given := c.Properties[id]; given {
		_, isText := value.(string)
		switch {
		case at.own != "":
			return fault.Invalid("properties."+id, "is the id and cannot be set or removed")
		case managed && isText && !graph.EqualValues(value, current[id]):
			return fault.Invalid("properties."+id, "a string here would become the id; ids are assigned by the service")
		}
	}
	var over []*fault.Error
	for _, key := range c.Unchanged {
		if now, there := current[key]; !there || !graph.EqualValues(now, c.Properties[key]) {
			over = append(over, fault.Invalid("properties."+key, "is larger than allowed for new data"))
		}
	}
	return fault.Merge(over...)
}

func preconditionFailed() error {
	return fault.New(fault.PreconditionFailed, "The entity was changed since; read it again",
		fault.Detail{Field: "If-Match", Message: "names no current version"})
}

// readContent converts an entity's content for a client and computes its revision.
func (s *Store) readContent(ctx context.Context, m *managedTypes, k kind, e *element) (graph.Properties, graph.Revision, error) {
	if k == edges {
		edge, err := s.edge(ctx, m, e)
		return edge.Properties, edge.Revision(), err
	}
	node, err := s.node(ctx, m, e)
	return node.Properties, node.Revision(), err
}
