package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Of a property that holds few texts, a draft names them: where up to enumSample entities have nothing but texts in it, enumMost
// different ones at most, each enumLeast times at least and of enumLongest characters at most.
const (
	enumSample    = 10_000
	maxEnumValues = 10
	minEnumUses   = 5
	maxEnumLength = 100
)

// Propose drafts a declaration: see graph.TypeStore. It looks at what GET /api/schema shows, a sample on a large graph, and at texts.
func (s *Store) Propose(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.Proposal, error) {
	schema, err := s.Schema(ctx)
	if err != nil {
		return graph.Proposal{}, translate(err)
	}
	for _, seen := range schema.NodeTypes {
		if k == graph.NodeKind && seen.Type == string(t) && seen.Count > 0 {
			texts, err := s.enumValues(ctx, cypher.DeclaredNodeTexts, t)
			return graph.Proposal{Declaration: declared.Propose(k, t, seen.Properties, texts, nil), Count: seen.Count, Sampled: seen.Sampled}, err
		}
	}
	for _, seen := range schema.EdgeTypes {
		if k == graph.EdgeKind && seen.Type == string(t) && seen.Count > 0 {
			texts, err := s.enumValues(ctx, cypher.DeclaredEdgeTexts, t)
			return graph.Proposal{Declaration: declared.Propose(k, t, seen.Properties, texts, seen.Connections), Count: seen.Count, Sampled: seen.Sampled}, err
		}
	}
	return graph.Proposal{}, fault.New(fault.NotFound, "There is no "+string(k)+" of this type to draft a declaration from")
}

// fewTexts are the texts of the properties that hold few, in byte order.
func (s *Store) enumValues(ctx context.Context, statement cypher.Statement, t graph.TypeName) (map[string][]string, error) {
	rows, err := s.readRows(ctx, statement.Text(cypher.Slots{"type": cypher.Quote(string(t))}), map[string]any{
		"limit": enumSample, "most": maxEnumValues, "least": minEnumUses, "longest": maxEnumLength,
	})
	if err != nil {
		return nil, translate(err)
	}
	values := map[string][]string{}
	for _, row := range rows {
		values[column[string](row, "name")] = slices.Sorted(slices.Values(textColumn(row, "texts")))
	}
	return values, nil
}
