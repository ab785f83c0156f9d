package neo4jstore

import (
	"context"
	"slices"
	"sync"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jview"
)

// decoder makes the entity of a row; shown is false if the user does not see it.
type decoder[T any] func(ctx context.Context, m *managedTypes, e *entityRecord, row *bolt.Record) (item T, id string, shown bool, err error)

func (l *listReader) decodeNode(
	ctx context.Context, m *managedTypes, e *entityRecord, _ *bolt.Record,
) (n graph.Node, id string, shown bool, err error) {
	if n, err = l.reads.node(ctx, m, e); err != nil {
		return n, "", false, err
	}
	shown = neo4jview.ShowNode(ctx, &n)
	return n, n.ID, shown, nil
}

func (l *listReader) decodeEdge(
	ctx context.Context, m *managedTypes, e *entityRecord, row *bolt.Record,
) (r graph.Edge, id string, shown bool, err error) {
	id, properties, err := l.reads.toDomain(ctx, m, edges, e)
	if err != nil {
		return r, "", false, err
	}
	r = graph.Edge{
		ID: id, Type: e.names[0], Properties: properties,
		SourceID: bolt.Column[string](row, "source_id"), TargetID: bolt.Column[string](row, "target_id"),
	}
	r.Ends = l.reads.endsOf(bolt.Column[[]any](row, "ends"), r.SourceID, r.TargetID)
	shown = neo4jview.ShowEdge(ctx, &r)
	return r, id, shown, nil
}

// typeOf returns the type under which an entity is listed: the only one of those listed, or the entity's own.
func (l *listRequest[T]) typeOf(listed ...string) func(names []string) string {
	switch {
	case len(listed) == 1:
		return func([]string) string { return listed[0] }
	case l.kind == edges:
		return func(names []string) string { return names[0] }
	default:
		return l.types.NodeType
	}
}

// count runs a statement that counts.
func (l *listRequest[T]) count(ctx context.Context, statement cypher.Statement, slots cypher.Slots, params map[string]any) (int64, error) {
	return l.client.ReadCount(ctx, l.text(statement, slots), l.paramsOf(statement, params))
}

// rows runs a statement on the entities of one type.
func (l *listRequest[T]) rows(
	ctx context.Context, part typePart, where cypher.Fragment, statement cypher.Statement, params map[string]any,
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	listed := l.statements.listed(cypher.Listed{Under: part.under, WithoutID: part.withoutID}, l.texts.idName)
	slots := cypher.Slots{"type": cypher.Quote(part.name), "where": where, "listed": listed}
	skip, _ := params["skip"].(int64)
	params["first"] = part.first()
	params = l.paramsOf(statement, params)
	return withoutInternal(ctx, l.mixedType(l.kind, part.name), skip, func(every bool) ([]keyset.Entry[T], keyset.RowsRead, error) {
		slots["internal"] = l.hidden.inPage(every)
		return l.readRows(ctx, l.text(statement, slots), params, l.typeOf(part.name))
	})
}

// entries runs a statement that excludes all internal data. typeOf returns the type under which an entity is listed.
func (l *listRequest[T]) entries(
	ctx context.Context, statement cypher.Statement, slots cypher.Slots, params map[string]any, typeOf func(names []string) string,
) ([]keyset.Entry[T], error) {
	entries, _, err := l.readRows(ctx, l.text(statement, slots), l.paramsOf(statement, params), typeOf)
	return entries, err
}

// readRows runs a statement and also returns what was read, including rows of internal data. See readPage.
func (l *listRequest[T]) readRows(
	ctx context.Context, text cypher.Text, params map[string]any, typeOf func(names []string) string,
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	rows, full, err := l.elements.readPage(ctx, text, params)
	if err != nil {
		return nil, keyset.RowsRead{}, err
	}
	entries := make([]keyset.Entry[T], 0, len(rows))
	for i, row := range rows {
		entry, shown, err := l.entry(ctx, row, typeOf)
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
func (l *listRequest[T]) entry(
	ctx context.Context, row *bolt.Record, typeOf func(names []string) string,
) (entry keyset.Entry[T], shown bool, err error) {
	found := entityRecord{
		elementID: bolt.Column[string](row, "element"), properties: bolt.Column[map[string]any](row, "properties"),
	}
	if l.kind == nodes {
		found.names = bolt.TextColumn(row, "labels")
	} else {
		found.names = []string{bolt.Column[string](row, "type")}
	}
	if internalRow(row, found.names) {
		return entry, false, nil
	}
	item, id, shown, err := l.decode(ctx, l.catalog, &found, row)
	if err != nil || !shown {
		return entry, false, bolt.Translate(err)
	}
	l.cacheID(l.catalog, l.kind, id, &found)
	return keyset.Entry[T]{
		Item: item, Type: typeOf(found.names), Own: bolt.Column[bool](row, "own"), Key: bolt.Column[string](row, "key"),
		ElementID: found.elementID, SortColumns: bolt.Column[[]any](row, "sort_columns"),
	}, true, nil
}

// mixedType is a type of which a page may have had internal data among its rows: somebody gave it a visible type too, in Cypher.
type mixedType struct {
	known *sync.Map // of typeKey: those of which a page had
	of    typeKey
}

func (l *listReader) mixedType(k kind, name string) mixedType {
	return mixedType{known: &l.mixed, of: typeKey{k, name}}
}

func (m mixedType) isKnown() bool {
	_, known := m.known.Load(m.of)
	return known
}

func (m mixedType) setKnown() { m.known.Store(m.of, true) }

// withoutInternal reads a page's rows, of which the reader drops those of internal data. If it drops any, the rows are read again by a
// statement that excludes all internal data (every), so that a page reads at most twice as many rows as it shows. From then on the type's
// pages exclude it from the start: the time of a second read would tell which filters internal data meets. Skipped rows are not returned
// for a check: then the statement excludes from the start.
func withoutInternal[T any](
	ctx context.Context, mixed mixedType, skip int64, read func(every bool) ([]keyset.Entry[T], keyset.RowsRead, error),
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	if skip > 0 || mixed.isKnown() {
		return read(true)
	}
	bytes := keyset.PageBytesOf(ctx)
	before := *bytes
	entries, got, err := read(false)
	if err != nil || got.Count == len(entries) {
		return entries, got, err
	}
	mixed.setKnown()
	if err := graph.TakeBytes(ctx, before.Read-bytes.Read); err != nil {
		return nil, got, err
	}
	*bytes = before
	return read(true)
}

func rowsReadOf(rows []*bolt.Record) keyset.RowsRead {
	if len(rows) == 0 {
		return keyset.RowsRead{}
	}
	return keyset.RowsRead{Count: len(rows), Key: bolt.Column[string](rows[len(rows)-1], "key")}
}

// cacheID caches the element id of a listed entity, because clients often read it next. Only an id that hints at its type is cached,
// because a look-up would find no other entity by it.
func (l *listReader) cacheID(m *managedTypes, k kind, id string, e *entityRecord) {
	hint, hinted := graph.HintOf(id)
	if of := m.of(k).hinted[hint].names; hinted && len(of) == 1 && slices.Contains(e.names, of[0]) {
		l.reads.idCacheOf(k).put(id, e.elementID)
	}
}
