package neo4jstore

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// entityUpdater changes the properties of nodes and edges one by one.
type entityUpdater struct {
	*writeCore

	queues kindPair[updateQueues]
}

func newEntityUpdater(core *writeCore) *entityUpdater {
	up := &entityUpdater{writeCore: core}
	up.queues = kindPair[updateQueues]{nodes: up.newQueues(nodes), edges: up.newQueues(edges)}
	return up
}

// close finishes the running updates.
func (up *entityUpdater) close() {
	up.queues.nodes.close()
	up.queues.edges.close()
}

// update is a change that requires only that the entity exists.
type update struct {
	at         reference
	properties graph.Properties
	by         author
}

func (cr *changeRecorder) updateRow(u update) map[string]any {
	row := map[string]any{
		"element": u.at.elementID, "id": u.at.ownParam(),
		"clear": zeroFloats(u.properties), "set": bolt.Parameters(u.properties),
	}
	return cr.withAuthor(u.by, u.at.id(), u.properties, row)
}

// update changes an entity and returns its new state.
func (up *entityUpdater) update(ctx context.Context, k kind, id string, c graph.Change) (*managedTypes, *entityRecord, error) {
	if err := up.types.names.Reserve(ctx, nil, nil, c.Properties); err != nil {
		return nil, nil, err
	}
	m, err := up.reads.catalog.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	types, err := up.reads.types.TypesForWrite(ctx)
	if err != nil {
		return nil, nil, err
	}
	var result *entityRecord
	err = up.reads.withResolvedID(ctx, k, id, neo4jview.NewEditCheck(ctx, k, c.Properties), func(at reference) (bool, error) {
		if up.dependsOnContent(c) || !rules.ViewOf(ctx).AllowsAll(rules.Edit) {
			result, err = up.judgedUpdate(ctx, m, types, k, at, c)
			return result != nil, err
		}
		var unvalidated bool
		result, unvalidated, err = up.batchedUpdate(ctx, k, update{at, c.Properties, authorFrom(ctx)})
		if unvalidated {
			result, err = up.judgedUpdate(ctx, m, up.reads.types.CurrentTypes(), k, at, c)
		}
		return result != nil, err
	})
	return m, result, err
}

// batchedUpdate runs an update in a batch, or alone if its entity is known to be large. The result is nil if there is no such entity;
// unvalidated says that nothing was changed, because the declaration must be checked first. It charges the bytes of its result to the
// caller's budget: before the change if the size is known, so that a rejection changes nothing.
func (up *entityUpdater) batchedUpdate(ctx context.Context, k kind, u update) (result *entityRecord, unvalidated bool, err error) {
	queues, large := up.queues.of(k), up.reads.elements.queues.of(k).large
	queue, expected := queues.batched, large.size(u.at.elementID)
	if expected > 0 {
		queue = queues.alone
		if err := graph.TakeBytes(ctx, expected); err != nil {
			return nil, false, err
		}
	}
	a, err := retryIdempotent(func() (rowResult, error) { return submit(ctx, queue, u) })
	if err != nil || a.tuple == nil || needsValidation(a.tuple) || a.unread {
		_ = graph.TakeBytes(ctx, -expected)
		switch {
		case err != nil || a.tuple == nil:
			return nil, false, err
		case a.unread:
			result, err = up.readChanged(ctx, k, u, a.mark)
			return result, false, err
		default:
			return nil, true, nil
		}
	}
	size := bolt.SizeOfRow(a.tuple)
	large.recordSize(u.at.elementID, size)
	if err := graph.TakeBytes(ctx, size-expected); err != nil {
		return nil, false, changedButUnread(err)
	}
	return elementOf(k, a.tuple), false, nil
}

// readChanged reads an entity that a batch changed without keeping its result. It may have been changed again since, or, with a nil result,
// deleted.
func (up *entityUpdater) readChanged(ctx context.Context, k kind, u update, mark graph.Bookmarks) (*entityRecord, error) {
	m, err := up.reads.catalog.Get(ctx)
	if err != nil {
		return nil, changedButUnread(err)
	}
	e, err := up.reads.elements.queues.of(k).byElementIDAlone.Do(ctx, byElementID{elementID: u.at.elementID, after: mark})
	switch {
	case err != nil:
		return nil, changedButUnread(err)
	case e == nil || m.ownID(k, e.names, e.properties[up.config.IDProperty]) != u.at.own:
		return nil, nil
	}
	if err := graph.TakeBytes(ctx, e.size); err != nil {
		return nil, changedButUnread(err)
	}
	return e, nil
}

func changedButUnread(err error) error {
	return fault.Wrap(err, fault.DatabaseUnavailable,
		"The change was made, but its result could not be read at the moment").RetryAfter(bolt.RetryAfterOutage)
}

// retryIdempotent repeats an idempotent write whose outcome is unknown. If the repetition does not find its entity, or fails, the first
// attempt may have succeeded, and the outcome remains unknown.
func retryIdempotent[R writeResult](write func() (R, error)) (R, error) {
	a, err := write()
	if !bolt.IsOutcomeUnknown(err) {
		return a, err
	}
	retried, secondErr := write()
	if secondErr != nil || !retried.isFound() {
		return a, err
	}
	return retried, nil
}

// dependsOnContent reports whether a change must read the entity first.
func (up *entityUpdater) dependsOnContent(c graph.Change) bool {
	_, id := c.Properties[up.config.IDProperty]
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

// judgedUpdate changes an entity after judging its content under its lock.
func (up *entityUpdater) judgedUpdate(
	ctx context.Context, m *managedTypes, types *declared.Types, k kind, at reference, c graph.Change,
) (*entityRecord, error) {
	j := judging{m: m, types: types, k: k, bytes: new(attemptBytes)}
	r := up.judged.writeOne(ctx, j, up.judged.newJudgedUpdate(ctx, at, c))
	if r.err != nil || r.tuple == nil {
		return nil, r.err
	}
	e := elementOf(k, r.tuple)
	e.endValues = r.endValues
	return e, nil
}

func preconditionFailed() error {
	return fault.New(fault.PreconditionFailed, "The entity was changed since; read it again",
		fault.Detail{Field: "If-Match", Message: graph.PreconditionMessage})
}
