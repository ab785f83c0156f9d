package neo4jstore

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/snapshot"
)

// managedTypes are the labels and relationship types with a uniqueness constraint on the id property alone, as of one moment. It is
// immutable.
type managedTypes struct {
	nodes, edges typeSet
}

func (m *managedTypes) of(k kind) *typeSet {
	if k == edges {
		return &m.edges
	}
	return &m.nodes
}

// withTypes returns the managed types and more.
func (m *managedTypes) withTypes(more []typeKey, id cypher.Fragment) *managedTypes {
	labels, types := slices.Clone(m.nodes.names), slices.Clone(m.edges.names)
	for _, t := range more {
		if t.k == edges {
			types = append(types, t.name)
		} else {
			labels = append(labels, t.name)
		}
	}
	return &managedTypes{nodes: newTypeSet(nodes, sortNames(labels), id), edges: newTypeSet(edges, sortNames(types), id)}
}

// typeCatalog knows which types are managed.
type typeCatalog struct {
	*snapshot.Snapshot[managedTypes]
	client *bolt.Client
	config *Config
	texts  *statementTexts
}

func newTypeCatalog(client *bolt.Client, c *Config, texts *statementTexts, spawn func(func())) *typeCatalog {
	tc := &typeCatalog{client: client, config: c, texts: texts}
	tc.Snapshot = snapshot.New(tc.read, bolt.SnapshotOptions(spawn))
	return tc
}

// catalogInterval is how often the catalog is read while requests use it.
const catalogInterval = time.Second

// maxCatalogAge is the maximum age of the catalog. A background task reads it every second while requests use it.
const maxCatalogAge = 3 * catalogInterval

// Get is the managed types, at most maxCatalogAge old.
func (tc *typeCatalog) Get(ctx context.Context) (*managedTypes, error) {
	return tc.Fresh(ctx, maxCatalogAge)
}

func (tc *typeCatalog) read(ctx context.Context) (*managedTypes, error) {
	records, err := tc.client.ReadLatest(ctx, cypher.ManagedTypes.Text(nil), map[string]any{"id_property": tc.config.IDProperty})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	var labels, types []string
	for _, record := range records {
		name := bolt.Column[string](record, "name")
		if graph.Reserved(name) {
			continue
		}
		if bolt.Column[string](record, "entity") == "NODE" {
			labels = append(labels, name)
		} else {
			types = append(types, name)
		}
	}
	labels, types = sortNames(labels), sortNames(types)
	old := tc.Current()
	if old != nil && slices.Equal(old.nodes.names, labels) && slices.Equal(old.edges.names, types) {
		return old, nil // and its cached plans
	}
	return &managedTypes{nodes: newTypeSet(nodes, labels, tc.texts.idName), edges: newTypeSet(edges, types, tc.texts.idName)}, nil
}

// typeKey identifies a type: its kind and its name.
type typeKey struct {
	k    kind
	name string
}

// managedAsOf are the managed node types and edge types, at most maxAge old, in byte order.
func (tc *typeCatalog) managedAsOf(ctx context.Context, maxAge time.Duration) (labels, types []string, err error) {
	m, err := tc.Fresh(ctx, maxAge)
	if err != nil {
		return nil, nil, err
	}
	return m.nodes.names, m.edges.names, nil
}

// typeMaker accepts the names of new entities and makes their types managed.
type typeMaker struct {
	names       *neo4jschema.Names
	constraints *neo4jschema.Constraints
	catalog     *typeCatalog
	patient     bool // waits for constraints without a time limit
}

// accept checks the names of a new entity against the limits, and makes its first type managed before it is created.
func (tm *typeMaker) accept(ctx context.Context, n newEntity) error {
	labels, types := n.names, []string(nil)
	if n.k == edges {
		labels, types = nil, n.names
	}
	if err := tm.names.Reserve(ctx, labels, types, n.properties); err != nil || len(n.names) == 0 {
		return err
	}
	return tm.ensureManaged(ctx, n.k, graph.TypeName(n.names[0]))
}

func (tm *typeMaker) ensureManaged(ctx context.Context, k kind, t graph.TypeName) error {
	m, err := tm.catalog.Get(ctx)
	switch {
	case err != nil || m.of(k).has(string(t)):
		return err
	case tm.patient:
		return tm.constraints.Manage(ctx, k, string(t))
	default:
		return tm.constraints.EnsureID(ctx, k, t)
	}
}

// edgeTypesInUse knows which types the edges of the database have.
type edgeTypesInUse struct {
	client *bolt.Client
	counts *neo4jschema.Counts
}

// edgeTypeSlot fills a slot with an edge type or the wildcard. Known is false for a type that no edge has, which would only fill the plan
// cache.
func (et *edgeTypesInUse) edgeTypeSlot(ctx context.Context, name graph.TypeName) (slot cypher.Fragment, known bool, err error) {
	if name == "" {
		return cypher.Any, true, nil
	}
	sizes, err := et.counts.Recent(ctx)
	if err != nil {
		return cypher.Fragment{}, false, err
	}
	if sizes.Edges[string(name)] > 0 && !graph.Reserved(string(name)) {
		return cypher.Quote(string(name)), true, nil
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, et.client)
	return cypher.Quote(string(name)), slices.Contains(types.Visible, string(name)), err
}
