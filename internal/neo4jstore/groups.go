package neo4jstore

import (
	"context"
	"time"

	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// groupSet holds the store's coalescing groups. Reads and the several kinds of writes wait in queues of their own, so that
// none holds up another.
type groupSet struct {
	nodes, edges kindGroups
}

type kindGroups struct {
	byElement *coalesce.Group[byElement, *element]
	byID      *coalesce.Group[byID, []*element]
	// Reads that come after a bookmark wait for the database in queues of their own, and hold nobody else up.
	byElementAfter *coalesce.Group[byElement, *element]
	byIDAfter      *coalesce.Group[byID, []*element]
	creates        *coalesce.Group[create, answer]
	keyed          *coalesce.Group[create, answer]
	updates        *coalesce.Group[update, answer]
	deletes        *coalesce.Group[remove, answer]
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
	return groupSet{nodes: s.newKindGroups(nodes), edges: s.newKindGroups(edges)}
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
		creates: coalesce.New(groupOptions[create](s, name+" creates", writeLanes, writeBatch, nil), s.createBatch(k, false)),
		keyed: coalesce.New(groupOptions(s, name+" keyed creates", writeLanes, writeBatch,
			func(c create) string { return c.key }), s.createBatch(k, true)),
		updates: coalesce.New(groupOptions(s, name+" updates", writeLanes, writeBatch,
			func(u update) string { return u.at.element }), s.updateBatch(k)),
		deletes: coalesce.New(groupOptions(s, name+" deletes", writeLanes, writeBatch,
			func(r remove) string { return r.at.element }), s.deleteBatch(k)),
	}
}

func groupOptions[Q any](s *Store, name string, lanes, batch int, key func(Q) string) coalesce.Options[Q] {
	return coalesce.Options[Q]{
		Name: name, Lanes: lanes, MaxBatch: batch, MaxQueue: queueBound, Key: key,
		Patience: lanePatience, Timeout: s.config.QueryTimeout, Observer: s.config.Observer, Tracer: patientBatches{s.config.Tracer}, Off: s.config.Uncoalesced,
	}
}

func (g *groupSet) close() {
	for _, k := range []*kindGroups{&g.nodes, &g.edges} {
		k.byElement.Close()
		k.byID.Close()
		k.byElementAfter.Close()
		k.byIDAfter.Close()
		k.creates.Close()
		k.keyed.Close()
		k.updates.Close()
		k.deletes.Close()
	}
}

// lookAt reads what is at an element id; nil where nothing is.
func (g *kindGroups) lookAt(ctx context.Context, at string) (*element, error) {
	q := byElement{at, graph.AfterOf(ctx)}
	if len(q.after) > 0 {
		return g.byElementAfter.Do(ctx, q)
	}
	return g.byElement.Do(ctx, q)
}

// lookUp reads what holds an id.
func (g *kindGroups) lookUp(ctx context.Context, q byID) ([]*element, error) {
	if q.after = graph.AfterOf(ctx); len(q.after) > 0 {
		return g.byIDAfter.Do(ctx, q)
	}
	return g.byID.Do(ctx, q)
}

// answers wraps what a batch came to.
func answers(all []answer) []coalesce.Outcome[answer] {
	out := make([]coalesce.Outcome[answer], len(all))
	for i, a := range all {
		out[i] = coalesce.Outcome[answer]{Value: a, Err: a.err}
	}
	return out
}

// do puts a call into a group and shapes its error.
func do[Q any](ctx context.Context, g *coalesce.Group[Q, answer], q Q) (answer, error) {
	a, err := g.Do(ctx, q)
	if err != nil {
		return answer{}, err
	}
	graph.MarkOf(ctx).Set(a.mark)
	return a, nil
}
