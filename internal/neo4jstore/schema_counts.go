package neo4jstore

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// graphCounts is the content of the count store, including internal names.
type graphCounts struct {
	at                 time.Time
	took               time.Duration
	allNodes, allEdges int64
	nodes, edges       map[string]int64 // by label and by relationship type; without those of zero
}

// of returns the counts of one kind.
func (c *graphCounts) of(k kind) map[string]int64 {
	if k == edges {
		return c.edges
	}
	return c.nodes
}

const (
	// sizesAge is the maximum age of the counts that decide how a list is read. They never decide what is listed.
	sizesAge = 5 * time.Second
	// slowCounts is the duration from which counts are no longer read for every request: the database processes every pair of a label and a
	// relationship type, 1.4 microseconds each.
	slowCounts = 250 * time.Millisecond
	// maxParallelCounts is how many counts are read concurrently if they must be read one by one.
	maxParallelCounts = 4
)

// countCache caches the last counts. Its zero value is ready for use.
type countCache struct {
	mu         sync.Mutex
	last       *graphCounts
	refreshing bool
}

// sizes are counts of the last seconds.
func (s *Store) sizes(ctx context.Context) (*graphCounts, error) {
	c := &s.countCache
	c.mu.Lock()
	last := c.last
	stale := last != nil && time.Since(last.at) > sizesAge && !c.refreshing
	c.refreshing = c.refreshing || stale
	c.mu.Unlock()
	if last == nil {
		return s.readCounts(ctx)
	}
	if stale {
		s.background(s.refreshCounts)
	}
	return last, nil
}

// knownSizes are counts of the last seconds, or none if there are none yet: a list does not wait for them.
func (s *Store) knownSizes() *graphCounts {
	c := &s.countCache
	c.mu.Lock()
	defer c.mu.Unlock()
	if (c.last == nil || time.Since(c.last.at) > sizesAge) && !c.refreshing {
		c.refreshing = true
		s.background(s.refreshCounts)
	}
	if c.last == nil {
		return &graphCounts{}
	}
	return c.last
}

func (s *Store) refreshCounts(ctx context.Context) {
	_, _ = s.readCounts(ctx) // a failure shows in the request that needs the database itself
	s.countCache.mu.Lock()
	s.countCache.refreshing = false
	s.countCache.mu.Unlock()
}

// counts are the current counts, unless the database is slow to return them: then those of the last seconds.
func (s *Store) counts(ctx context.Context) (*graphCounts, error) {
	s.countCache.mu.Lock()
	slow := s.countCache.last != nil && s.countCache.last.took > slowCounts
	s.countCache.mu.Unlock()
	if slow {
		return s.sizes(ctx)
	}
	return s.readCounts(ctx)
}

func (s *Store) readCounts(ctx context.Context) (*graphCounts, error) {
	began := time.Now()
	counts, err := s.readAllCounts(ctx)
	if bolt.IsForbidden(err) {
		counts, err = s.readCountsSeparately(ctx)
	}
	if err != nil {
		return nil, err
	}
	counts.at, counts.took = began, time.Since(began)
	s.countCache.mu.Lock()
	if s.countCache.last == nil || s.countCache.last.at.Before(began) {
		s.countCache.last = counts
	}
	s.countCache.mu.Unlock()
	return counts, nil
}

func (s *Store) readAllCounts(ctx context.Context) (*graphCounts, error) {
	records, err := s.client.ReadRows(ctx, cypher.SchemaCounts.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	counts := &graphCounts{nodes: map[string]int64{}, edges: map[string]int64{}}
	for _, record := range records {
		for _, each := range bolt.Column[[]any](record, "nodes") {
			row := each.(map[string]any)
			count, _ := row["count"].(int64)
			if label, ok := row["label"].(string); ok {
				counts.nodes[label] = count
			} else {
				counts.allNodes = count
			}
		}
		for _, each := range bolt.Column[[]any](record, "relationships") {
			row := each.(map[string]any)
			count, _ := row["count"].(int64)
			name, typed := row["relationshipType"].(string)
			_, from := row["startLabel"]
			_, to := row["endLabel"]
			switch {
			case from || to:
			case typed:
				counts.edges[name] = count
			default:
				counts.allEdges = count
			}
		}
	}
	return counts, nil
}

// readCountsSeparately is for database users who may not call the procedure. Each count is a look-up in the count store.
func (s *Store) readCountsSeparately(ctx context.Context) (*graphCounts, error) {
	labels, err := neo4jschema.LabelsInUse(ctx, s.client)
	if err != nil {
		return nil, err
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, s.client)
	if err != nil {
		return nil, err
	}
	counts := &graphCounts{nodes: map[string]int64{}, edges: map[string]int64{}}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelCounts)
	count := func(into map[string]int64, statement cypher.Statement, name string) {
		group.Go(func() error {
			total, err := s.client.ReadCount(ctx, statement.Text(cypher.Slots{"type": cypher.Quote(name)}), nil)
			mu.Lock()
			defer mu.Unlock()
			if total > 0 {
				into[name] = total
			}
			return err
		})
	}
	for _, name := range append(labels.Visible, labels.Internal...) {
		count(counts.nodes, cypher.SchemaCountNodes, name)
	}
	for _, name := range append(types.Visible, types.Internal...) {
		count(counts.edges, cypher.SchemaCountEdges, name)
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	counts.sum()
	return counts, nil
}

// sum computes the totals from the parts; nodes with several labels count more than once, which is sufficient for sizes.
func (c *graphCounts) sum() {
	for _, count := range c.nodes {
		c.allNodes += count
	}
	for _, count := range c.edges {
		c.allEdges += count
	}
}
