package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// CreateNode creates a node: see graph.NodeStore. The result is built from the request and equals what a read returns.
func (s *Store) CreateNode(ctx context.Context, n graph.NewNode) (graph.Created[graph.Node], error) {
	var none graph.Created[graph.Node]
	types, err := s.TypesForWrite(ctx)
	if err != nil {
		return none, err
	}
	// First the rights: a declaration is not shown to a user who may not create the type.
	if err := neo4jview.CheckCreate(ctx, nodes, []string{string(n.Type)}, n.Properties); err != nil {
		return none, err
	}
	if err := types.ValidateNewNode([]string{string(n.Type)}, n.Properties); err != nil {
		return none, err
	}
	c, err := s.prepareCreate(ctx, nodes, n.Type, n.Properties, n.Key)
	if err != nil {
		return none, err
	}
	m, err := s.submitCreate(ctx, nodes, c)
	if err != nil {
		return none, bolt.AttributeError(err, nodes, s.config.IDProperty, n.Properties)
	}
	again, err := m.replayed(c)
	if err != nil {
		return none, err
	}
	if again {
		node, err := s.Node(rules.WithoutView(ctx), m.replay)
		return graph.Created[graph.Node]{Entity: neo4jview.ShowWrittenNode(ctx, node), Replayed: true}, replayGone(err)
	}
	return graph.Created[graph.Node]{Entity: neo4jview.ShowWrittenNode(ctx, graph.Node{
		ID: c.id, Type: string(n.Type), Labels: []string{string(n.Type)}, Properties: graph.Stored(n.Properties),
	})}, nil
}

// UpdateNode changes a node: see graph.NodeStore.
func (s *Store) UpdateNode(ctx context.Context, id string, c graph.Change) (graph.Node, error) {
	m, e, err := s.update(ctx, nodes, id, c)
	if err != nil {
		return graph.Node{}, bolt.AttributeError(err, nodes, s.config.IDProperty, c.Properties)
	}
	n, err := s.node(ctx, m, e)
	return neo4jview.ShowWrittenNode(ctx, n), bolt.Translate(err)
}

// DeleteNode removes a node and its edges: see graph.NodeStore.
func (s *Store) DeleteNode(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	return s.deleteEntity(ctx, nodes, id, r)
}
