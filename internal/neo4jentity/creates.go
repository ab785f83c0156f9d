package neo4jentity

import (
	"cmp"
	"context"
	"errors"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
)

// entityCreator creates nodes and edges one by one.
type entityCreator struct {
	*writeCore

	queues kindPair[createQueues]
}

func newEntityCreator(core *writeCore) *entityCreator {
	cr := &entityCreator{writeCore: core}
	cr.queues = kindPair[createQueues]{nodes: cr.newQueues(nodes), edges: cr.newQueues(edges)}
	return cr
}

// close finishes the running creates.
func (cr *entityCreator) close() {
	cr.queues.nodes.close()
	cr.queues.edges.close()
}

// Create is one node or edge to be created. Its id is chosen before anything is sent, so that a retry never creates two.
type Create struct {
	ID             string
	typ            graph.TypeName
	properties     map[string]any // with the id
	Source, Target Reference      // of an edge
	key            string         // idempotency key, empty without one
	fingerprint    string
	By             Author
}

// NewCreate is the create of an entity of a type, with a given id or a new one. An entity without a type has no id.
func NewCreate(idProperty string, t graph.TypeName, id string, p graph.Properties) (Create, error) {
	c := Create{ID: id, typ: t, properties: make(map[string]any, len(p)+1)}
	for name, value := range p {
		if value != nil {
			c.properties[name] = bolt.ToDriver(value)
		}
	}
	if t == "" {
		c.ID = ""
		return c, nil
	}
	if id == "" {
		var err error
		if c.ID, err = graph.NewID(t); err != nil {
			return c, fault.Wrap(err, fault.Internal, "Internal error")
		}
	}
	c.properties[idProperty] = c.ID
	return c, nil
}

// row is the row of a create, but for its author: see WithAuthor.
func (c Create) row(k kind, keyed bool) map[string]any {
	row := map[string]any{"type": string(c.typ), "properties": c.properties}
	if k == edges {
		row["source"], row["source_id"] = c.Source.ElementID, c.Source.ownParam()
		row["target"], row["target_id"] = c.Target.ElementID, c.Target.ownParam()
	}
	if keyed {
		row["id"], row["key"], row["fingerprint"] = c.ID, c.key, c.fingerprint
	}
	return row
}

// CreateAnyRow is the row of the statement createAny. Only a node has labels. To the audit line of a node without an id the statement adds
// the element id.
func (cr *changeRecorder) CreateAnyRow(k kind, c Create, labels []string) map[string]any {
	row := c.row(k, false)
	if k == nodes {
		if labels == nil {
			labels = []string{} // null is not a list of labels
		}
		row = map[string]any{"labels": labels, "properties": c.properties}
	}
	row = cr.WithAuthor(c.By, c.ID, nil, row)
	if c.ID == "" && row["line"] != nil {
		row["line"] = neo4jaudit.Prefix(c.By.Actor)
	}
	return row
}

// prepareCreate does what a create needs before it is sent: it checks the names against the limits, makes the type managed and chooses an
// id.
func (cr *entityCreator) prepareCreate(
	ctx context.Context, k kind, t graph.TypeName, p graph.Properties, key *graph.IdempotencyKey,
) (Create, error) {
	if f := graph.CheckNoID(p, cr.config.IDProperty); f != nil {
		return Create{}, f
	}
	if err := cr.Types.Accept(ctx, EntityToCreate{Kind: k, Names: []string{string(t)}, Properties: p}); err != nil {
		return Create{}, err
	}
	c, err := NewCreate(cr.config.IDProperty, t, "", p)
	if err != nil {
		return Create{}, err
	}
	c.By = AuthorFrom(ctx)
	if key != nil {
		c.key, c.fingerprint = key.Hash(), key.Fingerprint
	}
	return c, nil
}

// createResult is the result of a create: the element id of the entity, or the id that an idempotency key referred to already.
type createResult struct {
	element        string
	replay         string
	source, target bool // of an edge: whether the end was found
	keyConflict    bool
}

// submitCreate puts a create into its queue, which runs createBatch. After a lost connection, and after a violated constraint that an
// earlier attempt of the same call may have caused, it looks its id up: an entity with that id was created by this call.
func (cr *entityCreator) submitCreate(ctx context.Context, k kind, c Create) (createResult, error) {
	queue := cr.queues.Of(k).unkeyed
	if c.key != "" {
		queue = cr.queues.Of(k).keyed
	}
	var lost error
	ctx, cancel := context.WithTimeout(ctx, cr.client.QueryTimeout())
	defer cancel()
	for try := 0; ; try++ {
		a, err := submit(ctx, queue, c)
		switch {
		case err == nil:
			return cr.createOutcome(k, c, a.Tuple), nil
		case bolt.IsOutcomeUnknown(err) && try < 3:
			lost = err
		case lost == nil || !bolt.IsConstraintViolation(err):
			return createResult{}, bolt.Translate(err)
		}
		found, lookErr := cr.reads.FindCreated(ctx, k, []SoughtID{{ID: c.ID, Types: []string{string(c.typ)}}}, bolt.UntilAnswered.Begin())
		switch {
		case lookErr != nil: // also if a constraint is violated: the conflicting entity may be ours
			if known := (*fault.Error)(nil); errors.As(lookErr, &known) {
				lookErr = lost // which is unknown, whatever kept the look-up from telling
			}
			return createResult{}, bolt.Translate(bolt.WithUnknownOutcome(lookErr))
		case found[c.ID] != nil:
			return createResult{element: found[c.ID].ElementID, source: true, target: true}, nil
		case bolt.IsConstraintViolation(err):
			return createResult{}, bolt.Translate(err) // the conflicting value belongs to another entity
		}
	}
}

// FindCreated looks up the ids of creates whose outcome is unknown, until the database answers.
func (ef *entityFinder) FindCreated(
	ctx context.Context, k kind, ids []SoughtID, retries *bolt.Retries,
) (found map[string]*Record, err error) {
	for {
		found, _, err = ef.FindByIDs(ctx, k, ids) // an id that was made a moment ago is not shared
		if !bolt.IsUnanswered(err) && (err == nil || fault.CodeOf(bolt.Translate(err)) != fault.DatabaseUnavailable) {
			return found, err
		}
		if !retries.Again(ctx) {
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
}

func (cr *entityCreator) createOutcome(k kind, c Create, t bolt.Tuple) createResult {
	row := DecodeCreated(k, t)
	m := createResult{element: row.ElementID, source: row.Source, target: row.Target}
	if m.element != "" && graph.HintsAt(c.ID, c.typ) {
		cr.reads.IDCacheOf(k).Put(c.ID, m.element)
	}
	if c.key != "" && m.element == "" {
		m.replay = row.replayID
		m.keyConflict = m.replay != "" && row.replayFingerprint != c.fingerprint
	}
	return m
}

// replayed reports whether an earlier request created the entity. A key that was sent with another request is a fault.
func (m createResult) replayed(c Create) (bool, error) {
	switch {
	case m.element != "" || m.replay == "":
		return false, nil
	case m.keyConflict:
		return false, graph.IdempotencyKeyReused()
	default:
		return m.replay != c.ID, nil
	}
}

// replayGone is the fault of a repeated create whose entity was deleted since.
func replayGone(err error) error {
	if fault.CodeOf(err) == fault.NotFound {
		return fault.New(fault.Conflict, "The entity that was created with this Idempotency-Key has been deleted since")
	}
	return err
}
