package neo4jentity

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

// ManagedTypes are the labels and relationship types with a uniqueness constraint on the id property alone, as of one moment. It is
// immutable.
type ManagedTypes struct {
	Nodes, Edges TypeSet
}

// Of are the managed types of a kind.
func (m *ManagedTypes) Of(k kind) *TypeSet {
	if k == edges {
		return &m.Edges
	}
	return &m.Nodes
}

// IsOnly reports whether an id names the type of its entity, so that a look-up by it finds no other: another type may have the same id, and
// may be given it at any time.
func (m *ManagedTypes) IsOnly(k kind, id string, names []string) bool {
	hint, hinted := graph.HintOf(id)
	of := m.Of(k).Hinted[hint].Names
	return hinted && len(of) == 1 && slices.Contains(names, of[0])
}

// WithTypes returns the managed types and more.
func (m *ManagedTypes) WithTypes(more []TypeKey, id cypher.Fragment) *ManagedTypes {
	labels, types := slices.Clone(m.Nodes.Names), slices.Clone(m.Edges.Names)
	for _, t := range more {
		if t.Kind == edges {
			types = append(types, t.Name)
		} else {
			labels = append(labels, t.Name)
		}
	}
	return &ManagedTypes{Nodes: NewTypeSet(nodes, sortNames(labels), id), Edges: NewTypeSet(edges, sortNames(types), id)}
}

// TypeCatalog knows which types are managed.
type TypeCatalog struct {
	*snapshot.Snapshot[ManagedTypes]
	client *bolt.Client
	config *Config
	texts  *Texts
}

func newTypeCatalog(client *bolt.Client, c *Config, texts *Texts, spawn func(func())) *TypeCatalog {
	tc := &TypeCatalog{client: client, config: c, texts: texts}
	tc.Snapshot = snapshot.New(tc.read, bolt.SnapshotOptions(spawn))
	return tc
}

// CatalogInterval is how often the catalog is read while requests use it.
const CatalogInterval = time.Second

// maxCatalogAge is the maximum age of the catalog. A background task reads it every second while requests use it.
const maxCatalogAge = 3 * CatalogInterval

// Get is the managed types, at most maxCatalogAge old.
func (tc *TypeCatalog) Get(ctx context.Context) (*ManagedTypes, error) {
	return tc.Fresh(ctx, maxCatalogAge)
}

func (tc *TypeCatalog) read(ctx context.Context) (*ManagedTypes, error) {
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
	if old != nil && slices.Equal(old.Nodes.Names, labels) && slices.Equal(old.Edges.Names, types) {
		return old, nil // and its cached plans
	}
	return &ManagedTypes{Nodes: NewTypeSet(nodes, labels, tc.texts.IDName), Edges: NewTypeSet(edges, types, tc.texts.IDName)}, nil
}

// TypeKey identifies a type: its kind and its name.
type TypeKey struct {
	Kind kind
	Name string
}

// ManagedAsOf are the managed node types and edge types, at most maxAge old, in byte order.
func (tc *TypeCatalog) ManagedAsOf(ctx context.Context, maxAge time.Duration) (labels, types []string, err error) {
	m, err := tc.Fresh(ctx, maxAge)
	if err != nil {
		return nil, nil, err
	}
	return m.Nodes.Names, m.Edges.Names, nil
}

// TypeMaker accepts the names of new entities and makes their types managed.
type TypeMaker struct {
	Names       *neo4jschema.Names
	constraints *neo4jschema.Constraints
	catalog     *TypeCatalog
	patient     bool // waits for constraints without a time limit
}

// Accept checks the names of a new entity against the limits, and makes its first type managed before it is created.
func (tm *TypeMaker) Accept(ctx context.Context, n EntityToCreate) error {
	labels, types := n.Names, []string(nil)
	if n.Kind == edges {
		labels, types = nil, n.Names
	}
	if err := tm.Names.Reserve(ctx, labels, types, n.Properties); err != nil || len(n.Names) == 0 {
		return err
	}
	return tm.EnsureManaged(ctx, n.Kind, graph.TypeName(n.Names[0]))
}

// EnsureManaged gives a type its constraint on the id, if it has none.
func (tm *TypeMaker) EnsureManaged(ctx context.Context, k kind, t graph.TypeName) error {
	m, err := tm.catalog.Get(ctx)
	switch {
	case err != nil || m.Of(k).Has(string(t)):
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

// EdgeTypeSlot fills a slot with an edge type or the wildcard. Known is false for a type that no edge has, which would only fill the plan
// cache.
func (et *edgeTypesInUse) EdgeTypeSlot(ctx context.Context, name graph.TypeName) (slot cypher.Fragment, known bool, err error) {
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
