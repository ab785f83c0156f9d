package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// A list is walked segment by segment: a segment is what one statement can page through in the contract's order, be it
// one phase of a large type, several small types together, or the nodes without labels.
type segment[T any] struct {
	types  []string // in order; empty for the nodes without labels
	phases phases
	// page reads entities behind a start, after skipping some. It returns fewer than limit only at the segment's end.
	page pageReader[T]
	// count says how many entities the segment has in all. Nil in a list's last segment, where it is of no use.
	// With countFirst it costs less than to skip them.
	countFirst bool
	count      func(ctx context.Context) (int64, error)
}

// pageReader reads up to limit entities behind a start, after skipping some.
type pageReader[T any] func(ctx context.Context, from start, skip int64, limit int) ([]entry[T], error)

// phases of a type: first those with an id of their own, then the rest by element id.
type phases uint8

const (
	bothPhases phases = iota
	ownPhase
	elementPhase
)

// start is the key that a statement's rows must be behind: the type's place in the segment, the phase, the key.
type start struct {
	rank  int
	phase int
	key   string
}

// The start of a segment, and a phase that nothing comes after.
var segmentStart = start{rank: -1, phase: phaseEnd}

const phaseEnd = 2

// entry is an entity with its place in the list.
type entry[T any] struct {
	item T
	typ  string
	own  bool
	key  string
	// of a sorted list only
	elementID   string
	sortColumns []any // the columns of cypher.Order
	// full marks the last entity of a page that ends here because of its bytes; there are more behind it.
	full bool
}

// resume says where a walk that has reached a place goes on in this segment; done means that it is behind it.
func (s segment[T]) resume(at *cursorPosition) (from start, done bool) {
	switch {
	case at == nil:
		return s.begin(), false
	case len(s.types) == 0:
		if at.noType {
			return start{phase: 1, key: at.key}, false
		}
		return s.begin(), false
	case at.noType || at.typ > s.types[len(s.types)-1]:
		return start{}, true
	}
	rank, found := slices.BinarySearch(s.types, at.typ)
	phase := 1
	if at.own {
		phase = 0
	}
	switch {
	case !found:
		return start{rank: rank - 1, phase: phaseEnd}, false
	case s.phases == ownPhase && !at.own:
		return start{}, true
	case s.phases == elementPhase && at.own:
		return s.begin(), false
	}
	return start{rank: rank, phase: phase, key: at.key}, false
}

// top is the start of a segment. One that walks a single phase compares nothing but keys.
func (s segment[T]) begin() start {
	if s.phases == bothPhases && len(s.types) > 0 {
		return segmentStart
	}
	return start{}
}

