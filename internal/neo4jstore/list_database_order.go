package neo4jstore

import (
	"context"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/keyset"
)

// databaseOrder reads entities of one type in the database's own order, which is the order of the number at the end of an element id. A
// scan of the type returns it without sorting; a page in the middle is read by a window of element ids: see
// docs/adr/0010-existing-graphs.md.
type databaseOrder[T any] struct {
	*listRequest[T]
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
	return o.rows(ctx, o.part, o.where, statement, params)
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
		found, got, err := o.read(ctx, o.statements.first, map[string]any{"skip": skip, "limit": limit})
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
	hidden, err := o.exclusions.exclusion(ctx) // read for this page: see exclusionOfPage
	if err != nil {
		return 0, false, err
	}
	name := o.part.name
	visible, err := o.readTotal(ctx, o.totalStatement(name, hidden.parts(o.schema.Counts.Known().Nodes)), name, false)
	if err != nil {
		return 0, false, err
	}
	typeExtent, err := o.extent(ctx, o.kind, o.part.name, 0)
	if err != nil || typeExtent.total != visible.count || visible.atRecords > 0 || !typeExtent.seekable {
		return 0, false, err
	}
	records, err := o.client.ReadRows(ctx, o.text(o.statements.skip, cypher.Slots{"type": cypher.Quote(name)}), map[string]any{"skip": count})
	if err != nil || len(records) == 0 {
		return noNumber, err == nil, err
	}
	_, number, good = keyset.SplitElementID(bolt.Column[string](records[0], "element"))
	return number, good, nil
}

func (o databaseOrder[T]) scanAfter(ctx context.Context, number int64, limit int) ([]keyset.Entry[T], error) {
	found, got, err := o.read(ctx, o.statements.behind, map[string]any{"after": number, "limit": limit})
	return o.readMissing(ctx, found, got, limit, err)
}

// readWindows reads a window of element ids after a number and then goes on number by number until the page is full, or by scan if that
// would take too many seeks.
func (o databaseOrder[T]) readWindows(ctx context.Context, number int64, limit int) ([]keyset.Entry[T], error) {
	typeExtent, err := o.extent(ctx, o.kind, o.part.name, extentAge)
	if err != nil {
		return nil, err
	}
	size := typeExtent.window(limit)
	seeks := typeExtent.maxSeeks()
	if o.filtered {
		seeks = min(seeks, filteredWindows*size)
	}
	var found []keyset.Entry[T]
	statement := o.statements.window
	for next := number + 1; ; {
		if next > typeExtent.last && typeExtent.seekable {
			if typeExtent, err = o.extent(ctx, o.kind, o.part.name, 0); err != nil || next > typeExtent.last {
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
		statement, size = o.statements.onward, max(min(seeks, maxWindow), 1)
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

// extent is where the entities of a type are among all entities: their number, and the number in the last element id.
type extent struct {
	at          time.Time
	total, last int64
	seekable    bool // element ids have the form that windows require
}

// window is how many numbers contain a page if the entities are distributed evenly, plus a quarter.
func (e extent) window(limit int) int64 {
	if e.total == 0 {
		return minWindow
	}
	size := float64(limit) * 1.25 * float64(e.last+1) / float64(e.total)
	return max(minWindow, int64(min(size, 1<<40)))
}

// maxSeeks is how many seeks cost no more than a scan of the type.
func (e extent) maxSeeks() int64 { return min(max(e.total/scanFactor, 8*minWindow), maxSeeks) }

// extentAge is the maximum age of an extent from which a window is computed. At a type's end it is read again.
const extentAge = 5 * time.Second

// maxExtents bounds the cache of extents.
const maxExtents = 4096

// extentCache caches extents. It is no snapshot.Snapshot: the cache is bounded, and a page reads an extent within its own limits. Its zero
// value is ready for use.
type extentCache struct {
	mu    sync.Mutex
	known map[typeKey]extent
}

// extent is the extent of a type, at most age old.
func (l *listReader) extent(ctx context.Context, k kind, name string, age time.Duration) (extent, error) {
	c, of := &l.extents, typeKey{k, name}
	c.mu.Lock()
	known, found := c.known[of]
	c.mu.Unlock()
	began := time.Now()
	if found && began.Sub(known.at) < age {
		return known, nil
	}
	records, err := l.client.ReadRows(ctx, statementsOf[k].extent.Text(cypher.Slots{"type": cypher.Quote(name)}), nil)
	if err != nil {
		return extent{}, err
	}
	e := extent{at: began, last: -1, seekable: true}
	for _, record := range records {
		e.total = bolt.Column[int64](record, "total")
		_, e.last, e.seekable = keyset.SplitElementID(bolt.Column[string](record, "last"))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxExtents {
		c.known = map[typeKey]extent{}
	}
	c.known[of] = e
	return e, nil
}

// unlabelledOrder reads the nodes without labels in the database's own order. The database has no count of them.
type unlabelledOrder[T any] struct{ *listRequest[T] }

func (o unlabelledOrder[T]) read(ctx context.Context, statement cypher.Statement, params map[string]any) ([]keyset.Entry[T], error) {
	return o.entries(ctx, statement, cypher.Slots{"where": o.filter.where("")}, params, o.typeOf(""))
}

// unlabelledWindows are how many numbers the windows have for each node of a page before all nodes are read.
var unlabelledWindows = [...]int64{2, 62}

func (o unlabelledOrder[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	_, after, ok := keyset.SplitElementID(from.Key)
	if !ok {
		return o.read(ctx, cypher.ListNodesUnlabelled, map[string]any{"after": int64(-1), "skip": skip, "limit": limit})
	}
	var found []keyset.Entry[T]
	for _, each := range unlabelledWindows {
		window := min(int64(limit)*each, maxWindow)
		some, err := o.read(ctx, cypher.ListNodesUnlabelledWindow, map[string]any{
			"from": after + 1, "to": after + window, "limit": limit - len(found),
		})
		found = append(found, some...)
		if err != nil || len(found) >= limit || keyset.PageEnds(ctx, len(found), keyset.RowsRead{}) {
			return found, err
		}
		after += window
	}
	rest, err := o.read(ctx, cypher.ListNodesUnlabelled, map[string]any{"after": after, "skip": 0, "limit": limit - len(found)})
	return append(found, rest...), err
}

// maxSortedRows is up to how many entities that an index finds are sorted for each page.
const maxSortedRows = 2000

// chooseOrder reads a page of an unmanaged type, with a filter that an index serves: by the index and a sort if the index
// finds few entities, or else in the database's own order. Both have the same cursor positions, so that a list may switch between them.
func (l *listRequest[T]) chooseOrder(typ string, sorted, ordered keyset.PageReader[T]) keyset.PageReader[T] {
	return func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
		slots := cypher.Slots{"type": cypher.Quote(typ), "where": l.filter.servedWhere(typ)}
		count, err := l.count(ctx, l.statements.few, slots, map[string]any{"max_rows": maxSortedRows})
		switch {
		case err != nil:
			return nil, err
		case count < maxSortedRows:
			return sorted(ctx, from, skip, limit)
		default:
			return ordered(ctx, from, skip, limit)
		}
	}
}
