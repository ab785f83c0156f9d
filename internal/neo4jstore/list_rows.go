package neo4jstore

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/internal/graph"
)

// record is a row as the driver gives it.
type record = neo4j.Record

// nodeEntries runs a statement that lists nodes; under says which type a node is listed under.
func (s *Store) nodeEntries(
	ctx context.Context, m *managedTypes, text string, params map[string]any, under func(labels []string) string,
) ([]entry[graph.Node], error) {
	rows, err := s.readRows(ctx, text, params)
	if err != nil {
		return nil, err
	}
	entries := make([]entry[graph.Node], len(rows))
	for i, row := range rows {
		found := element{
			element: column[string](row, "element"), names: textColumn(row, "labels"), properties: column[map[string]any](row, "properties"),
		}
		node, err := s.node(ctx, m, &found)
		if err != nil {
			return nil, translate(err)
		}
		entries[i] = entry[graph.Node]{
			item: node, typ: under(node.Labels), own: column[bool](row, "own"), key: column[string](row, "key"),
			element: found.element, place: column[[]any](row, "place"),
		}
		s.remember(m, nodes, node.ID, &found)
	}
	return entries, nil
}

// remember notes where an entity of a list is: who lists often reads next. Only an id that says its type is noted, as a look-up would
// find no other entity by it.
func (s *Store) remember(m *managedTypes, k kind, id string, e *element) {
	hint, hinted := graph.HintOf(id)
	if of := m.of(k).hinted[hint]; hinted && len(of) == 1 && slices.Contains(e.names, of[0]) {
		s.elementsOf(k).put(id, e.element)
	}
}

// edgeEntries runs a statement that lists edges.
func (s *Store) edgeEntries(ctx context.Context, m *managedTypes, text string, params map[string]any) ([]entry[graph.Edge], error) {
	rows, err := s.readRows(ctx, text, params)
	if err != nil {
		return nil, err
	}
	entries := make([]entry[graph.Edge], len(rows))
	for i, row := range rows {
		name := column[string](row, "type")
		found := element{element: column[string](row, "element"), names: []string{name}, properties: column[map[string]any](row, "properties")}
		id, properties, err := s.shape(ctx, m, edges, &found)
		if err != nil {
			return nil, translate(err)
		}
		edge := graph.Edge{
			ID: id, Type: name, Properties: properties,
			SourceID: column[string](row, "source_id"), TargetID: column[string](row, "target_id"),
		}
		entries[i] = entry[graph.Edge]{
			item: edge, typ: name, own: column[bool](row, "own"), key: column[string](row, "key"),
			element: found.element, place: column[[]any](row, "place"),
		}
		s.remember(m, edges, edge.ID, &found)
	}
	return entries, nil
}
