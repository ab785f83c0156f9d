package neo4jentity

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

// Update is a change that requires only that the entity exists.
type Update struct {
	At         Reference
	Properties graph.Properties
	By         Author
}

// UpdateRow is the row of an update in its statement.
func (cr *changeRecorder) UpdateRow(u Update) map[string]any {
	row := map[string]any{
		"element": u.At.ElementID, "id": u.At.ownParam(),
		"clear": zeroFloats(u.Properties), "set": bolt.Parameters(u.Properties),
	}
	return cr.WithAuthor(u.By, u.At.ID(), u.Properties, row)
}

// update changes an entity and returns its new state.
func (up *entityUpdater) update(ctx context.Context, k kind, id string, c graph.Change) (*ManagedTypes, *Record, error) {
	if err := up.Types.Names.Reserve(ctx, nil, nil, c.Properties); err != nil {
		return nil, nil, err
	}
	m, err := up.reads.Catalog.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	types, err := up.reads.Types.TypesForWrite(ctx)
	if err != nil {
		return nil, nil, err
	}
	var result *Record
	err = up.reads.withResolvedID(ctx, k, id, neo4jview.NewEditCheck(ctx, k, c.Properties), func(at Reference) (bool, error) {
		if up.DependsOnContent(c) || !rules.ViewOf(ctx).AllowsAll(rules.Edit) {
			result, err = up.judgedUpdate(ctx, m, types, k, at, c)
			return result != nil, err
		}
		var unvalidated bool
		result, unvalidated, err = up.batchedUpdate(ctx, k, Update{at, c.Properties, AuthorFrom(ctx)})
		if unvalidated {
			result, err = up.judgedUpdate(ctx, m, up.reads.Types.CurrentTypes(), k, at, c)
		}
		return result != nil, err
	})
	return m, result, err
}

// batchedUpdate runs an update in a batch, or alone if its entity is known to be large. The result is nil if there is no such entity;
// unvalidated says that nothing was changed, because the declaration must be checked first. It charges the bytes of its result to the
// caller's budget: before the change if the size is known, so that a rejection changes nothing.
func (up *entityUpdater) batchedUpdate(ctx context.Context, k kind, u Update) (result *Record, unvalidated bool, err error) {
	queues, large := up.queues.Of(k), up.reads.Elements.Queues.Of(k).large
	queue, expected := queues.batched, large.size(u.At.ElementID)
	if expected > 0 {
		queue = queues.alone
		if err := graph.TakeBytes(ctx, expected); err != nil {
			return nil, false, err
		}
	}
	a, err := retryIdempotent(func() (RowResult, error) { return submit(ctx, queue, u) })
	if err != nil || a.Tuple == nil || NeedsValidation(a.Tuple) || a.unread {
		_ = graph.TakeBytes(ctx, -expected)
		switch {
		case err != nil || a.Tuple == nil:
			return nil, false, err
		case a.unread:
			result, err = up.readChanged(ctx, k, u, a.mark)
			return result, false, err
		default:
			return nil, true, nil
		}
	}
	size := bolt.SizeOfRow(a.Tuple)
	large.recordSize(u.At.ElementID, size)
	if err := graph.TakeBytes(ctx, size-expected); err != nil {
		return nil, false, changedButUnread(err)
	}
	return ElementOf(k, a.Tuple), false, nil
}

// readChanged reads an entity that a batch changed without keeping its result. It may have been changed again since, or, with a nil result,
// deleted.
func (up *entityUpdater) readChanged(ctx context.Context, k kind, u Update, mark graph.Bookmarks) (*Record, error) {
	m, err := up.reads.Catalog.Get(ctx)
	if err != nil {
		return nil, changedButUnread(err)
	}
	e, err := up.reads.Elements.Queues.Of(k).byElementIDAlone.Do(ctx, byElementID{elementID: u.At.ElementID, after: mark})
	switch {
	case err != nil:
		return nil, changedButUnread(err)
	case e == nil || m.OwnID(k, e.Names, e.Properties[up.config.IDProperty]) != u.At.Own:
		return nil, nil
	}
	if err := graph.TakeBytes(ctx, e.Size); err != nil {
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

// DependsOnContent reports whether a change must read the entity first.
func (up *entityUpdater) DependsOnContent(c graph.Change) bool {
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
	ctx context.Context, m *ManagedTypes, types *declared.Types, k kind, at Reference, c graph.Change,
) (*Record, error) {
	j := Judging{Managed: m, Types: types, Kind: k, Bytes: new(AttemptBytes)}
	r := up.Judged.WriteOne(ctx, j, up.Judged.NewJudgedUpdate(ctx, at, c))
	if r.Err != nil || r.Tuple == nil {
		return nil, r.Err
	}
	e := ElementOf(k, r.Tuple)
	e.endValues = r.endValues
	return e, nil
}

func preconditionFailed() error {
	return fault.New(fault.PreconditionFailed, "The entity was changed since; read it again",
		fault.Detail{Field: "If-Match", Message: graph.PreconditionMessage})
}
