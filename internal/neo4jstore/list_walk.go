package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// A list is read segment by segment. A segment is what one statement can page through in the contract's order: one phase of a large type,
// several small types together, or the nodes without labels.
type segment[T any] struct {
	types  []string // in order; empty for the nodes without labels
	phases phases
	// page reads entities after a start, after skipping some. It returns fewer than limit only at the segment's end.
	page pageReader[T]
	// count counts the entities of the segment. It is nil in a list's last segment, where it is not needed. With countFirst it is cheaper
	// than skipping the entities.
	countFirst bool
	count      func(ctx context.Context) (int64, error)
}

// pageReader reads up to limit entities after a start, after skipping some.
type pageReader[T any] func(ctx context.Context, from start, skip int64, limit int) ([]entry[T], error)

// phases of a type: first the entities with their own id, then the others by element id.
type phases uint8

const (
	bothPhases phases = iota
	ownPhase
	elementPhase
)

// start is the key after which a statement's rows begin: the type's index in the segment, the phase, the key.
type start struct {
	rank  int
	phase int
	key   string
}

// The start of a segment, and the phase after all others.
var segmentStart = start{rank: -1, phase: phaseEnd}

const phaseEnd = 2

// entry is an entity with its position in the list.
type entry[T any] struct {
	item T
	typ  string
	own  bool
	key  string
	// in a sorted list only
	elementID   string
	sortColumns []any // the columns of cypher.Order
	// full marks the last entity of a page that ends because of its bytes; more entities follow.
	full bool
}

// resume is where a list continues in this segment after a position; done means that the position is after the segment.
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

// begin is the start of a segment. One that reads a single phase compares only keys.
func (s segment[T]) begin() start {
	if s.phases == bothPhases && len(s.types) > 0 {
		return segmentStart
	}
	return start{}
}

// walk collects up to limit entities after a position, or after skipping offset of them. It returns fewer if their bytes fill the page:
// then the last one is marked full.
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
		if bytes.full && len(found)+len(entries) == 0 && err == nil { // by internal rows that were all dropped
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

// pageOf builds a page from the result of a walk with one entity more than the page has, or of fewer that fill it by their bytes.
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

// maxSortedRows is up to how many entities that an index finds are sorted for each page.
const maxSortedRows = 2000

// indexOrDatabaseOrder reads a page of an unmanaged type, with a filter that an index serves: by the index and a sort if the index finds
// few entities, or else in the database's own order. Both have the same cursor positions, so that a list may switch between them.
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

// countConcurrently counts while the page is read, if a count is requested. wait returns the count; it must be called before the request
// ends, whatever the page's result, and may be called twice.
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

// batchSmallTypes divides a sorted list of type names into segments: a large type is a separate segment, small ones share one. The division
// does not depend on where a page starts, so that the statements' texts, and with them the plans, stay the same.
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
	// maxBatchedTypes bounds the small types that one statement reads; planning takes some milliseconds for each, once.
	maxBatchedTypes = 50
	// smallType is the maximum size of a type that is read together with others, by scan and sort: 500 entities cost less than a round
	// trip.
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
	byIndex                    // by the id index, then those without an id in the database's own order
	byScan                     // by scan and sort
)

// chooseReadMode chooses by whether a type is managed, whether it was managed when the list began, and whether sorting the matching
// entities is cheap.
func chooseReadMode(managed, walkedAsManaged, cheap bool) readMode {
	switch {
	case !walkedAsManaged:
		return byDatabase
	case !managed, cheap: // without its constraint the index does not exist
		return byScan
	default:
		return byIndex
	}
}

// walkedTypes are the types whose entities are listed by ids first. A type that became managed, or stopped being managed, during a list
// keeps the order of its first page.
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

// readIndex reads a page by the id index, and reads more if rows of internal data were dropped from it.
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
