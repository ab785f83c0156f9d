package neo4jstore

import (
	"context"
	"errors"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// queueSet contains the store's coalescing queues. Reads and the kinds of writes have separate queues, so that none delays another.
type queueSet struct {
	nodes, edges kindQueues
	large        *writeQueue[largeDelete]
}

type kindQueues struct {
	byElementID *coalesce.Group[byElementID, *entityRecord]
	byID        *coalesce.Group[byID, []*entityRecord]
	// Reads with a bookmark wait for the database in separate queues and delay no other reads.
	byElementIDAfter *coalesce.Group[byElementID, *entityRecord]
	byIDAfter        *coalesce.Group[byID, []*entityRecord]
	// Entities that are known to be large are read one by one.
	byElementIDAlone *coalesce.Group[byElementID, *entityRecord]
	byIDAlone        *coalesce.Group[byID, []*entityRecord]
	large            *largeElements
	creates          *writeQueue[create]
	keyed            *writeQueue[create]
	updates          *writeQueue[update]
	updatesAlone     *writeQueue[update] // of entities that are known to be large: each result is a complete entity
	deletes          *writeQueue[remove]
}

const (
	readLanes  = 4
	writeLanes = 4
	// newLaneAfter is a few times the duration of a batch: one lane with all calls is faster than two with half each.
	newLaneAfter = 10 * time.Millisecond
	readBatch    = 128
	writeBatch   = 64
	maxQueue     = 4096
)

func (g *queueSet) of(k kind) *kindQueues {
	if k == edges {
		return &g.edges
	}
	return &g.nodes
}

func (s *Store) newQueues() queueSet {
	return queueSet{nodes: s.newKindQueues(nodes), edges: s.newKindQueues(edges), large: s.newLargeDeletes()}
}

func (s *Store) newKindQueues(k kind) kindQueues {
	name := string(k)
	return kindQueues{
		byElementID: coalesce.New(queueOptions[byElementID](s, name+" reads", readLanes, readBatch, nil), s.readByElementID(k)),
		byID:        coalesce.New(queueOptions[byID](s, name+" look-ups", readLanes, readBatch, nil), s.readByID(k)),
		byElementIDAfter: coalesce.New(queueOptions[byElementID](s, name+" reads after a bookmark", readLanes, readBatch, nil),
			withMergedBookmarks(func(q byElementID) graph.Bookmarks { return q.after }, s.readByElementID(k))),
		byIDAfter: coalesce.New(queueOptions[byID](s, name+" look-ups after a bookmark", readLanes, readBatch, nil),
			withMergedBookmarks(func(q byID) graph.Bookmarks { return q.after }, s.readByID(k))),
		byElementIDAlone: coalesce.New(queueOptions[byElementID](s, "large "+name+" reads", largeLanes, 1, nil),
			withMergedBookmarks(func(q byElementID) graph.Bookmarks { return q.after }, s.readByElementID(k))),
		byIDAlone: coalesce.New(queueOptions[byID](s, "large "+name+" look-ups", largeLanes, 1, nil),
			withMergedBookmarks(func(q byID) graph.Bookmarks { return q.after }, s.readByID(k))),
		large:   new(largeElements),
		creates: newWriteQueue(queueOptions[create](s, name+" creates", writeLanes, writeBatch, nil), s.createBatch(k, false)),
		keyed: newWriteQueue(queueOptions(s, name+" keyed creates", writeLanes, writeBatch,
			func(c create) string { return c.key }), s.createBatch(k, true)),
		updates: newWriteQueue(queueOptions(s, name+" updates", writeLanes, writeBatch,
			func(u update) string { return u.at.elementID }), s.updateBatch(k)),
		updatesAlone: newWriteQueue(queueOptions[update](s, "large "+name+" updates", largeLanes, 1, nil), s.updateBatch(k)),
		deletes: newWriteQueue(queueOptions(s, name+" deletes", writeLanes, writeBatch,
			func(r remove) string { return r.at.elementID }), s.deleteBatch(k)),
	}
}

func queueOptions[Q any](s *Store, name string, lanes, batch int, key func(Q) string) coalesce.Options[Q] {
	return coalesce.Options[Q]{
		Name: name, Lanes: lanes, MaxBatch: batch, MaxQueue: maxQueue, Key: key,
		Linger: newLaneAfter, Distance: s.client.Distance, Timeout: s.client.QueryTimeout(), Context: bolt.WithWaitBudgetsOf,
		Observer: s.config.Observer, Tracer: s.config.Tracer, Off: s.config.Uncoalesced,
	}
}

func (g *queueSet) close() {
	g.large.queue.Close()
	for _, k := range []*kindQueues{&g.nodes, &g.edges} {
		k.byElementID.Close()
		k.byID.Close()
		k.byElementIDAfter.Close()
		k.byIDAfter.Close()
		k.byElementIDAlone.Close()
		k.byIDAlone.Close()
		k.creates.queue.Close()
		k.keyed.queue.Close()
		k.updates.queue.Close()
		k.updatesAlone.queue.Close()
		k.deletes.queue.Close()
	}
}

// getByElementID reads the entity with an element id; nil if there is none.
func (g *kindQueues) getByElementID(ctx context.Context, elementID string, ends endNeeds) (*entityRecord, error) {
	q := byElementID{elementID, ends, graph.BookmarksFrom(ctx)}
	if g.large.has(elementID) {
		return g.byElementIDAlone.Do(ctx, q)
	}
	queue := g.byElementID
	if len(q.after) > 0 {
		queue = g.byElementIDAfter
	}
	e, err := queue.Do(ctx, q)
	if errors.Is(err, errUnread) {
		return g.byElementIDAlone.Do(ctx, q)
	}
	return e, err
}

// getByID reads the entities with an id.
func (g *kindQueues) getByID(ctx context.Context, q byID) ([]*entityRecord, error) {
	queue := g.byID
	if q.after = graph.BookmarksFrom(ctx); len(q.after) > 0 {
		queue = g.byIDAfter
	}
	found, err := queue.Do(ctx, q)
	if errors.Is(err, errUnread) {
		return g.byIDAlone.Do(ctx, q)
	}
	return found, err
}
