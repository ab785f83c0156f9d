package neo4jentity

import (
	"context"
	"errors"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// Reads and the kinds of writes have separate queues, so that none delays another.
const (
	readLanes  = 4
	writeLanes = 4
	// newLaneAfter is a few times the duration of a batch: one lane with all calls is faster than two with half each.
	newLaneAfter = 10 * time.Millisecond
	readBatch    = 128
	writeBatch   = 64
	maxQueue     = 4096
)

func queueOptions[Q any](client *bolt.Client, c *Config, name string, lanes, batch int, key func(Q) string) coalesce.Options[Q] {
	return coalesce.Options[Q]{
		Name: name, Lanes: lanes, MaxBatch: batch, MaxQueue: maxQueue, Key: key,
		Linger: newLaneAfter, Distance: client.Distance, Timeout: client.QueryTimeout(), Context: bolt.WithWaitBudgetsOf,
		Observer: c.Observer, Tracer: c.Tracer, Off: c.Uncoalesced,
	}
}

// readQueues merge the look-ups of nodes, or of edges, into shared statements.
type readQueues struct {
	byElementID *coalesce.Group[byElementID, *Record]
	byID        *coalesce.Group[byID, []*Record]
	// Reads with a bookmark wait for the database in separate queues and delay no other reads.
	byElementIDAfter *coalesce.Group[byElementID, *Record]
	byIDAfter        *coalesce.Group[byID, []*Record]
	// Entities that are known to be large are read one by one.
	byElementIDAlone *coalesce.Group[byElementID, *Record]
	byIDAlone        *coalesce.Group[byID, []*Record]
	large            *largeElements
}

func (er *ElementReader) newQueues(k kind) readQueues {
	name, client, c := string(k), er.client, er.Config
	return readQueues{
		byElementID: coalesce.New(queueOptions[byElementID](client, c, name+" reads", readLanes, readBatch, nil), er.readByElementID(k)),
		byID:        coalesce.New(queueOptions[byID](client, c, name+" look-ups", readLanes, readBatch, nil), er.readByID(k)),
		byElementIDAfter: coalesce.New(queueOptions[byElementID](client, c, name+" reads after a bookmark", readLanes, readBatch, nil),
			withMergedBookmarks(func(q byElementID) graph.Bookmarks { return q.after }, er.readByElementID(k))),
		byIDAfter: coalesce.New(queueOptions[byID](client, c, name+" look-ups after a bookmark", readLanes, readBatch, nil),
			withMergedBookmarks(func(q byID) graph.Bookmarks { return q.after }, er.readByID(k))),
		byElementIDAlone: coalesce.New(queueOptions[byElementID](client, c, "large "+name+" reads", largeLanes, 1, nil),
			withMergedBookmarks(func(q byElementID) graph.Bookmarks { return q.after }, er.readByElementID(k))),
		byIDAlone: coalesce.New(queueOptions[byID](client, c, "large "+name+" look-ups", largeLanes, 1, nil),
			withMergedBookmarks(func(q byID) graph.Bookmarks { return q.after }, er.readByID(k))),
		large: new(largeElements),
	}
}

func (g *readQueues) close() {
	g.byElementID.Close()
	g.byID.Close()
	g.byElementIDAfter.Close()
	g.byIDAfter.Close()
	g.byElementIDAlone.Close()
	g.byIDAlone.Close()
}

// GetByElementID reads the entity with an element id; nil if there is none.
func (g *readQueues) GetByElementID(ctx context.Context, elementID string, ends EndNeeds) (*Record, error) {
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
func (g *readQueues) getByID(ctx context.Context, q byID) ([]*Record, error) {
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

// writeResult is the result of one write of a batch.
type writeResult interface {
	isFound() bool              // there was a row for it
	bookmarks() graph.Bookmarks // of its transaction
}

// writeQueue merges writes into shared transactions.
type writeQueue[Q any, R writeResult] struct {
	queue *coalesce.Group[Q, R]
	run   func(context.Context, []Q) []coalesce.Outcome[R]
}

func newWriteQueue[Q any, R writeResult](o coalesce.Options[Q], run func(context.Context, []Q) []coalesce.Outcome[R]) *writeQueue[Q, R] {
	return &writeQueue[Q, R]{coalesce.New(o, run), run}
}

// submit puts a write into its queue, whose next free lane calls run with all waiting writes (coalesce.Group). A write whose batch took too
// long is run alone: the batch did nothing.
func submit[Q any, R writeResult](ctx context.Context, g *writeQueue[Q, R], q Q) (R, error) {
	result, err := g.queue.Do(ctx, q)
	if errors.Is(err, errRunAlone) {
		alone := g.run(ctx, []Q{q})[0]
		result, err = alone.Value, alone.Err
	}
	if err != nil {
		var none R
		return none, err
	}
	graph.BookmarkRecorderFrom(ctx).Set(result.bookmarks())
	return result, nil
}

// kindPair has one of something for nodes and one for edges.
type kindPair[T any] struct{ nodes, edges T }

// Of is the value of a kind.
func (p *kindPair[T]) Of(k kind) *T {
	if k == edges {
		return &p.edges
	}
	return &p.nodes
}

// createQueues merge the creates of nodes, or of edges, into shared transactions.
type createQueues struct {
	unkeyed *writeQueue[Create, RowResult]
	keyed   *writeQueue[Create, RowResult] // with an idempotency key
}

func (cr *entityCreator) newQueues(k kind) createQueues {
	name, client, c := string(k), cr.client, cr.config
	return createQueues{
		unkeyed: newWriteQueue(queueOptions[Create](client, c, name+" creates", writeLanes, writeBatch, nil), cr.createBatch(k, false)),
		keyed: newWriteQueue(queueOptions(client, c, name+" keyed creates", writeLanes, writeBatch,
			func(q Create) string { return q.key }), cr.createBatch(k, true)),
	}
}

func (g *createQueues) close() {
	g.unkeyed.queue.Close()
	g.keyed.queue.Close()
}

// updateQueues merge the updates of nodes, or of edges, into shared transactions.
type updateQueues struct {
	batched *writeQueue[Update, RowResult]
	alone   *writeQueue[Update, RowResult] // of entities that are known to be large: each result is a complete entity
}

func (up *entityUpdater) newQueues(k kind) updateQueues {
	name, client, c := string(k), up.client, up.config
	return updateQueues{
		batched: newWriteQueue(queueOptions(client, c, name+" updates", writeLanes, writeBatch,
			func(u Update) string { return u.At.ElementID }), up.updateBatch(k)),
		alone: newWriteQueue(queueOptions[Update](client, c, "large "+name+" updates", largeLanes, 1, nil), up.updateBatch(k)),
	}
}

func (g *updateQueues) close() {
	g.batched.queue.Close()
	g.alone.queue.Close()
}

// newQueue creates the queue that merges the deletes of nodes, or of edges, into shared transactions.
func (de *entityDeleter) newQueue(k kind) *writeQueue[Delete, deleteResult] {
	o := queueOptions(de.client, de.config, string(k)+" deletes", writeLanes, writeBatch, func(r Delete) string { return r.At.ElementID })
	return newWriteQueue(o, de.deleteBatch(k))
}
