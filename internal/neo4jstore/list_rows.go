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

// nodeEntries runs a statement that lists nodes; under returns the type under which a node is listed. See readPage.
func (s *Store) nodeEntries(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any, under func(labels []string) string,
) ([]keyset.Entry[graph.Node], error) {
	entries, _, err := s.nodeRows(ctx, m, text, params, under)
	return entries, err
}

// nodeRows is nodeEntries that also returns what was read, including rows of internal data.
func (s *Store) nodeRows(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any, under func(labels []string) string,
) ([]keyset.Entry[graph.Node], keyset.RowsRead, error) {
	rows, full, err := s.readPage(ctx, text, params)
	if err != nil {
		return nil, keyset.RowsRead{}, err
	}
	entries := make([]keyset.Entry[graph.Node], 0, len(rows))
	for i, row := range rows {
		entry, shown, err := s.nodeEntry(ctx, m, row, under)
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

// nodeEntry is the node of a row; shown is false if it is internal or the user does not see it.
func (s *Store) nodeEntry(
	ctx context.Context, m *managedTypes, row *bolt.Record, under func(labels []string) string,
) (entry keyset.Entry[graph.Node], shown bool, err error) {
	found := entityRecord{
		elementID: bolt.Column[string](row, "element"), names: bolt.TextColumn(row, "labels"), properties: bolt.Column[map[string]any](row,
			"properties"),
	}
	if internalRow(row, found.names) {
		return entry, false, nil
	}
	node, err := s.node(ctx, m, &found)
	if err != nil {
		return entry, false, bolt.Translate(err)
	}
	if !neo4jview.ShowNode(ctx, &node) {
		return entry, false, nil
	}
	s.cacheID(m, nodes, node.ID, &found)
	return keyset.Entry[graph.Node]{
		Item: node, Type: under(node.Labels), Own: bolt.Column[bool](row, "own"), Key: bolt.Column[string](row, "key"),
		ElementID: found.elementID, SortColumns: bolt.Column[[]any](row, "sort_columns"),
	}, true, nil
}

// readPage runs a statement of a list and reads its records one by one, until there are no more or the page is full: the entities of all
// its statements together have reached Config.MaxPageBytes, and there is one more. A page has at least one record, if there is one.
func (s *Store) readPage(ctx context.Context, text cypher.Text, params map[string]any) (rows []*bolt.Record, full bool, err error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	var overBudget error
	begin := func() { // a failed statement is run again from its start
		_ = graph.TakeBytes(ctx, before.Read-page.Read)
		*page, rows = before, nil
	}
	each := func(row *bolt.Record) bool {
		if page.Full = page.IsFull(s.config.MaxPageBytes); page.Full {
			return false
		}
		size := bolt.SizeOfRow(row.Values)
		if overBudget = graph.TakeBytes(ctx, size); overBudget != nil {
			return false
		}
		page.Read, page.Count = page.Read+size, page.Count+1
		rows = append(rows, row)
		return true
	}
	err = s.client.ReadRecords(ctx, text, params, s.recordSizes.fetchSize(text, s.config.MaxPageBytes, firstFetch), begin, each)
	s.recordSizes.observe(text, len(rows), page.Read-before.Read)
	if err == nil {
		err = overBudget
	}
	return rows, page.Full, bolt.TranslateUnlessForbidden(err)
}

// mixedType is a type of which a page may have had internal data among its rows: somebody gave it a visible type too, in Cypher.
type mixedType struct {
	known *sync.Map // of typeKey: those of which a page had
	of    typeKey
}

func (s *Store) mixedType(k kind, name string) mixedType {
	return mixedType{known: &s.mixed, of: typeKey{k, name}}
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
func (s *Store) cacheID(m *managedTypes, k kind, id string, e *entityRecord) {
	hint, hinted := graph.HintOf(id)
	if of := m.of(k).hinted[hint].names; hinted && len(of) == 1 && slices.Contains(e.names, of[0]) {
		s.idCacheOf(k).put(id, e.elementID)
	}
}

// edgeEntries runs a statement that lists edges. See readPage.
func (s *Store) edgeEntries(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any,
) ([]keyset.Entry[graph.Edge], error) {
	entries, _, err := s.edgeRows(ctx, m, text, params)
	return entries, err
}

// edgeRows is edgeEntries that also returns what was read, including rows of internal data.
func (s *Store) edgeRows(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any,
) ([]keyset.Entry[graph.Edge], keyset.RowsRead, error) {
	rows, full, err := s.readPage(ctx, text, params)
	if err != nil {
		return nil, keyset.RowsRead{}, err
	}
	entries := make([]keyset.Entry[graph.Edge], 0, len(rows))
	for i, row := range rows {
		name := bolt.Column[string](row, "type")
		found := entityRecord{elementID: bolt.Column[string](row, "element"), names: []string{name}, properties: bolt.Column[map[string]any](row,
			"properties")}
		if internalRow(row, found.names) {
			continue
		}
		id, properties, err := s.toDomain(ctx, m, edges, &found)
		if err != nil {
			return nil, keyset.RowsRead{}, bolt.Translate(err)
		}
		edge := graph.Edge{
			ID: id, Type: name, Properties: properties,
			SourceID: bolt.Column[string](row, "source_id"), TargetID: bolt.Column[string](row, "target_id"),
		}
		edge.Ends = s.endsOf(bolt.Column[[]any](row, "ends"), edge.SourceID, edge.TargetID)
		if !neo4jview.ShowEdge(ctx, &edge) {
			continue
		}
		entries = append(entries, keyset.Entry[graph.Edge]{
			Item: edge, Type: name, Own: bolt.Column[bool](row, "own"), Key: bolt.Column[string](row, "key"),
			ElementID: found.elementID, SortColumns: bolt.Column[[]any](row, "sort_columns"), Full: full && i == len(rows)-1,
		})
		s.cacheID(m, edges, edge.ID, &found)
	}
	return entries, rowsReadOf(rows), nil
}
