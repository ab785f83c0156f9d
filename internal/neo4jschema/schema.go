package neo4jschema

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

const (
	// fullScanLimit is the maximum number of nodes and edges together up to which the schema is read from all of them for every request, in
	// some 0.1 to 0.3 s. Larger graphs are sampled in the background.
	fullScanLimit = 50_000
	// schemaWait is how long a request waits for the background refresh if its data is missing or old.
	schemaWait = 300 * time.Millisecond
)

// SchemaReader describes the schema of a graph. It is a graph.SchemaStore and safe for concurrent use.
type SchemaReader struct {
	client     *bolt.Client
	counts     *Counts
	indexes    *IndexStore
	types      *TypeStore
	styles     *StyleStore
	order      *typeOrder
	managed    ManagedTypes
	background Background
	idProperty string
	samples    sampleCache
	equal      bolt.SharedReads[graph.Schema]
}

var _ graph.SchemaStore = (*SchemaReader)(nil)

// managedNames are the managed types as of one moment.
type managedNames struct{ labels, types []string }

// Schema describes the schema: see graph.SchemaStore. On a graph of up to 50,000 nodes and edges everything is read for each request. On a
// larger one the counts, indexes and constraints are; properties and connections are up to a minute old (longer if reading them takes
// longer than three seconds), and those of a new type are included within 0.3 s or with the next request. Requests of users who see
// everything share one read if they arrive at the same time.
func (r *SchemaReader) Schema(ctx context.Context) (graph.Schema, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		whole, err := r.read(ctx)
		if err != nil {
			return graph.Schema{}, err
		}
		return r.visibleSchema(ctx, whole)
	}
	whole, shared, err := r.equal.Do(ctx, "", r.readPlaced)
	if shared {
		whole.NodeTypes, whole.EdgeTypes = slices.Clone(whole.NodeTypes), slices.Clone(whole.EdgeTypes)
		whole.Indexes, whole.Constraints = slices.Clone(whole.Indexes), slices.Clone(whole.Constraints)
	}
	return whole, err
}

func (r *SchemaReader) readPlaced(ctx context.Context) (graph.Schema, error) {
	whole, err := r.read(ctx)
	if err == nil {
		r.order.place(ctx, whole.NodeTypes)
	}
	return whole, err
}

// read reads the whole schema.
func (r *SchemaReader) read(ctx context.Context) (graph.Schema, error) {
	var managed managedNames
	var err error
	if managed.labels, managed.types, err = r.managed(ctx, ReadAge); err != nil {
		return graph.Schema{}, err
	}
	var indexes []graph.Index
	var constraints []graph.Constraint
	var seen observation
	var types *declarations
	var styles []graph.TypeStyle
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		began := time.Now()
		if indexes, err = ReadIndexes(ctx, r.client); err == nil {
			r.indexes.keys.Put(indexedKeysOf(indexes), began) // a client that has seen an index can use it
		}
		return err
	})
	parts.Go(func() (err error) {
		constraints, err = ReadConstraints(ctx, r.client)
		return err
	})
	parts.Go(func() (err error) {
		seen, err = r.observe(ctx, managed)
		return err
	})
	parts.Go(func() (err error) {
		types, err = r.types.inForce.Fresh(ctx, ReadAge)
		return bolt.Translate(err)
	})
	parts.Go(func() (err error) {
		styles, err = r.styles.TypeStyles(ctx)
		return err
	})
	if err := parts.Wait(); err != nil {
		return graph.Schema{}, err
	}
	d := describer{
		declared: types.all, styles: stylesByType(styles), indexes: indexes, constraints: constraints, seen: seen, asOf: seen.at,
		managedLabels: managed.labels, managedTypes: managed.types,
	}
	return graph.Schema{
		NodeTypes: d.nodeTypes(), EdgeTypes: d.edgeTypes(),
		Indexes: VisibleIndexes(indexes), Constraints: VisibleConstraints(constraints), AsOf: d.asOf,
	}, nil
}

