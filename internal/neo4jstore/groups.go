package neo4jstore

import (
	"context"
	"errors"
	"time"

	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// groupSet holds the store's coalescing groups. Reads and the several kinds of writes wait in queues of their own, so that
// none holds up another.
type groupSet struct {
	nodes, edges kindGroups
	large        *writeGroup[largeDelete]
}

type kindGroups struct {
	byElement *coalesce.Group[byElement, *element]
	byID      *coalesce.Group[byID, []*element]
	// Reads that come after a bookmark wait for the database in queues of their own, and hold nobody else up.
	byElementAfter *coalesce.Group[byElement, *element]
	byIDAfter      *coalesce.Group[byID, []*element]
	// Entities that are known to be large are read one by one.
	byElementAlone *coalesce.Group[byElement, *element]
	byIDAlone      *coalesce.Group[byID, []*element]
	large          *largeElements
	creates        *writeGroup[create]
	keyed          *writeGroup[create]
	updates        *writeGroup[update]
	updatesAlone   *writeGroup[update] // of entities that are known to be large: each is answered as a whole
	deletes        *writeGroup[remove]
}

const (
	readLanes  = 4
	writeLanes = 4
	// lanePatience is a few times what a batch takes: one lane that carries all is faster than two that carry half each.
	lanePatience = 10 * time.Millisecond
	readBatch    = 128
	writeBatch   = 64
	queueBound   = 4096
)

func (g *groupSet) of(k kind) *kindGroups {
	if k == edges {
		return &g.edges
	}
	return &g.nodes
}

func (s *Store) newGroups() groupSet {
	return groupSet{nodes: s.newKindGroups(nodes), edges: s.newKindGroups(edges), large: s.newLargeDeletes()}
}

func (s *Store) newKindGroups(k kind) kindGroups {
	name := string(k)
	return kindGroups{
		byElement: coalesce.New(groupOptions[byElement](s, name+" reads", readLanes, readBatch, nil), s.readByElement(k)),
		byID:      coalesce.New(groupOptions[byID](s, name+" look-ups", readLanes, readBatch, nil), s.readByID(k)),
		byElementAfter: coalesce.New(groupOptions[byElement](s, name+" reads after a bookmark", readLanes, readBatch, nil),
			afterAll(func(q byElement) graph.Bookmarks { return q.after }, s.readByElement(k))),
		byIDAfter: coalesce.New(groupOptions[byID](s, name+" look-ups after a bookmark", readLanes, readBatch, nil),
			afterAll(func(q byID) graph.Bookmarks { return q.after }, s.readByID(k))),
		byElementAlone: coalesce.New(groupOptions[byElement](s, "large "+name+" reads", largeLanes, 1, nil),
			afterAll(func(q byElement) graph.Bookmarks { return q.after }, s.readByElement(k))),
		byIDAlone: coalesce.New(groupOptions[byID](s, "large "+name+" look-ups", largeLanes, 1, nil),
			afterAll(func(q byID) graph.Bookmarks { return q.after }, s.readByID(k))),
		large:   new(largeElements),
		creates: newWriteGroup(groupOptions[create](s, name+" creates", writeLanes, writeBatch, nil), s.createBatch(k, false)),
		keyed: newWriteGroup(groupOptions(s, name+" keyed creates", writeLanes, writeBatch,
			func(c create) string { return c.key }), s.createBatch(k, true)),
		updates: newWriteGroup(groupOptions(s, name+" updates", writeLanes, writeBatch,
			func(u update) string { return u.at.element }), s.updateBatch(k)),
		updatesAlone: newWriteGroup(groupOptions[update](s, "large "+name+" updates", largeLanes, 1, nil), s.updateBatch(k)),
		deletes: newWriteGroup(groupOptions(s, name+" deletes", writeLanes, writeBatch,
			func(r remove) string { return r.at.element }), s.deleteBatch(k)),
	}
}

func groupOptions[Q any](s *Store, name string, lanes, batch int, key func(Q) string) coalesce.Options[Q] {
	return coalesce.Options[Q]{
		Name: name, Lanes: lanes, MaxBatch: batch, MaxQueue: queueBound, Key: key,
		Linger: lanePatience, Timeout: s.config.QueryTimeout, Observer: s.config.Observer, Tracer: patientBatches{s.config.Tracer}, Off: s.config.Uncoalesced,
	}
}

func (g *groupSet) close() {
	g.large.queue.Close()
	for _, k := range []*kindGroups{&g.nodes, &g.edges} {
		k.byElement.Close()
		k.byID.Close()
		k.byElementAfter.Close()
		k.byIDAfter.Close()
		k.byElementAlone.Close()
		k.byIDAlone.Close()
		k.creates.queue.Close()
		k.keyed.queue.Close()
		k.updates.queue.Close()
		k.updatesAlone.queue.Close()
		k.deletes.queue.Close()
	}
}

// lookAt reads what is at an element id; nil where nothing is.
func (g *kindGroups) lookAt(ctx context.Context, at string) (*element, error) {
	q := byElement{at, graph.BookmarksFrom(ctx)}
	if g.large.has(at) {
		return g.byElementAlone.Do(ctx, q)
	}
	group := g.byElement
	if len(q.after) > 0 {
		group = g.byElementAfter
	}
	e, err := group.Do(ctx, q)
	if errors.Is(err, errUnread) {
		return g.byElementAlone.Do(ctx, q)
	}
	return e, err
}

// lookUp reads what holds an id.
func (g *kindGroups) lookUp(ctx context.Context, q byID) ([]*element, error) {
	group := g.byID
	if q.after = graph.BookmarksFrom(ctx); len(q.after) > 0 {
		group = g.byIDAfter
	}
	found, err := group.Do(ctx, q)
	if errors.Is(err, errUnread) {
		return g.byIDAlone.Do(ctx, q)
	}
	return found, err
}

// answers wraps what a batch came to.
func answers(all []answer) []coalesce.Outcome[answer] {
	out := make([]coalesce.Outcome[answer], len(all))
	for i, a := range all {
		out[i] = coalesce.Outcome[answer]{Value: a, Err: a.err}
	}
	return out
}

// writeGroup merges writes that travel in one transaction.
type writeGroup[Q any] struct {
	queue *coalesce.Group[Q, answer]
	run   func(context.Context, []Q) []coalesce.Outcome[answer]
}

func newWriteGroup[Q any](o coalesce.Options[Q], run func(context.Context, []Q) []coalesce.Outcome[answer]) *writeGroup[Q] {
	return &writeGroup[Q]{coalesce.New(o, run), run}
}

// do puts a write into its group and shapes its error. A write whose batch took too long is run alone: the batch did nothing.
func do[Q any](ctx context.Context, g *writeGroup[Q], q Q) (answer, error) {
	a, err := g.queue.Do(ctx, q)
	if errors.Is(err, errRunAlone) {
		out := g.run(ctx, []Q{q})[0]
		a, err = out.Value, out.Err
	}
	if err != nil {
		return answer{}, err
	}
	graph.BookmarkRecorderFrom(ctx).Set(a.mark)
	return a, nil
}
