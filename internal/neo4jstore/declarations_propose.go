package neo4jstore

import (
	"context"

	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Propose drafts a declaration: see graph.TypeStore. It looks at what GET /api/schema shows, a sample on a large graph.
func (s *Store) Propose(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.Proposal, error) {
	schema, err := s.Schema(ctx)
	if err != nil {
		return graph.Proposal{}, translate(err)
	}
	for _, seen := range schema.NodeTypes {
		if k == graph.NodeKind && seen.Type == string(t) && seen.Count > 0 {
			return graph.Proposal{Declaration: declared.Propose(k, t, seen.Properties, nil), Count: seen.Count, Sampled: seen.Sampled}, nil
		}
	}
	for _, seen := range schema.EdgeTypes {
		if k == graph.EdgeKind && seen.Type == string(t) && seen.Count > 0 {
			return graph.Proposal{Declaration: declared.Propose(k, t, seen.Properties, seen.Connections), Count: seen.Count, Sampled: seen.Sampled}, nil
		}
	}
	return graph.Proposal{}, fault.New(fault.NotFound, "There is no "+string(k)+" of this type to draft a declaration from")
}
