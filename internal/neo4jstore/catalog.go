package neo4jstore

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
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

func (rd *entityReader) readCatalog(ctx context.Context) (*managedTypes, error) {
	records, err := rd.client.ReadLatest(ctx, cypher.ManagedTypes.Text(nil), map[string]any{"id_property": rd.config.IDProperty})
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
	old := rd.catalog.Current()
	if old != nil && slices.Equal(old.nodes.names, labels) && slices.Equal(old.edges.names, types) {
		return old, nil // and its cached plans
	}
	return &managedTypes{nodes: newTypeSet(nodes, labels, rd.texts.idName), edges: newTypeSet(edges, types, rd.texts.idName)}, nil
}

// typeKey identifies a type: its kind and its name.
type typeKey struct {
	k    kind
	name string
}

// managedAsOf are the managed node types and edge types, at most maxAge old, in byte order.
func (rd *entityReader) managedAsOf(ctx context.Context, maxAge time.Duration) (labels, types []string, err error) {
	m, err := rd.catalog.Fresh(ctx, maxAge)
	if err != nil {
		return nil, nil, err
	}
	return m.nodes.names, m.edges.names, nil
}

// ensureManaged makes a type managed before its first entity is created: see neo4jschema.Constraints.EnsureID.
func (cr *entityCreator) ensureManaged(ctx context.Context, k kind, t graph.TypeName) error {
	m, err := cr.reads.catalog.Get(ctx)
	if err != nil || m.of(k).has(string(t)) {
		return err
	}
	return cr.constraints.EnsureID(ctx, k, t)
}

// edgeTypeSlot fills a slot with an edge type or the wildcard. Known is false for a type that no edge has, which would only fill the plan
// cache.
func (rd *entityReader) edgeTypeSlot(ctx context.Context, name graph.TypeName) (slot cypher.Fragment, known bool, err error) {
	if name == "" {
		return cypher.Any, true, nil
	}
	sizes, err := rd.counts.Recent(ctx)
	if err != nil {
		return cypher.Fragment{}, false, err
	}
	if sizes.Edges[string(name)] > 0 && !graph.Reserved(string(name)) {
		return cypher.Quote(string(name)), true, nil
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, rd.client)
	return cypher.Quote(string(name)), slices.Contains(types.Visible, string(name)), err
}
