package neo4jentity

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// byID looks up the entities of some managed types with an id.
type byID struct {
	id     string
	types  lookupTypes
	shared *typeBatch // contains types; nil for none
	ends   EndNeeds   // as in byElementID
	after  graph.Bookmarks
}

// maxSeparateTypes is up to how many types a batch uses a separate statement for each type. Beyond that, one statement searches a whole
// batch of types, each id in its own types.
const maxSeparateTypes = 2

// maxParallelLookups bounds the statements that one batch of look-ups by id runs concurrently.
const maxParallelLookups = 4

// readByID groups a batch by the types to search; mostly that is one type for each id, given by the id itself.
func (er *ElementReader) readByID(k kind) func(context.Context, []byID) []coalesce.Outcome[[]*Record] {
	return func(ctx context.Context, batch []byID) []coalesce.Outcome[[]*Record] {
		out := make([]coalesce.Outcome[[]*Record], len(batch))
		var group errgroup.Group
		group.SetLimit(maxParallelLookups)
		for _, l := range groupLookups(batch) {
			group.Go(func() error {
				er.runLookup(ctx, k, l, batch, out)
				return nil
			})
		}
		_ = group.Wait()
		return out
	}
}

// lookup is one statement of a batch: the queries at some indexes, in the types that they all name or in a whole type batch.
type lookup struct {
	types   cypher.Fragment
	shared  *typeBatch // nil if the statement is on types
	members []int
}

// endNeeds are those of the queries, in the order of members.
func (l *lookup) endNeeds(batch []byID) []EndNeeds {
	needs := make([]EndNeeds, len(l.members))
	for i, m := range l.members {
		needs[i] = batch[m].ends
	}
	return needs
}

// groupLookups assigns each query of a batch to a statement, by the types that it searches.
func groupLookups(batch []byID) []*lookup {
	separate := map[cypher.Fragment]*lookup{}
	for i, q := range batch {
		l := separate[q.types.quoted]
		if l == nil {
			l = &lookup{types: q.types.quoted}
			separate[q.types.quoted] = l
		}
		l.members = append(l.members, i)
	}
	if len(separate) <= maxSeparateTypes {
		return slices.Collect(maps.Values(separate))
	}
	var all []*lookup
	together := map[*typeBatch]*lookup{}
	for _, l := range separate {
		shared := batch[l.members[0]].shared
		switch into := together[shared]; {
		case shared == nil:
			all = append(all, l)
		case into == nil:
			l.shared, together[shared] = shared, l
			all = append(all, l)
		default:
			into.members = append(into.members, l.members...)
		}
	}
	return all
}

// runLookup runs one statement of a batch.
func (er *ElementReader) runLookup(ctx context.Context, k kind, l *lookup, batch []byID, out []coalesce.Outcome[[]*Record]) {
	s := er.lookupStatement(k, l, batch, whole(k))
	q := partsQuery{text: s.text, params: s.params, rowsInPart: RowsPerPart, sizes: &er.RecordSizes}
	parts, err := er.readRowsInParts(ctx, q, func(t bolt.Tuple, size int64) {
		m := s.queryOf(t.Integer(RowColumn))
		found := er.elementOfSize(k, t, size)
		if l.shared == nil || found.hasAny(batch[m].types.names) {
			out[m].Value = appendOnce(out[m].Value, found)
		}
	})
	for i, m := range l.members {
		row := i
		if s.byQuery {
			row = m
		}
		if out[m].Err = err; parts.isMissing(row) {
			out[m].Err = errUnread
		}
	}
}

// lookupStatement is the statement of a lookup.
type lookupStatement struct {
	text    cypher.Text
	params  map[string]any
	members []int
	byQuery bool // a row has the index of its query in the whole batch, or else that of its id among the members
}

// queryOf is the index, in the batch, of the query that a row answers.
func (s lookupStatement) queryOf(row int64) int {
	if s.byQuery {
		return int(row)
	}
	return s.members[row]
}

// lookupStatement looks the ids of a lookup up in its types, or each id only in its own types once the database has that plan.
func (er *ElementReader) lookupStatement(k kind, l *lookup, batch []byID, content cypher.Fragment) lookupStatement {
	if l.shared != nil && l.shared.PlanCached.Load() {
		return er.perTypeStatement(k, l, batch, content)
	}
	types := l.types
	if l.shared != nil {
		l.shared.Requested.Store(true)
		types = l.shared.quoted
	}
	ids := make([]string, len(l.members))
	for i, m := range l.members {
		ids[i] = batch[m].id
	}
	ends := columnsFor(l.endNeeds(batch))
	return lookupStatement{
		text:   er.texts.lookupText(k, types, ends, content),
		params: ends.AddParams(map[string]any{"ids": ids}), members: l.members,
	}
}

// perTypeStatement looks up each id only in the types that it may have.
func (er *ElementReader) perTypeStatement(k kind, l *lookup, batch []byID, content cypher.Fragment) lookupStatement {
	ids := l.shared.emptyIDs()
	for _, m := range l.members {
		for _, name := range batch[m].types.names {
			at := l.shared.positions[name]
			ids[at] = append(ids[at], []any{m, batch[m].id})
		}
	}
	needs := make([]EndNeeds, len(batch)) // a row has the index of its query in the whole batch
	for _, m := range l.members {
		needs[m] = batch[m].ends
	}
	ends := columnsFor(needs)
	return lookupStatement{
		text: er.texts.perTypeLookup(k, l.shared, ends, content), params: ends.AddParams(map[string]any{"ids": ids}),
		members: l.members, byQuery: true,
	}
}

// emptyIDs is the parameter of perTypeStatement for no ids.
func (l *typeBatch) emptyIDs() [][]any {
	ids := make([][]any, len(l.names))
	for i := range ids {
		ids[i] = []any{}
	}
	return ids
}

func (st *Texts) lookupText(k kind, types cypher.Fragment, ends EndColumns, content cypher.Fragment) cypher.Text {
	return st.textWithEnds(StatementsOf[k].byID, ends, cypher.Slots{"types": types, "content": content})
}

func (st *Texts) perTypeLookup(k kind, l *typeBatch, ends EndColumns, content cypher.Fragment) cypher.Text {
	return st.textWithEnds(StatementsOf[k].byIDPerType, ends, cypher.Slots{"each": l.perType(), "content": content})
}

// appendOnce appends an entity that is not there yet: one of several types may be found for each type.
func appendOnce(to []*Record, e *Record) []*Record {
	if slices.ContainsFunc(to, func(f *Record) bool { return f.ElementID == e.ElementID }) {
		return to
	}
	return append(to, e)
}
