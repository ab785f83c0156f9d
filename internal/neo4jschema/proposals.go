package neo4jschema

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// A draft lists the values of a property with few distinct strings: all values in up to enumSample entities are strings, with at most
// maxEnumValues distinct ones, each used at least minEnumUses times and at most maxEnumLength characters long.
const (
	enumSample    = 10_000
	maxEnumValues = 10
	minEnumUses   = 5
	maxEnumLength = 100
)

// Propose drafts a declaration: see graph.TypeStore. It uses what GET /api/schema shows, which is a sample on a large graph, and string
// values.
func (s *TypeStore) Propose(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.Proposal, error) {
	schema, err := s.schema.Schema(ctx)
	if err != nil {
		return graph.Proposal{}, bolt.Translate(err)
	}
	seen, found := findTypeInUse(schema, k, t)
	if !found {
		return graph.Proposal{}, fault.New(fault.NotFound, "There is no "+string(k)+" of this type to draft a declaration from")
	}
	texts, err := s.enumValues(ctx, k, t)
	d := declared.Propose(k, t, seen.Properties, texts, seen.Connections)
	return graph.Proposal{Declaration: d, Count: seen.Count, Sampled: seen.Sampled}, err
}

// findTypeInUse finds a type of which there are entities. A node type has no connections.
func findTypeInUse(schema graph.Schema, k graph.Kind, t graph.TypeName) (graph.EdgeType, bool) {
	all := schema.EdgeTypes
	if k == graph.NodeKind {
		all = nil
		for _, n := range schema.NodeTypes {
			all = append(all, graph.EdgeType{Type: n.Type, Count: n.Count, Properties: n.Properties, Sampled: n.Sampled})
		}
	}
	i := slices.IndexFunc(all, func(seen graph.EdgeType) bool { return seen.Type == string(t) && seen.Count > 0 })
	if i < 0 {
		return graph.EdgeType{}, false
	}
	return all[i], true
}

// enumValues are the values of the properties with few distinct strings, in byte order.
func (s *TypeStore) enumValues(ctx context.Context, k graph.Kind, t graph.TypeName) (map[string][]string, error) {
	rows, err := s.client.ReadRows(ctx, statementsOf[k].texts.Text(cypher.Slots{"type": cypher.Quote(string(t))}), map[string]any{
		"limit": enumSample, "max_values": maxEnumValues, "min_uses": minEnumUses, "max_length": maxEnumLength,
	})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	values := map[string][]string{}
	for _, row := range rows {
		values[bolt.Column[string](row, "name")] = slices.Sorted(slices.Values(bolt.TextColumn(row, "texts")))
	}
	return values, nil
}