// observe reads all of a small graph, or returns the sample of a large one.
func (r *SchemaReader) observe(ctx context.Context, managed managedNames) (observation, error) {
	counts, err := r.counts.Current(ctx)
	switch {
	case err != nil:
		return observation{}, err
	case counts.AllNodes+counts.AllEdges <= fullScanLimit:
		return r.observeAll(ctx, managed)
	default:
		return r.observeSample(ctx, counts, managed)
	}
}

// observation is the content of nodes and edges as read. Names are visible ones only.
type observation struct {
	at           time.Time
	nodes, edges map[string]observedType
}

// observedType is what was read of one type.
type observedType struct {
	at          time.Time
	count       int64 // visible entities
	sampled     int64 // of which the properties were read
	properties  map[string]*observedProperty
	connections map[graph.Connection]int64 // by pair; the key's Count is 0
	whole       bool                       // connections were counted over all edges
}

type observedProperty struct {
	uses  int64
	types map[string]bool
}

// typeNames are the names of the types of the values, in order.
func (p *observedProperty) typeNames() []string { return slices.Sorted(maps.Keys(p.types)) }

// describer converts an observation to the domain's schema.
type describer struct {
	declared                    []graph.DeclaredType
	styles                      map[styledType]*graph.StyleOfType
	indexes                     []graph.Index
	constraints                 []graph.Constraint
	seen                        observation
	asOf                        time.Time
	managedLabels, managedTypes []string
}

func (d describer) nodeTypes() []graph.NodeType {
	types := make([]graph.NodeType, 0, len(d.seen.nodes))
	for name, seen := range d.seen.nodes {
		_, managed := slices.BinarySearch(d.managedLabels, name)
		types = append(types, graph.NodeType{
			Type: name, Count: seen.count, Managed: managed, Sampled: seen.sampled,
			Properties: d.properties("node", name, seen),
		})
	}
	for _, declared := range d.declaredOnly(graph.NodeKind, d.seen.nodes) {
		_, managed := slices.BinarySearch(d.managedLabels, declared)
		types = append(types, graph.NodeType{Type: declared, Managed: managed})
	}
	for i := range types {
		types[i].Declared = d.declaration(graph.NodeKind, types[i].Type)
		types[i].Style = d.styles[styledType{graph.NodeKind, types[i].Type}]
	}
	slices.SortFunc(types, func(a, b graph.NodeType) int { return strings.Compare(a.Type, b.Type) })
	return types
}

func (d describer) edgeTypes() []graph.EdgeType {
	types := make([]graph.EdgeType, 0, len(d.seen.edges))
	for name, seen := range d.seen.edges {
		_, managed := slices.BinarySearch(d.managedTypes, name)
		connections, total := seen.pairs()
		types = append(types, graph.EdgeType{
			Type: name, Count: seen.count, Managed: managed, Sampled: seen.sampled,
			Properties:  d.properties("edge", name, seen),
			Connections: connections, ConnectionsExact: seen.whole && total == seen.count,
		})
	}
	for _, declared := range d.declaredOnly(graph.EdgeKind, d.seen.edges) {
		_, managed := slices.BinarySearch(d.managedTypes, declared)
		types = append(types, graph.EdgeType{Type: declared, Managed: managed, ConnectionsExact: true})
	}
	for i := range types {
		types[i].Declared = d.declaration(graph.EdgeKind, types[i].Type)
		types[i].Style = d.styles[styledType{graph.EdgeKind, types[i].Type}]
	}
	slices.SortFunc(types, func(a, b graph.EdgeType) int { return strings.Compare(a.Type, b.Type) })
	return types
}

// declaration is the declaration of a type; nil for none.
func (d describer) declaration(k graph.Kind, name string) *graph.DeclaredType {
	for i, declared := range d.declared {
		if declared.Kind == k && string(declared.Type) == name {
			return &d.declared[i]
		}
	}
	return nil
}

// declaredOnly are the declared types without entities.
func (d describer) declaredOnly(k graph.Kind, seen map[string]observedType) []string {
	var names []string
	for _, declared := range d.declared {
		if _, observed := seen[string(declared.Type)]; declared.Kind == k && !observed {
			names = append(names, string(declared.Type))
		}
	}
	return names
}

