package neo4jstore

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// record is a row of the driver.
type record = neo4j.Record

// nodeEntries runs a statement that lists nodes; under returns the type under which a node is listed. See readPage.
func (s *Store) nodeEntries(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any, under func(labels []string) string,
) ([]entry[graph.Node], error) {
	entries, _, err := s.nodeRows(ctx, m, text, params, under)
	return entries, err
}

// nodeRows is nodeEntries that also returns what was read, including rows of internal data.
func (s *Store) nodeRows(
	ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any, under func(labels []string) string,
) ([]entry[graph.Node], rowsRead, error) {
	rows, full, err := s.readPage(ctx, text, params)
	if err != nil {
		return nil, rowsRead{}, err
	}
	entries := make([]entry[graph.Node], 0, len(rows))
	for i, row := range rows {
		found := element{
			elementID: column[string](row, "element"), names: textColumn(row, "labels"), properties: column[map[string]any](row, "properties"),
		}
		if internalRow(row, found.names) {
			continue
		}
		node, err := s.node(ctx, m, &found)
		if err != nil {
			return nil, rowsRead{}, translate(err)
		}
		entries = append(entries, entry[graph.Node]{
			item: node, typ: under(node.Labels), own: column[bool](row, "own"), key: column[string](row, "key"),
			elementID: found.elementID, sortColumns: column[[]any](row, "sort_columns"), full: full && i == len(rows)-1,
		})
		s.cacheID(m, nodes, node.ID, &found)
	}
	return entries, rowsReadOf(rows), nil
}

// readPage runs a statement of a list and reads its records one by one, until there are no more or the page is full: the entities of all
// its statements together have reached Config.MaxPageBytes, and there is one more. A page has at least one record, if there is one.
func (s *Store) readPage(ctx context.Context, text cypher.Text, params map[string]any) (rows []*record, full bool, err error) {
	page := pageBytesOf(ctx)
	before := *page
	var overBudget error
	begin := func() { // a failed statement is run again from its start
		_ = graph.TakeBytes(ctx, before.read-page.read)
		*page, rows = before, nil
	}
	each := func(row *record) bool {
		if page.full = page.isFull(s.config.MaxPageBytes); page.full {
			return false
		}
		size := sizeOfRow(row.Values)
		if overBudget = graph.TakeBytes(ctx, size); overBudget != nil {
			return false
		}
		page.read, page.count = page.read+size, page.count+1
		rows = append(rows, row)
		return true
	}
	err = s.client.readRecords(ctx, text, params, s.recordSizes.fetchSize(text, s.config.MaxPageBytes, firstFetch), begin, each)
	s.recordSizes.observe(text, len(rows), page.read-before.read)
	if err == nil {
		err = overBudget
	}
	return rows, page.full, listError(err)
}

func rowsReadOf(rows []*record) rowsRead {
	if len(rows) == 0 {
		return rowsRead{}
	}
	return rowsRead{count: len(rows), key: column[string](rows[len(rows)-1], "key")}
}

// cacheID caches the element id of a listed entity, because clients often read it next. Only an id that hints at its type is cached,
// because a look-up would find no other entity by it.
func (s *Store) cacheID(m *managedTypes, k kind, id string, e *element) {
	hint, hinted := graph.HintOf(id)
	if of := m.of(k).hinted[hint]; hinted && len(of) == 1 && slices.Contains(e.names, of[0]) {
		s.idCacheOf(k).put(id, e.elementID)
	}
}

// edgeEntries runs a statement that lists edges. See readPage.
func (s *Store) edgeEntries(ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any) ([]entry[graph.Edge], error) {
	entries, _, err := s.edgeRows(ctx, m, text, params)
	return entries, err
}

// edgeRows is edgeEntries that also returns what was read, including rows of internal data.
func (s *Store) edgeRows(ctx context.Context, m *managedTypes, text cypher.Text, params map[string]any) ([]entry[graph.Edge], rowsRead, error) {
	rows, full, err := s.readPage(ctx, text, params)
	if err != nil {
		return nil, rowsRead{}, err
	}
	entries := make([]entry[graph.Edge], 0, len(rows))
	for i, row := range rows {
		name := column[string](row, "type")
		found := element{elementID: column[string](row, "element"), names: []string{name}, properties: column[map[string]any](row, "properties")}
		if internalRow(row, found.names) {
			continue
		}
		id, properties, err := s.toDomain(ctx, m, edges, &found)
		if err != nil {
			return nil, rowsRead{}, translate(err)
		}
		edge := graph.Edge{
			ID: id, Type: name, Properties: properties,
			SourceID: column[string](row, "source_id"), TargetID: column[string](row, "target_id"),
		}
		entries = append(entries, entry[graph.Edge]{
			item: edge, typ: name, own: column[bool](row, "own"), key: column[string](row, "key"),
			elementID: found.elementID, sortColumns: column[[]any](row, "sort_columns"), full: full && i == len(rows)-1,
		})
		s.cacheID(m, edges, edge.ID, &found)
	}
	return entries, rowsReadOf(rows), nil
}
