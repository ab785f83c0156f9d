package neo4jlist

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// databaseOrder reads entities of one type in the database's own order, which is the order of the number at the end of an element id. A
// scan of the type returns it without sorting; a page in the middle is read by a window of element ids: see
// docs/adr/0010-existing-graphs.md.
type databaseOrder[T any] struct {
	client   *bolt.Client
	extents  *extentCache
	exact    *exactCounter
	rows     *listRows[T]
	query    *listQuery
	part     typePart
	where    cypher.Fragment
	filtered bool
	// whole means that every visible entity of the type is read, without a filter, whatever its id.
	whole bool
}

// read runs one of the statements.
func (o databaseOrder[T]) read(
	ctx context.Context, statement cypher.Statement, params map[string]any,
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	return o.rows.readType(ctx, o.part, o.where, statement, params)
}

// page reads up to limit entities from the start, after skipping some, or after a key. It returns fewer only at the end of the type, or if
// their bytes fill the page.
func (o databaseOrder[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	if from.Key == "" && skip >= farSkip && o.whole {
		number, there, err := o.skipTo(ctx, skip)
		switch {
		case err != nil:
			return nil, err
		case there && number == noNumber:
			return nil, nil
		case there:
			return o.readWindows(ctx, number-1, limit)
		}
	}
	if from.Key == "" {
		found, got, err := o.read(ctx, o.query.statements.first, map[string]any{"skip": skip, "limit": limit})
		return o.readMissing(ctx, found, got, limit, err)
	}
	_, number, ok := keyset.SplitElementID(from.Key)
	if !ok {
		return nil, fault.Invalid("cursor", "is not a cursor of this service")
	}
	return o.readWindows(ctx, number, limit)
}

// readMissing reads more entities if internal rows were dropped from a full page.
func (o databaseOrder[T]) readMissing(
	ctx context.Context, found []keyset.Entry[T], got keyset.RowsRead, limit int, err error,
) ([]keyset.Entry[T], error) {
	if err != nil || len(found) >= limit || keyset.PageEnds(ctx, len(found), got) {
		return found, err
	}
	if again := keyset.RestartPage(ctx, got); got.Count < limit && !again {
		return found, nil
	}
	more, err := o.page(ctx, keyset.Start{Phase: 1, Key: got.Key}, 0, limit-len(found))
	return append(found, more...), err
}

const (
	// farSkip is the number of skipped entities from which it pays to find the start of the page first.
	farSkip  = 2000
	noNumber = -1
)

// skipTo finds the number of the entity after the first count of the type; noNumber if there are fewer. It is not usable (good is false) if
// internal data has the type, which a count of the internal nodes shows.
func (o databaseOrder[T]) skipTo(ctx context.Context, count int64) (number int64, good bool, err error) {
	name, texts := o.part.name, o.rows.texts
	// The names were read for this page: see ExclusionOfPage.
	visible, err := o.exact.countUnverified(ctx, name, func(_ *neo4jentity.Exclusion, parts internalParts) cypher.Text {
		return texts.total(name, parts)
	})
	if err != nil {
		return 0, false, err
	}
	typeExtent, err := o.extents.extent(ctx, o.query.kind, o.part.name, 0)
	if err != nil || typeExtent.total != visible.count || visible.atRecords > 0 || !typeExtent.seekable {
		return 0, false, err
	}
	text := texts.text(o.query.statements.skip, cypher.Slots{"type": cypher.Quote(name)})
	records, err := o.client.ReadRows(ctx, text, map[string]any{"skip": count})
	if err != nil || len(records) == 0 {
		return noNumber, err == nil, err
	}
	_, number, good = keyset.SplitElementID(bolt.Column[string](records[0], "element"))
	return number, good, nil
}

func (o databaseOrder[T]) scanAfter(ctx context.Context, number int64, limit int) ([]keyset.Entry[T], error) {
	found, got, err := o.read(ctx, o.query.statements.behind, map[string]any{"after": number, "limit": limit})
	return o.readMissing(ctx, found, got, limit, err)
}

// readWindows reads a window of element ids after a number and then goes on number by number until the page is full, or by scan if that
// would take too many seeks.
func (o databaseOrder[T]) readWindows(ctx context.Context, number int64, limit int) ([]keyset.Entry[T], error) {
	typeExtent, err := o.extents.extent(ctx, o.query.kind, o.part.name, extentAge)
	if err != nil {
		return nil, err
	}
	size := typeExtent.window(limit)
	seeks := typeExtent.maxSeeks()
	if o.filtered {
		seeks = min(seeks, filteredWindows*size)
	}
	var found []keyset.Entry[T]
	statement := o.query.statements.window
	for next := number + 1; ; {
		if next > typeExtent.last && typeExtent.seekable {
			if typeExtent, err = o.extents.extent(ctx, o.query.kind, o.part.name, 0); err != nil || next > typeExtent.last {
				return found, err // no entity was created after the end meanwhile
			}
		}
		asked := limit - len(found)
		if seeks < size || !typeExtent.seekable {
			rest, err := o.scanAfter(ctx, next-1, asked)
			return append(found, rest...), err
		}
		to := min(next+size-1, typeExtent.last)
		entries, got, err := o.read(ctx, statement, map[string]any{"from": next, "to": to, "limit": asked})
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
		if len(found) >= limit || keyset.PageEnds(ctx, len(found), got) {
			return found, nil
		}
		before := next
		next = to + 1
		if again := keyset.RestartPage(ctx, got); again || got.Count == asked { // rows of internal data were dropped
			_, last, _ := keyset.SplitElementID(got.Key)
			next = last + 1
		}
		seeks -= next - before
		statement, size = o.query.statements.onward, max(min(seeks, maxWindow), 1)
	}
}

const (
	// A seek by number costs about as much as scanning scanFactor entities: one of a window 2.7 times as much, of those behind it 4
	// times.
	scanFactor = 4
	// filteredWindows is how many windows of the first size are read before few entities are assumed to meet a filter, which a scan finds
	// sooner.
	filteredWindows = 16
	minWindow       = 64
	maxWindow       = 1 << 16
	// maxSeeks bounds the seeks in a gap, however large the type is.
	maxSeeks = 4 * maxWindow
)
