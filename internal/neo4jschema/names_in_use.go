// Package neo4jschema reads the schema of the database: the names in use, indexes and constraints, and which of them are internal.
package neo4jschema

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// NamesInUse are the labels, or relationship types, in use, in byte order.
type NamesInUse struct {
	Visible, Internal []string
	Reported          []string // the visible names, in the order in which the database reports them
}

// SortReported brings the labels of a node, or what was recorded of them, into the order in which the database reports them but for
// transactions that have written. Labels that are not in use come last, as they were.
func (n NamesInUse) SortReported(labels []string) {
	position := func(label string) int {
		if at := slices.Index(n.Reported, label); at >= 0 {
			return at
		}
		return len(n.Reported)
	}
	slices.SortStableFunc(labels, func(a, b string) int { return position(a) - position(b) })
}

// LabelsInUse reads the labels each time, so that a new type is included.
func LabelsInUse(ctx context.Context, client *bolt.Client) (NamesInUse, error) {
	return readNamesInUse(ctx, client, cypher.ListLabels)
}

// RelationshipTypesInUse reads the relationship types each time.
func RelationshipTypesInUse(ctx context.Context, client *bolt.Client) (NamesInUse, error) {
	return readNamesInUse(ctx, client, cypher.ListRelationshipTypes)
}

func readNamesInUse(ctx context.Context, client *bolt.Client, statement cypher.Statement) (NamesInUse, error) {
	records, err := client.ReadRows(ctx, statement.Text(nil), nil)
	return namesIn(records), err
}

// LabelsWithin is LabelsInUse with those that a transaction has added.
func LabelsWithin(ctx context.Context, tx *bolt.Transaction) (NamesInUse, error) {
	records, err := tx.RunStatement(ctx, cypher.ListLabels.Text(nil), nil)
	return namesIn(records), err
}

func namesIn(records []*bolt.Record) (names NamesInUse) {
	for _, record := range records {
		for _, name := range bolt.Column[[]any](record, "names") {
			if text := name.(string); graph.Reserved(text) {
				names.Internal = append(names.Internal, text)
			} else {
				names.Visible = append(names.Visible, text)
			}
		}
	}
	names.Reported = slices.Clone(names.Visible)
	slices.Sort(names.Visible)
	slices.Sort(names.Internal)
	return names
}
