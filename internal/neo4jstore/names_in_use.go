package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// namesInUse are the labels, or relationship types, in use, in byte order.
type namesInUse struct {
	visible, internal []string
	reported          []string // the visible names, in the order in which the database reports them
}

// internalSlot fills a slot with every internal name in use. The bare prefix, which no entity has, keeps it from being empty.
func (n namesInUse) internalSlot() cypher.Fragment {
	return cypher.QuoteAny(append([]string{graph.ReservedPrefix}, n.internal...))
}

// labelsInUse reads the labels each time, so that a new type is included.
func (s *Store) labelsInUse(ctx context.Context) (namesInUse, error) {
	return s.namesInUse(ctx, cypher.ListLabels)
}

func (s *Store) relationshipTypesInUse(ctx context.Context) (namesInUse, error) {
	return s.namesInUse(ctx, cypher.ListRelationshipTypes)
}

func (s *Store) namesInUse(ctx context.Context, statement cypher.Statement) (namesInUse, error) {
	records, err := s.client.ReadRows(ctx, statement.Text(nil), nil)
	if err != nil {
		return namesInUse{}, err
	}
	var names namesInUse
	for _, record := range records {
		for _, name := range bolt.Column[[]any](record, "names") {
			if text := name.(string); internalName(text) {
				names.internal = append(names.internal, text)
			} else {
				names.visible = append(names.visible, text)
			}
		}
	}
	names.reported = slices.Clone(names.visible)
	slices.Sort(names.visible)
	slices.Sort(names.internal)
	return names, nil
}