// walk collects up to limit entities behind a place, or after skipping offset of them. It returns fewer when their bytes fill the
// page: then the last one is marked full.
func walk[T any](ctx context.Context, segments []segment[T], at *cursorPosition, offset int64, limit int) ([]entry[T], error) {
	var found []entry[T]
	ctx, bytes := withPageBytes(ctx)
	for _, s := range segments {
		from, done := s.resume(at)
		if done {
			continue
		}
		if offset > 0 && s.countFirst {
			total, err := s.count(ctx)
			if err != nil {
				return nil, err
			}
			if offset >= total {
				offset -= total
				continue
			}
		}
		entries, err := s.page(ctx, from, offset, limit-len(found))
		if bytes.full && len(found)+len(entries) == 0 && err == nil { // of internal rows that were all dropped
			*bytes = pageBytes{}
			entries, err = s.page(ctx, from, offset, limit)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
		if bytes.full && len(found) > 0 {
			found[len(found)-1].full = true
		}
		if bytes.full || len(found) >= limit {
			break
		}
		if offset > 0 && len(entries) > 0 {
			offset = 0
		}
		if offset > 0 && s.count != nil {
			total, err := s.count(ctx)
			if err != nil {
				return nil, err
			}
			offset = max(0, offset-total)
		}
	}
	return found, nil
}

// pageOf makes a page of what a walk found with one entity more than the page holds, or of fewer that fill it by their bytes.
func pageOf[T any, P interface{ encode() graph.Position }](found []entry[T], q graph.Paging, positionOf func(entry[T]) P) graph.Page[T] {
	p := graph.Page[T]{Items: make([]T, 0, min(len(found), q.Limit))}
	for _, e := range found[:min(len(found), q.Limit)] {
		p.Items = append(p.Items, e.item)
	}
	if last := min(len(found), q.Limit) - 1; len(found) > q.Limit || (last >= 0 && found[last].full) {
		p.Next = positionOf(found[last]).encode()
		return p
	}
	if q.After == nil && (q.Offset == 0 || len(found) > 0) {
		total := q.Offset + int64(len(found))
		p.Total = &total
	}
	return p
}

// sortedFew is up to how many entities that an index finds are sorted for each page.
const maxSortedRows = 2000

// byIndexWhereFew reads a page of a type that is not managed, with a filter that an index serves, by the index and a sort where it finds
// few, else in the database's own order. Both ways have the same positions, so that a walk may change from one to the other.
func indexOrDatabaseOrder[T any](f filter, s *Store, probe cypher.Statement, typ string, sorted, ordered pageReader[T]) pageReader[T] {
	return func(ctx context.Context, from start, skip int64, limit int) ([]entry[T], error) {
		text := probe.Text(cypher.Slots{"type": cypher.Quote(typ), "where": f.servedWhere(typ)})
		count, err := s.readCount(ctx, text, f.with(map[string]any{"most": maxSortedRows}))
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

// countBeside counts while the page is read, where a count is asked for. Wait returns the count; it must be called before the request
// ends, whatever became of the page, and may be called twice.
func countConcurrently(q graph.Paging, count func() (*int64, error)) (wait func() (*int64, error)) {
	if !q.Count {
		return func() (*int64, error) { return nil, nil }
	}
	var total *int64
	var err error
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		total, err = count()
	}()
	return func() (*int64, error) {
		<-counted
		return total, err
	}
}

// groups cuts a list of type names, in order, into segments: a large type stands alone, small ones go together. The
// cut does not depend on where a page starts, so that the statements' texts, and with them the plans, stay the same.
func batchSmallTypes(names []string, isAlone func(name string) bool) [][]string {
	var out [][]string
	var batch []string
	for _, name := range names {
		if isAlone(name) || len(batch) == maxBatchedTypes {
			if len(batch) > 0 {
				out = append(out, batch)
			}
			batch = nil
		}
		if isAlone(name) {
			out = append(out, []string{name})
			continue
		}
		batch = append(batch, name)
	}
	if len(batch) > 0 {
		out = append(out, batch)
	}
	return out
}

const (
	// groupTypes bounds how many small types one statement reads; planning takes some milliseconds for each, once.
	maxBatchedTypes = 50
	// smallType is up to how many entities a type is read together with others, by scan and sort: half a thousand cost
	// less than a round trip.
	smallType = 500
)

// ranksOf numbers the types of a segment.
func ranksOf(types []string) map[string]any {
	ranks := make(map[string]any, len(types))
	for i, name := range types {
		ranks[name] = i
	}
	return ranks
}

// readMode is how the entities of a type are read.
type readMode int

const (
	byDatabase readMode = iota // in the database's own order
	byIndex                    // by the index on ids, then those without an id in the database's own order
	byScan                     // by scan and sort
)

// chooseReading decides by whether a type is managed, whether the walk began with it as a managed one, and whether sorting all that is
// looked for costs little.
func chooseReadMode(managed, walkedAsManaged, cheap bool) readMode {
	switch {
	case !walkedAsManaged:
		return byDatabase
	case !managed, cheap: // without its constraint the index is gone
		return byScan
	default:
		return byIndex
	}
}

// walkedTypes are the types whose entities come by ids first. The rest of a type that became managed, or stopped to be, in the
// middle of a walk keeps the order that the walk began with.
func walkedTypes(managed []string, at *cursorPosition) []string {
	if at == nil || at.noType {
		return managed
	}
	if _, now := slices.BinarySearch(managed, at.typ); now == at.managed {
		return managed
	}
	if i := slices.Index(managed, at.typ); i >= 0 {
		return slices.Delete(slices.Clone(managed), i, i+1)
	}
	return append(slices.Clone(managed), at.typ)
}

// readIndex reads a page by the index on ids, and goes on where rows of internal data were dropped from it.
func readIndex[T any](
	ctx context.Context, after string, skip int64, limit int, read func(after string, skip int64, limit int) ([]entry[T], rowsRead, error),
) ([]entry[T], error) {
	var found []entry[T]
	for {
		asked := limit - len(found)
		entries, got, err := read(after, skip, asked)
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
		if len(found) >= limit || pageEnds(ctx, len(found), got) {
			return found, nil
		}
		if again := restartPage(ctx, got); got.count < asked && !again {
			return found, nil
		}
		after, skip = got.key, 0
	}
}