// pairs are the connections in the order of their ends, and the sum of their counts.
func (o observedType) pairs() ([]graph.Connection, int64) {
	var total int64
	pairs := make([]graph.Connection, 0, len(o.connections))
	for pair, count := range o.connections {
		total += count
		pair.Count = count
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, func(a, b graph.Connection) int {
		if by := strings.Compare(a.SourceType, b.SourceType); by != 0 {
			return by
		}
		return strings.Compare(a.TargetType, b.TargetType)
	})
	return pairs, total
}

func (d describer) properties(entity, name string, seen observedType) []graph.PropertyUse {
	uses := make([]graph.PropertyUse, 0, len(seen.properties))
	for key, property := range seen.properties {
		use := graph.PropertyUse{
			Name:    key,
			Indexed: slices.ContainsFunc(d.indexes, func(i graph.Index) bool { return IndexesOnly(i, entity, name, key) }),
			Unique:  slices.ContainsFunc(d.constraints, func(c graph.Constraint) bool { return UniqueOnly(c, entity, name, key) }),
		}
		use.Types = property.typeNames()
		if seen.sampled > 0 {
			use.Presence = float64(property.uses) / float64(seen.sampled)
		}
		uses = append(uses, use)
	}
	slices.SortFunc(uses, func(a, b graph.PropertyUse) int { return strings.Compare(a.Name, b.Name) })
	return uses
}

// observeAll reads every visible node and edge.
func (r *SchemaReader) observeAll(ctx context.Context, managed managedNames) (observation, error) {
	seen := observation{at: time.Now(), nodes: map[string]observedType{}, edges: map[string]observedType{}}
	rows, err := r.client.ReadRows(ctx, cypher.SchemaNodesAll.Text(nil), map[string]any{
		"id_property": r.idProperty, "managed_labels": managed.labels,
	})
	if err != nil {
		return seen, err
	}
	for _, row := range rows {
		label := bolt.Column[string](row, "type")
		if graph.Reserved(label) {
			continue
		}
		seen.nodes[label] = seen.nodes[label].withRow(row)
	}
	rows, err = r.client.ReadRows(ctx, cypher.SchemaEdgesAll.Text(nil), map[string]any{
		"id_property": r.idProperty, "managed_types": managed.types, "declared": DeclaredParameter(r.types.CurrentTypes()),
	})
	if err != nil {
		return seen, err
	}
	for _, row := range rows {
		name := bolt.Column[string](row, "type")
		edge := seen.edges[name].withRow(row)
		if bolt.Column[string](row, "name") == "" {
			edge = edge.withConnection(row)
		}
		edge.whole = true
		seen.edges[name] = edge
	}
	for name, node := range seen.nodes {
		if err := r.markByteArrays(ctx, wholeSample(graph.NodeKind, name, fullScanLimit), node); err != nil {
			return seen, err
		}
		node.count = node.sampled
		seen.nodes[name] = node
	}
	for name, edge := range seen.edges {
		if err := r.markByteArrays(ctx, wholeSample(graph.EdgeKind, name, fullScanLimit), edge); err != nil {
			return seen, err
		}
		edge.count = edge.sampled
		seen.edges[name] = edge
	}
	return seen, nil
}

// withRow adds a row of a property, or, with an empty key, of the entities themselves.
func (o observedType) withRow(row *bolt.Record) observedType {
	key, uses := bolt.Column[string](row, "name"), bolt.Column[int64](row, "uses")
	if o.properties == nil {
		o.properties = map[string]*observedProperty{}
	}
	if key == "" {
		o.sampled += uses
		return o
	}
	property := o.properties[key]
	if property == nil {
		property = &observedProperty{types: map[string]bool{}}
		o.properties[key] = property
	}
	property.uses += uses
	property.types[ValueTypeName(bolt.Column[string](row, "kind"))] = true
	return o
}

// withConnection adds a row of a pair of ends.
func (o observedType) withConnection(row *bolt.Record) observedType {
	if o.connections == nil {
		o.connections = map[graph.Connection]int64{}
	}
	pair := graph.Connection{SourceType: bolt.Column[string](row, "source"), TargetType: bolt.Column[string](row, "target")}
	o.connections[pair] += bolt.Column[int64](row, "uses")
	return o
}
