package neo4jstore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// managedTypes are the labels and relationship types that have a uniqueness constraint on just the id property, as the
// database had them at one moment. It never changes once made.
type managedTypes struct {
	at           time.Time // when the read began
	nodes, edges typeSet
}

func (m *managedTypes) of(k kind) *typeSet {
	if k == edges {
		return &m.edges
	}
	return &m.nodes
}

// typeSet is a set of names with their order and their hints.
type typeSet struct {
	names  []string // in byte order
	set    map[string]struct{}
	hinted map[uint16][]string    // by graph.TypeHint
	wide   map[string]cypher.Name // the names in sets of wideTypes, by each name in one
}

// wideTypes is how many types one statement looks ids up in where the ids of a batch are of many types.
const wideTypes = 16

func newTypeSet(names []string) typeSet {
	slices.Sort(names)
	t := typeSet{names: slices.Compact(names), set: map[string]struct{}{}, hinted: map[uint16][]string{}, wide: map[string]cypher.Name{}}
	for _, name := range t.names {
		t.set[name] = struct{}{}
		hint := graph.TypeHint(name)
		t.hinted[hint] = append(t.hinted[hint], name)
	}
	for some := range slices.Chunk(t.names, wideTypes) {
		quoted := cypher.QuoteAny(some)
		for _, name := range some {
			t.wide[name] = quoted
		}
	}
	return t
}

// wideOf is the set that all of some types are in; empty where there is none.
func (t *typeSet) wideOf(names []string) cypher.Name {
	var wide cypher.Name
	for i, name := range names {
		if i > 0 && t.wide[name] != wide {
			return cypher.Name{}
		}
		wide = t.wide[name]
	}
	return wide
}

func (t *typeSet) has(name string) bool {
	_, found := t.set[name]
	return found
}

// catalogue holds the managed types. The database itself is the register; this is its copy in memory.
type catalogue struct {
	read  func(context.Context) (*managedTypes, error)
	spawn func(func()) // runs work that the store waits for when it closes

	current atomic.Pointer[managedTypes]
	mu      sync.Mutex
	running *refresh // the read under way, shared by all who want one
}

type refresh struct {
	began time.Time
	done  chan struct{}
	err   error
}

// get is the catalogue as it is, read once at the beginning.
func (c *catalogue) get(ctx context.Context) (*managedTypes, error) {
	if m := c.current.Load(); m != nil {
		return m, nil
	}
	return c.within(ctx, 0)
}

// within is the catalogue as it was at most a while ago. One read serves all who wait.
func (c *catalogue) within(ctx context.Context, age time.Duration) (*managedTypes, error) {
	since := time.Now().Add(-age)
	for {
		if m := c.current.Load(); m != nil && !m.at.Before(since) {
			return m, nil
		}
		c.mu.Lock()
		r := c.running
		if r == nil {
			r = &refresh{began: time.Now(), done: make(chan struct{})}
			c.running = r
			c.spawn(func() { c.refresh(context.WithoutCancel(ctx), r) })
		}
		c.mu.Unlock()
		select {
		case <-r.done:
			if r.err != nil {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *catalogue) refresh(ctx context.Context, r *refresh) {
	m, err := c.read(ctx)
	if err == nil {
		m.at = r.began
		c.current.Store(m)
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	r.err = err
	close(r.done)
}

func (s *Store) readCatalogue(ctx context.Context) (*managedTypes, error) {
	records, err := s.client.readLatest(ctx, cypher.ManagedTypes.Text(nil), map[string]any{"id_property": s.config.IDProperty})
	if err != nil {
		return nil, translate(err)
	}
	var labels, types []string
	for _, record := range records {
		name := column[string](record, "name")
		if graph.Reserved(name) {
			continue
		}
		if column[string](record, "entity") == "NODE" {
			labels = append(labels, name)
		} else {
			types = append(types, name)
		}
	}
	return &managedTypes{nodes: newTypeSet(labels), edges: newTypeSet(types)}, nil
}

// listCatalogueAge is how old the catalogue may be that a list is made with.
const listCatalogueAge = 250 * time.Millisecond

// managedLabels are the managed node types in byte order, empty before the catalogue was first read.
func (s *Store) managedLabels() []string { return s.managedNames(nodes) }

// managedTypes are the managed edge types in byte order.
func (s *Store) managedTypes() []string { return s.managedNames(edges) }

func (s *Store) managedNames(k kind) []string {
	if m := s.catalogue.current.Load(); m != nil {
		return m.of(k).names
	}
	return nil
}
