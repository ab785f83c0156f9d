package neo4jschema

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/snapshot"
)

// GraphCounts is the content of the count store, including internal names. It is immutable.
type GraphCounts struct {
	Nodes, Edges       map[string]int64 // by label and by relationship type; without those of zero
	At                 time.Time
	took               time.Duration
	AllNodes, AllEdges int64
}

// Of returns the counts of one kind.
func (c *GraphCounts) Of(k graph.Kind) map[string]int64 {
	if k == graph.EdgeKind {
		return c.Edges
	}
	return c.Nodes
}

const (
	// countsAge is the maximum age of the counts that decide how a list is read. They never decide what is listed.
	countsAge = 5 * time.Second
	// slowCounts is the duration from which counts are no longer read for every request: the database processes every pair of a label and a
	// relationship type, 1.4 microseconds each.
	slowCounts = 250 * time.Millisecond
	// maxParallelCounts is how many counts are read concurrently if they must be read one by one.
	maxParallelCounts = 4
)

// Counts reads the count store and caches the last counts. It is safe for concurrent use.
type Counts struct {
	client *bolt.Client
	last   *snapshot.Snapshot[GraphCounts]
}

func newCounts(client *bolt.Client, spawn func(work func())) *Counts {
	c := &Counts{client: client}
	c.last = snapshot.New(c.read, snapshot.Options{Spawn: spawn})
	return c
}

// Recent are counts of the last seconds.
func (c *Counts) Recent(ctx context.Context) (*GraphCounts, error) {
	last := c.last.Current()
	if last == nil {
		return c.readNow(ctx)
	}
	c.refresh()
	return last, nil
}

// Known are counts of the last seconds, or none if there are none yet: a list does not wait for them.
func (c *Counts) Known() *GraphCounts {
	c.refresh()
	if last := c.last.Current(); last != nil {
		return last
	}
	return &GraphCounts{}
}

// refresh reads old counts in the background, with nothing of the request that notices it, such as its limits. A failure shows in the
// request that needs the database itself.
func (c *Counts) refresh() { c.last.Refresh(context.Background(), countsAge) }

// Current are the current counts, unless the database is slow to return them: then those of the last seconds.
func (c *Counts) Current(ctx context.Context) (*GraphCounts, error) {
	if last := c.last.Current(); last != nil && last.took > slowCounts {
		return c.Recent(ctx)
	}
	return c.readNow(ctx)
}

// readNow reads the counts within the limits of its caller.
func (c *Counts) readNow(ctx context.Context) (*GraphCounts, error) {
	counts, err := c.read(ctx)
	if err == nil {
		c.last.Put(counts, counts.At)
	}
	return counts, err
}

func (c *Counts) read(ctx context.Context) (*GraphCounts, error) {
	began := time.Now()
	counts, err := c.readAll(ctx)
	if bolt.IsForbidden(err) {
		counts, err = c.readSeparately(ctx)
	}
	if err != nil {
		return nil, err
	}
	counts.At, counts.took = began, time.Since(began)
	return counts, nil
}

func (c *Counts) readAll(ctx context.Context) (*GraphCounts, error) {
	records, err := c.client.ReadRows(ctx, cypher.SchemaCounts.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	counts := &GraphCounts{Nodes: map[string]int64{}, Edges: map[string]int64{}}
	for _, record := range records {
		for _, each := range bolt.Column[[]any](record, "nodes") {
			row := each.(map[string]any)
			count, _ := row["count"].(int64)
			if label, ok := row["label"].(string); ok {
				counts.Nodes[label] = count
			} else {
				counts.AllNodes = count
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
				counts.Edges[name] = count
			default:
				counts.AllEdges = count
			}
		}
	}
	return counts, nil
}

// readSeparately is for database users who may not call the procedure. Each count is a look-up in the count store.
func (c *Counts) readSeparately(ctx context.Context) (*GraphCounts, error) {
	labels, err := LabelsInUse(ctx, c.client)
	if err != nil {
		return nil, err
	}
	types, err := RelationshipTypesInUse(ctx, c.client)
	if err != nil {
		return nil, err
	}
	counts := &GraphCounts{Nodes: map[string]int64{}, Edges: map[string]int64{}}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelCounts)
	read := func(text cypher.Text, use func(total int64)) {
		group.Go(func() error {
			total, err := c.client.ReadCount(ctx, text, nil)
			mu.Lock()
			defer mu.Unlock()
			use(total)
			return err
		})
	}
	count := func(into map[string]int64, statement cypher.Statement, name string) {
		read(statement.Text(cypher.Slots{"type": cypher.Quote(name)}), func(total int64) {
			if total > 0 {
				into[name] = total
			}
		})
	}
	read(cypher.SchemaCountAllNodes.Text(nil), func(total int64) { counts.AllNodes = total })
	read(cypher.SchemaCountAllEdges.Text(nil), func(total int64) { counts.AllEdges = total })
	for _, name := range append(labels.Visible, labels.Internal...) {
		count(counts.Nodes, cypher.SchemaCountNodes, name)
	}
	for _, name := range append(types.Visible, types.Internal...) {
		count(counts.Edges, cypher.SchemaCountEdges, name)
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return counts, nil
}
