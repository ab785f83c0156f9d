package neo4jlist

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// pagesPerWholeRead is how many times the expected rows of a statement must fit into the bytes of a page for it to return the entities. If
// the rows exceed the bytes anyway, they are read again without the entities, because the exact order needs all rows.
const pagesPerWholeRead = 2

// readTop runs the statement of the native sort. That of nodes returns the entities too (entities is true), which saves a round trip and
// the look-up of each entity by its element id, unless more rows are read than the page has, or they were too large the last times.
//
// Where an index has the order, each label test costs as much as reading the row. Internal nodes are then excluded as in withoutInternal.
func (s sortedRead[T]) readTop(
	ctx context.Context, slots cypher.Slots, params map[string]any,
) (rows []*bolt.Record, entities bool, err error) {
	every := slots["internal"]
	if after := s.position.after; s.query.kind == graph.NodeKind && (after == nil || after.Ties <= s.query.Limit) {
		mixed := s.rows.mixed.of(graph.NodeKind, string(s.query.Type))
		params["entities"] = true
		if s.position.hasIndex && !mixed.isKnown() {
			slots["internal"] = s.excluded.InPage(false)
		}
		rows, entities, err = s.readWhole(ctx, slots, params)
		if entities && slots["internal"] != every && slices.ContainsFunc(rows, isInternalNode) {
			mixed.setKnown()
			releaseRows(ctx, rows)
			slots["internal"] = every
			rows, entities, err = s.readWhole(ctx, slots, params)
		}
		if err != nil || entities {
			return rows, entities, err
		}
		slots["internal"] = every
	}
	params["entities"] = false
	rows, err = s.client.ReadRows(ctx, s.texts.text(s.top, slots), s.texts.paramsOf(s.top, params))
	return rows, false, bolt.TranslateUnlessForbidden(err)
}

func isInternalNode(row *bolt.Record) bool {
	return neo4jentity.InternalRow(row, bolt.TextColumn(row, "labels"))
}

// readWhole reads the rows with their entities; fits is false if they fill the page, or did the last times.
func (s sortedRead[T]) readWhole(
	ctx context.Context, slots cypher.Slots, params map[string]any,
) (rows []*bolt.Record, fits bool, err error) {
	text := s.texts.text(s.top, slots)
	limit, _ := params["limit"].(int)
	if !s.elements.RecordSizes.MayBeSmall(text, s.elements.Config.MaxPageBytes/int64(pagesPerWholeRead*limit)) {
		return nil, false, nil
	}
	rows, full, err := s.elements.ReadPage(ctx, text, s.texts.paramsOf(s.top, params))
	if err != nil || !full {
		return rows, err == nil, err
	}
	releaseRows(ctx, rows)
	keyset.PageBytesOf(ctx).Full = false
	return nil, false, nil
}

// releaseRows subtracts unused rows from the bytes of the page and of the request.
func releaseRows(ctx context.Context, rows []*bolt.Record) {
	page := keyset.PageBytesOf(ctx)
	for _, row := range rows {
		size := bolt.SizeOfRow(row.Values)
		_ = graph.TakeBytes(ctx, -size)
		page.Read, page.Count = page.Read-size, page.Count-1
	}
}

// entriesOf are the entities of the rows of a page in order, without those that the user does not see.
func (s sortedRead[T]) entriesOf(ctx context.Context, rows []*bolt.Record, ordered []topRow) ([]keyset.Entry[T], error) {
	used := make(map[*bolt.Record]bool, len(ordered))
	found := make([]keyset.Entry[T], 0, len(ordered))
	for _, p := range ordered {
		entry, shown, err := s.rows.entry(ctx, p.row, s.rows.typeOf())
		if err != nil {
			return nil, err
		}
		used[p.row] = true
		if shown {
			entry.Own, entry.Key, entry.SortColumns = p.Key != "", p.Key, p.Columns
			found = append(found, entry)
		}
	}
	releaseRows(ctx, slices.DeleteFunc(slices.Clone(rows), func(row *bolt.Record) bool { return used[row] }))
	return found, nil
}
