// Package keyset reads a list page by page by keys instead of offsets: which part of a list follows a position, how a position becomes a
// cursor and comes back, and when the bytes of a page end it. It runs no statements: its callers pass the functions that read.
package keyset

import (
	"context"
	"slices"

	"graphrest/internal/graph"
)

// Segment is a part of a list, which is read segment by segment. It is what one statement can page through in the contract's order: one
// phase of a large type, several small types together, or the nodes without labels.
type Segment[T any] struct {
	Types  []string // in order; empty for the nodes without labels
	Phases phases
	// Page reads entities after a start, after skipping some. It returns fewer than limit only at the segment's end.
	Page PageReader[T]
	// Count counts the entities of the segment. It is nil in a list's last segment, where it is not needed. With CountFirst it is cheaper
	// than skipping the entities.
	CountFirst bool
	Count      func(ctx context.Context) (int64, error)
}

// PageReader reads up to limit entities after a start, after skipping some.
type PageReader[T any] func(ctx context.Context, from Start, skip int64, limit int) ([]Entry[T], error)

// phases of a type: first the entities with their own id, then the others by element id.
type phases uint8

// The phases that a segment reads; the zero value means both.
const (
	bothPhases phases = iota
	OwnPhase
	ElementPhase
)

// Start is the key after which a statement's rows begin: the type's index in the segment, the phase, the key.
type Start struct {
	Rank  int
	Phase int
	Key   string
}

// segmentStart is the start of a segment.
var segmentStart = Start{Rank: -1, Phase: PhaseEnd}

// PhaseEnd is the phase after all others.
const PhaseEnd = 2

// Entry is an entity with its position in the list.
type Entry[T any] struct {
	Item T
	Type string
	Own  bool
	Key  string
	// in a sorted list only
	ElementID   string
	SortColumns []any // the columns of cypher.Order
	// Full marks the last entity of a page that ends because of its bytes; more entities follow.
	Full bool
}

// resume is where a list continues in this segment after a position; done means that the position is after the segment.
func (s Segment[T]) resume(at *Position) (from Start, done bool) {
	switch {
	case at == nil:
		return s.begin(), false
	case len(s.Types) == 0:
		if at.NoType {
			return Start{Phase: 1, Key: at.Key}, false
		}
		return s.begin(), false
	case at.NoType || at.Type > s.Types[len(s.Types)-1]:
		return Start{}, true
	}
	rank, found := slices.BinarySearch(s.Types, at.Type)
	phase := 1
	if at.Own {
		phase = 0
	}
	switch {
	case !found:
		return Start{Rank: rank - 1, Phase: PhaseEnd}, false
	case s.Phases == OwnPhase && !at.Own:
		return Start{}, true
	case s.Phases == ElementPhase && at.Own:
		return s.begin(), false
	}
	return Start{Rank: rank, Phase: phase, Key: at.Key}, false
}

// begin is the start of a segment. One that reads a single phase compares only keys.
func (s Segment[T]) begin() Start {
	if s.Phases == bothPhases && len(s.Types) > 0 {
		return segmentStart
	}
	return Start{}
}

// Walk collects up to limit entities after a position, or after skipping offset of them. It returns fewer if their bytes fill the page:
// then the last one is marked full.
func Walk[T any](ctx context.Context, segments []Segment[T], at *Position, offset int64, limit int) ([]Entry[T], error) {
	var found []Entry[T]
	ctx, bytes := WithPageBytes(ctx)
	for _, s := range segments {
		from, done := s.resume(at)
		if done {
			continue
		}
		if offset > 0 && s.CountFirst {
			total, err := s.Count(ctx)
			if err != nil {
				return nil, err
			}
			if offset >= total {
				offset -= total
				continue
			}
		}
		entries, err := s.Page(ctx, from, offset, limit-len(found))
		if bytes.Full && len(found)+len(entries) == 0 && err == nil { // by internal rows that were all dropped
			*bytes = PageBytes{}
			entries, err = s.Page(ctx, from, offset, limit)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
		if bytes.Full && len(found) > 0 {
			found[len(found)-1].Full = true
		}
		if bytes.Full || len(found) >= limit {
			break
		}
		if offset > 0 && len(entries) > 0 {
			offset = 0
		}
		if offset > 0 && s.Count != nil {
			total, err := s.Count(ctx)
			if err != nil {
				return nil, err
			}
			offset = max(0, offset-total)
		}
	}
	return found, nil
}

// PageOf builds a page from the result of a walk with one entity more than the page has, or of fewer that fill it by their bytes.
func PageOf[T any, P interface{ Encode() graph.Position }](found []Entry[T], q graph.Paging, positionOf func(Entry[T]) P) graph.Page[T] {
	p := graph.Page[T]{Items: make([]T, 0, min(len(found), q.Limit))}
	for _, e := range found[:min(len(found), q.Limit)] {
		p.Items = append(p.Items, e.Item)
	}
	if last := min(len(found), q.Limit) - 1; len(found) > q.Limit || (last >= 0 && found[last].Full) {
		p.Next = positionOf(found[last]).Encode()
		return p
	}
	if q.After == nil && (q.Offset == 0 || len(found) > 0) {
		total := q.Offset + int64(len(found))
		p.Total = &total
	}
	return p
}

// CountConcurrently counts while the page is read, if a count is requested. wait returns the count; it must be called before the request
// ends, whatever the page's result, and may be called twice.
func CountConcurrently(q graph.Paging, count func() (*int64, error)) (wait func() (*int64, error)) {
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

// BatchSmallTypes divides a sorted list of type names into segments: a large type is a separate segment, small ones share one. The division
// does not depend on where a page starts, so that the statements' texts, and with them the plans, stay the same.
func BatchSmallTypes(names []string, isAlone func(name string) bool) [][]string {
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
	// SmallType is the maximum size of a type that is read together with others, by scan and sort: 500 entities cost less than a round
	// trip.
	SmallType = 500
)

// RanksOf numbers the types of a segment.
func RanksOf(types []string) map[string]any {
	ranks := make(map[string]any, len(types))
	for i, name := range types {
		ranks[name] = i
	}
	return ranks
}

// ReadMode is how the entities of a type are read.
type ReadMode int

// How the entities of a type are read; the zero value means in the database's own order.
const (
	byDatabase ReadMode = iota // in the database's own order
	ByIndex                    // by the id index, then those without an id in the database's own order
	ByScan                     // by scan and sort
)

// ChooseReadMode chooses by whether a type is managed, whether it was managed when the list began, and whether sorting the matching
// entities is cheap.
func ChooseReadMode(managed, walkedAsManaged, cheap bool) ReadMode {
	switch {
	case !walkedAsManaged:
		return byDatabase
	case !managed, cheap: // without its constraint the index does not exist
		return ByScan
	default:
		return ByIndex
	}
}

// WalkedTypes are the types whose entities are listed by ids first. A type that became managed, or stopped being managed, during a list
// keeps the order of its first page.
func WalkedTypes(managed []string, at *Position) []string {
	if at == nil || at.NoType {
		return managed
	}
	if _, now := slices.BinarySearch(managed, at.Type); now == at.Managed {
		return managed
	}
	if i := slices.Index(managed, at.Type); i >= 0 {
		return slices.Delete(slices.Clone(managed), i, i+1)
	}
	return append(slices.Clone(managed), at.Type)
}
