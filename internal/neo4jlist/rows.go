package neo4jlist

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// listRows runs the statements of a page and converts their rows.
type listRows[T any] struct {
	elements *neo4jentity.ElementReader
	mixed    *mixedTypes
	texts    *listTexts
	types    *listTypes
	decode   decoder[T]
	hidden   *neo4jentity.Exclusion // of a page that is not sorted
}

// typeOf returns the type under which an entity is listed: the only one of those listed, or the entity's own.
func (r *listRows[T]) typeOf(listed ...string) func(names []string) string {
	switch {
	case len(listed) == 1:
		return func([]string) string { return listed[0] }
	case r.texts.query.kind == graph.EdgeKind:
		return func(names []string) string { return names[0] }
	default:
		return r.types.declared.NodeType
	}
}

// readType runs a statement on the entities of one type.
func (r *listRows[T]) readType(
	ctx context.Context, part typePart, where cypher.Fragment, statement cypher.Statement, params map[string]any,
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	slots := cypher.Slots{"type": cypher.Quote(part.name), "where": where, "listed": r.texts.listed(part)}
	skip, _ := params["skip"].(int64)
	params["first"] = part.first()
	params = r.texts.paramsOf(statement, params)
	return withoutInternal(ctx, r.mixed.of(r.texts.query.kind, part.name), skip, func(every bool) ([]keyset.Entry[T], keyset.RowsRead, error) {
		slots["internal"] = r.hidden.InPage(every)
		return r.readRows(ctx, r.texts.text(statement, slots), params, r.typeOf(part.name))
	})
}

// entries runs a statement that excludes all internal data. typeOf returns the type under which an entity is listed.
func (r *listRows[T]) entries(
	ctx context.Context, statement cypher.Statement, slots cypher.Slots, params map[string]any, typeOf func(names []string) string,
) ([]keyset.Entry[T], error) {
	entries, _, err := r.readRows(ctx, r.texts.text(statement, slots), r.texts.paramsOf(statement, params), typeOf)
	return entries, err
}

// readRows runs a statement and also returns what was read, including rows of internal data. See ReadPage.
func (r *listRows[T]) readRows(
	ctx context.Context, text cypher.Text, params map[string]any, typeOf func(names []string) string,
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	rows, full, err := r.elements.ReadPage(ctx, text, params)
	if err != nil {
		return nil, keyset.RowsRead{}, err
	}
	entries := make([]keyset.Entry[T], 0, len(rows))
	for i, row := range rows {
		entry, shown, err := r.entry(ctx, row, typeOf)
		if err != nil {
			return nil, keyset.RowsRead{}, err
		}
		if shown {
			entry.Full = full && i == len(rows)-1
			entries = append(entries, entry)
		}
	}
	return entries, rowsReadOf(rows), nil
}

// entry is the entity of a row; shown is false if it is internal or the user does not see it.
func (r *listRows[T]) entry(
	ctx context.Context, row *bolt.Record, typeOf func(names []string) string,
) (entry keyset.Entry[T], shown bool, err error) {
	found := neo4jentity.Record{
		ElementID: bolt.Column[string](row, "element"), Properties: bolt.Column[map[string]any](row, "properties"),
	}
	if r.texts.query.kind == graph.NodeKind {
		found.Names = bolt.TextColumn(row, "labels")
	} else {
		found.Names = []string{bolt.Column[string](row, "type")}
	}
	if neo4jentity.InternalRow(row, found.Names) {
		return entry, false, nil
	}
	item, shown, err := r.decode(ctx, r.types.catalog, &found, row)
	if err != nil || !shown {
		return entry, false, bolt.Translate(err)
	}
	return keyset.Entry[T]{
		Item: item, Type: typeOf(found.Names), Own: bolt.Column[bool](row, "own"), Key: bolt.Column[string](row, "key"),
		ElementID: found.ElementID, SortColumns: bolt.Column[[]any](row, "sort_columns"),
	}, true, nil
}

func rowsReadOf(rows []*bolt.Record) keyset.RowsRead {
	if len(rows) == 0 {
		return keyset.RowsRead{}
	}
	return keyset.RowsRead{Count: len(rows), Key: bolt.Column[string](rows[len(rows)-1], "key")}
}
