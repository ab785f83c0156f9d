package neo4jschema

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

const (
	// sampleSize is the number of entities of a type whose properties are read on a large graph.
	sampleSize = 1000
	// sampleAge is the age from which a type is read again; reading everything takes at most a twentieth of the time.
	sampleAge   = time.Minute
	sampleShare = 20
	// pairSample is the number of edges from which a type's connections are read if there are too many to count in time.
	pairSample = 200_000
	// internalCount is the maximum number of internal nodes that are counted by label and edge type for every request.
	internalCount = 50_000
)

// sampleCache caches the last sample of each type of a large graph. It is no snapshot.Snapshot: one refresh reads many samples one after
// another, and each is visible at once. Its zero value is ready for use.
type sampleCache struct {
	mu           sync.Mutex
	nodes, edges map[string]observedType
	hidden       *hiddenCounts
	took         time.Duration // of the last refresh of all types
	running      chan struct{} // closed when the running refresh has ended; nil if none runs
}

// hiddenCounts are the numbers of internal nodes by label, and of edges at internal nodes by type.
type hiddenCounts struct{ nodes, edges map[string]int64 }

// observeSample combines current counts with the samples of the background refresh.
func (r *SchemaReader) observeSample(ctx context.Context, counts *GraphCounts, managed managedNames) (observation, error) {
	hidden, err := r.hidden(ctx, counts)
	if err != nil {
		return observation{}, err
	}
	nodes, edges := visibleCounts(counts.Nodes, hidden.nodes), visibleCounts(counts.Edges, hidden.edges)
	if wanted := r.samples.outdated(nodes, edges); len(wanted) > 0 {
		select {
		case <-r.refreshSamples(wanted, counts, managed):
		case <-time.After(schemaWait):
		case <-ctx.Done():
			return observation{}, ctx.Err()
		}
	}
	return r.samples.observation(counts.At, nodes, edges), nil
}

// visibleCounts subtracts internal entities and omits types that are then empty.
func visibleCounts(all, hidden map[string]int64) map[string]int64 {
	visible := make(map[string]int64, len(all))
	for name, count := range all {
		if left := count - hidden[name]; left > 0 && !graph.Reserved(name) {
			visible[name] = left
		}
	}
	return visible
}

// hidden counts internal data: for each request while there is little of it, or else from the last refresh.
func (r *SchemaReader) hidden(ctx context.Context, counts *GraphCounts) (hiddenCounts, error) {
	var internal int64
	for name, count := range counts.Nodes {
		if graph.Reserved(name) {
			internal += count
		}
	}
	c := &r.samples
	c.mu.Lock()
	last := c.hidden
	c.mu.Unlock()
	if last != nil && internal > internalCount {
		return *last, nil
	}
	return r.readHidden(ctx, counts)
}

func (r *SchemaReader) readHidden(ctx context.Context, counts *GraphCounts) (hiddenCounts, error) {
	hidden := hiddenCounts{nodes: map[string]int64{}, edges: map[string]int64{}}
	var labels []string
	for name := range counts.Nodes {
		if graph.Reserved(name) {
			labels = append(labels, name)
		}
	}
	if len(labels) == 0 {
		return hidden, nil
	}
	slices.Sort(labels) // the same text for the same labels
	slots := cypher.Slots{"internal": cypher.QuoteAny(labels)}
	for text, into := range map[cypher.Text]map[string]int64{
		cypher.SchemaInternalNodes.Text(slots): hidden.nodes,
		cypher.SchemaInternalEdges.Text(slots): hidden.edges,
	} {
		rows, err := r.client.ReadRows(ctx, text, nil)
		if err != nil {
			return hidden, err
		}
		for _, row := range rows {
			into[bolt.Column[string](row, "type")] = bolt.Column[int64](row, "uses")
		}
	}
	r.samples.mu.Lock()
	r.samples.hidden = &hidden
	r.samples.mu.Unlock()
	return hidden, nil
}

// sampleTarget is a type to be sampled.
type sampleTarget struct {
	edge  bool
	name  string
	count int64
	at    time.Time // when it was last sampled; zero for never
}

// outdated lists the types that were never sampled, or too long ago: first the unknown types, then the small ones.
func (c *sampleCache) outdated(nodes, edges map[string]int64) []sampleTarget {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := max(sampleAge, sampleShare*c.took)
	var wanted []sampleTarget
	add := func(edge bool, counts map[string]int64, seen map[string]observedType) {
		for name, count := range counts {
			if last, known := seen[name]; !known || time.Since(last.at) > age {
				wanted = append(wanted, sampleTarget{edge: edge, name: name, count: count, at: last.at})
			}
		}
	}
	add(false, nodes, c.nodes)
	add(true, edges, c.edges)
	slices.SortFunc(wanted, func(a, b sampleTarget) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.count, b.count), cmp.Compare(a.name, b.name))
	})
	return wanted
}

