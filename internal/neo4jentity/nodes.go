package neo4jentity

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// CreateNode creates a node: see graph.NodeStore. The result is built from the request and equals what a read returns.
func (cr *entityCreator) CreateNode(ctx context.Context, n graph.NewNode) (graph.Created[graph.Node], error) {
	var none graph.Created[graph.Node]
	types, err := cr.reads.Types.TypesForWrite(ctx)
	if err != nil {
		return none, err
	}
	if err := (EntityToCreate{Kind: nodes, Names: []string{string(n.Type)}, Properties: n.Properties}).Judge(ctx, types); err != nil {
		return none, err
	}
	c, err := cr.prepareCreate(ctx, nodes, n.Type, n.Properties, n.Key)
	if err != nil {
		return none, err
	}
	m, err := cr.submitCreate(ctx, nodes, c)
	if err != nil {
		return none, bolt.AttributeError(err, nodes, cr.config.IDProperty, n.Properties)
	}
	again, err := m.replayed(c)
	if err != nil {
		return none, err
	}
	if again {
		node, err := cr.reads.Node(rules.WithoutView(ctx), m.replay)
		return graph.Created[graph.Node]{Entity: neo4jview.ShowWrittenNode(ctx, node), Replayed: true}, replayGone(err)
	}
	return graph.Created[graph.Node]{Entity: neo4jview.ShowWrittenNode(ctx, graph.Node{
		ID: c.ID, Type: string(n.Type), Labels: []string{string(n.Type)}, Properties: graph.Stored(n.Properties),
	})}, nil
}

// UpdateNode changes a node: see graph.NodeStore.
func (up *entityUpdater) UpdateNode(ctx context.Context, id string, c graph.Change) (graph.Node, error) {
	m, e, err := up.update(ctx, nodes, id, c)
	if err != nil {
		return graph.Node{}, bolt.AttributeError(err, nodes, up.config.IDProperty, c.Properties)
	}
	n, err := up.reads.DecodeNode(ctx, m, e)
	return neo4jview.ShowWrittenNode(ctx, n), bolt.Translate(err)
}

// DeleteNode removes a node and its edges: see graph.NodeStore.
func (de *entityDeleter) DeleteNode(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	return de.deleteEntity(ctx, nodes, id, r)
}
