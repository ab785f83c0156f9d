package neo4jbulk

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// Export exports a graph: see graph.BulkStore. It reads type by type, each as one stream.
func (b *Bulk) Export(ctx context.Context, q graph.ExportQuery, to graph.Receiver) error {
	managed, err := b.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return err
	}
	labels, err := neo4jschema.LabelsInUse(ctx, b.client)
	if err != nil {
		return bolt.Translate(err)
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, b.client)
	if err != nil {
		return bolt.Translate(err)
	}
	hidden, err := b.exclusions.ExclusionNow(ctx)
	if err != nil {
		return bolt.Translate(err)
	}
	e := export{client: b.client, texts: b.texts, decoder: b.reads.RecordDecoder, managed: managed, hidden: hidden, to: to}
	nodeTypes, edgeTypes := labels.Visible, types.Visible
	if len(q.NodeTypes) > 0 {
		nodeTypes = intersection(nodeTypes, q.NodeTypes)
		e.chosen = nodeTypes
	}
	if len(q.EdgeTypes) > 0 {
		edgeTypes = intersection(edgeTypes, q.EdgeTypes)
	}
	if err := to.Types(neo4jview.PredicateOf(ctx, graph.NodeKind).NamesOf(labels.Reported)); err != nil {
		return err
	}
	for _, name := range nodeTypes {
		text := cypher.ExportNodes.Text(cypher.Slots{"type": cypher.Quote(name), "internal": hidden.Labels})
		if err := e.nodes(ctx, text, map[string]any{"first": name, "chosen": e.chosen}); err != nil {
			return err
		}
	}
	if e.chosen == nil {
		if err := e.nodes(ctx, cypher.ExportNodesUnlabelled.Text(nil), nil); err != nil {
			return err
		}
	}
	for _, name := range edgeTypes {
		if err := e.edges(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// intersection is the requested names that are in use.
func intersection(names []string, asked []graph.TypeName) []string {
	kept := []string{}
	for _, name := range names {
		if slices.Contains(asked, graph.TypeName(name)) {
			kept = append(kept, name)
		}
	}
	return kept
}

// export is a running export.
type export struct {
	client  *bolt.Client
	texts   *neo4jentity.Texts
	decoder *neo4jentity.RecordDecoder
	managed *neo4jentity.ManagedTypes
	hidden  *neo4jentity.Exclusion
	to      graph.Receiver
	chosen  any // labels of which a node must have one; nil for all nodes
}

func (e export) nodes(ctx context.Context, text cypher.Text, params map[string]any) error {
	return e.stream(ctx, text, params, func(r *bolt.Record) error {
		found := neo4jentity.Record{
			ElementID: bolt.Column[string](r, "element"), Names: bolt.TextColumn(r, "labels"),
			Properties: bolt.Column[map[string]any](r, "properties"),
		}
		if neo4jentity.InternalRow(r, found.Names) {
			return nil
		}
		n, err := e.decoder.DecodeNode(ctx, e.managed, &found)
		if err != nil || !neo4jview.ShowNode(ctx, &n) {
			return err
		}
		return e.to.Node(&n)
	})
}

func (e export) edges(ctx context.Context, name string) error {
	view := neo4jview.PredicateOf(ctx, graph.EdgeKind)
	text := cypher.ExportEdges.Text(cypher.Slots{
		"type": cypher.Quote(name), "id": e.texts.IDName, "internal": e.hidden.Labels, "view": view.Text(name),
	})
	params := view.With(map[string]any{"chosen": e.chosen, "managed_labels": e.managed.Nodes.Names})
	return e.stream(ctx, text, params, func(r *bolt.Record) error {
		found := neo4jentity.Record{
			ElementID: bolt.Column[string](r, "element"), Names: []string{name}, Properties: bolt.Column[map[string]any](r, "properties"),
		}
		if neo4jentity.InternalRow(r, found.Names) {
			return nil
		}
		id, properties, err := e.decoder.ToDomain(ctx, e.managed, graph.EdgeKind, &found)
		if err != nil {
			return err
		}
		edge := graph.Edge{
			ID: id, Type: name, Properties: properties, SourceID: bolt.Column[string](r, "source_id"), TargetID: bolt.Column[string](r, "target_id"),
		}
		if !neo4jview.ShowEdge(ctx, &edge) {
			return nil
		}
		return e.to.Edge(&edge)
	})
}

// stream returns the receiver's errors unchanged.
func (e export) stream(ctx context.Context, text cypher.Text, params map[string]any, each func(*bolt.Record) error) error {
	var receiverErr error
	err := e.client.Stream(ctx, text, params, func(r *bolt.Record) error {
		receiverErr = each(r)
		return receiverErr
	})
	if receiverErr != nil {
		return receiverErr
	}
	return bolt.Translate(err)
}