// observation is the samples of the given types. Its time is that of the oldest sample.
func (c *sampleCache) observation(at time.Time, nodes, edges map[string]int64) observation {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := observation{at: at, nodes: map[string]observedType{}, edges: map[string]observedType{}}
	pick := func(into, known map[string]observedType, counts map[string]int64) {
		for name, count := range counts {
			o := known[name]
			if !o.at.IsZero() && o.at.Before(seen.at) {
				seen.at = o.at
			}
			o.count = count
			into[name] = o
		}
	}
	pick(seen.nodes, c.nodes, nodes)
	pick(seen.edges, c.edges, edges)
	return seen
}

// refreshSamples samples types in the background, one after another, unless a refresh runs already. The channel is closed when it has
// ended; results are visible as they are read.
func (r *SchemaReader) refreshSamples(wanted []sampleTarget, counts *GraphCounts, managed managedNames) <-chan struct{} {
	c := &r.samples
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		return c.running
	}
	done := make(chan struct{})
	c.running = done
	r.background(func(ctx context.Context) {
		began := time.Now()
		for _, each := range wanted {
			if ctx.Err() != nil {
				break
			}
			r.refreshSample(ctx, each, managed)
		}
		_, _ = r.readHidden(ctx, counts) // a failure leaves the last result
		c.mu.Lock()
		c.running = nil
		if len(wanted) >= len(c.nodes)+len(c.edges) {
			c.took = time.Since(began)
		}
		c.mu.Unlock()
		close(done)
	})
	return done
}

// refreshSample samples one type. If that fails the last result remains, and the next request tries again.
func (r *SchemaReader) refreshSample(ctx context.Context, each sampleTarget, managed managedNames) {
	var seen observedType
	var err error
	if each.edge {
		seen, err = r.sampleEdges(ctx, each, managed.types)
	} else {
		seen, err = r.sampleProperties(ctx, wholeSample(graph.NodeKind, each.name, sampleSize), managed.labels)
	}
	if err != nil {
		return
	}
	c := &r.samples
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nodes == nil {
		c.nodes, c.edges = map[string]observedType{}, map[string]observedType{}
	}
	if each.edge {
		c.edges[each.name] = seen
	} else {
		c.nodes[each.name] = seen
	}
}

// sampledProperties are the properties of a type to be read, from up to limit of its entities.
type sampledProperties struct {
	kind  graph.Kind
	name  string
	limit int64
	shown cypher.Fragment // that an entity shows a property: see cypher.KeyShown
	view  map[string]any  // the parameters of shown
}

// wholeSample is for what everybody sees who sees everything.
func wholeSample(k graph.Kind, name string, limit int64) sampledProperties {
	return sampledProperties{kind: k, name: name, limit: limit, shown: cypher.True}
}

func (s sampledProperties) slots() cypher.Slots {
	return cypher.Slots{"type": cypher.Quote(s.name), "shown": s.shown}
}

func (s sampledProperties) addParams(params map[string]any) map[string]any {
	maps.Copy(params, s.view)
	return params
}

// sampleProperties reads properties. managed are the managed types of their kind.
func (r *SchemaReader) sampleProperties(ctx context.Context, of sampledProperties, managed []string) (observedType, error) {
	seen, statements := observedType{at: time.Now()}, statementsOf[of.kind]
	rows, err := r.client.ReadRows(ctx, statements.sample.Text(of.slots()), of.addParams(map[string]any{
		"id_property": r.idProperty, statements.managed: managed, "limit": of.limit,
	}))
	if err != nil {
		return seen, err
	}
	for _, row := range rows {
		seen = seen.withRow(row)
	}
	return seen, r.markByteArrays(ctx, of, seen)
}

func (r *SchemaReader) sampleEdges(ctx context.Context, each sampleTarget, managed []string) (observedType, error) {
	seen, err := r.sampleProperties(ctx, wholeSample(graph.EdgeKind, each.name, sampleSize), managed)
	if err != nil {
		return seen, err
	}
	slots := cypher.Slots{"type": cypher.Quote(each.name)}
	seen.whole = true
	declared := DeclaredParameter(r.types.CurrentTypes())
	text := cypher.SchemaConnections.Text(slots)
	pairs, err := r.client.ReadRows(ctx, text, map[string]any{"limit": int64(math.MaxInt64), "declared": declared})
	if err != nil && ctx.Err() == nil && each.count > pairSample {
		seen.whole = false
		pairs, err = r.client.ReadRows(ctx, text, map[string]any{"limit": pairSample, "declared": declared})
	}
	for _, row := range pairs {
		seen = seen.withConnection(row)
	}
	return seen, err
}
