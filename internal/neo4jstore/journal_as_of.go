package neo4jstore

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// AsOf reads an entity as it was: see journal.Reader.
func (j *Journal) AsOf(ctx context.Context, domain graph.Kind, entity string, at journal.Moment) (journal.AsOf, error) {
	k := kind(domain)
	// The entity is read before the records: a change in between has a record then, instead of looking like a gap.
	found, err := j.find(ctx, k, entity)
	if err != nil {
		return journal.AsOf{}, err
	}
	// An id up to which changes count: that of the change, or the last one of the microsecond.
	limit := at.Change
	if at.Change == "" {
		limit = changeIDAt(earliest(at.Time, time.Now())) + maxChangeID
	} else if r, err := j.change(ctx, at.Change); err != nil {
		return journal.AsOf{}, err
	} else if r == nil || !slices.Contains(found.keys(), entityKey(kind(r.Kind), r.Entity)) {
		return journal.AsOf{}, fault.Invalid("at", "must be a time (RFC 3339) or the id of a change of this entity that is kept")
	}
	last, next, err := j.around(ctx, found, limit)
	if err != nil {
		return journal.AsOf{}, err
	}
	live := found.live
	if last == nil && next == nil && live == nil {
		return journal.AsOf{}, notFound(k)
	}
	if last == nil && (next == nil || next.Action != journal.Create) {
		kept, err := j.isKept(ctx, limit)
		if err != nil {
			return journal.AsOf{}, err
		}
		if !kept {
			return journal.AsOf{}, fault.New(fault.HistoryGone, "The history does not go back that far",
				fault.Detail{Field: "at", Message: "is before the oldest change that is kept"})
		}
	}
	state, since, gap := stateBetween(last, next, live)
	if state == nil {
		return journal.AsOf{}, notFound(k)
	}
	return j.asOf(k, state, since, gap), nil
}

// stateBetween is the state of an entity between two adjacent records, either of which may be missing. since is when it began, if that is
// known; gap says that the two records, or the last one and the entity as it is now, do not agree.
func stateBetween(last, next *journal.Record, live *journal.State) (state *journal.State, since time.Time, gap bool) {
	following := live
	if next != nil {
		following = next.Before()
	}
	if last == nil {
		return following, time.Time{}, false
	}
	state = last.After()
	return state, last.At, !journal.EqualStates(state, following)
}

// isKept says whether the records of the moment of an id are kept.
func (j *Journal) isKept(ctx context.Context, id string) (bool, error) {
	state, err := j.readState(ctx)
	if err != nil {
		return false, err
	}
	return id >= j.oldest() && id > state.removedID && state.total > 0 && (state.oldest == "" || id >= state.oldest), nil
}

// around reads the last record of an entity up to an id, and the first one after it.
func (j *Journal) around(ctx context.Context, entity recorded, id string) (last, next *journal.Record, err error) {
	found, err := j.s.client.Read(ctx, cypher.JournalAround.Text(nil), map[string]any{"entities": entity.keys(), "at": id})
	if err != nil || len(found) == 0 {
		return nil, nil, bolt.Translate(err)
	}
	for name, into := range map[string]**journal.Record{"last": &last, "next": &next} {
		if stored := bolt.Column[map[string]any](found[0], name); stored != nil {
			r, err := j.decode(stored)
			if err != nil {
				return nil, nil, err
			}
			if r.ID >= j.oldest() {
				*into = &r
			}
			if err := j.completeValues(ctx, &r); err != nil {
				return nil, nil, err
			}
		}
	}
	if last != nil && entity.isEarlier(last, next == nil) {
		last = nil
	}
	return last, next, nil
}

// stateOf is an entity as the database has it now.
func (s *Store) stateOf(ctx context.Context, m *managedTypes, k kind, e *element) (*journal.State, error) {
	if k == edges {
		r, err := s.edge(ctx, m, e)
		return &journal.State{
			ID: r.ID, Labels: []string{r.Type}, SourceID: r.SourceID, TargetID: r.TargetID, Properties: r.Properties,
		}, err
	}
	n, err := s.node(ctx, m, e)
	return &journal.State{ID: n.ID, Labels: n.Labels, Properties: n.Properties}, err
}

func (j *Journal) asOf(k kind, s *journal.State, since time.Time, gap bool) journal.AsOf {
	result := journal.AsOf{At: since, Gap: gap}
	if k == edges {
		result.Edge = domainEdge(s)
	} else {
		result.Node = j.domainNode(s)
	}
	return result
}

func (j *Journal) domainNode(s *journal.State) *graph.Node {
	return &graph.Node{ID: s.ID, Type: j.s.declared.current().NodeType(s.Labels), Labels: s.Labels, Properties: s.Properties}
}

func domainEdge(s *journal.State) *graph.Edge {
	return &graph.Edge{ID: s.ID, Type: s.Labels[0], SourceID: s.SourceID, TargetID: s.TargetID, Properties: s.Properties}
}

// revision is the ETag of a state; empty if the entity does not exist.
func (j *Journal) revision(k kind, s *journal.State) string {
	switch {
	case s == nil:
		return ""
	case k == edges:
		return string(domainEdge(s).Revision())
	default:
		return string(j.domainNode(s).Revision())
	}
}

// Erase removes all records of one entity: see journal.Reader.
func (j *Journal) Erase(ctx context.Context, domain graph.Kind, entity string) (int64, error) {
	erased, err := j.find(ctx, kind(domain), entity)
	if err != nil {
		return 0, err
	}
	params := j.s.audit.AdminParameters(ctx, audit.Delete, audit.History, string(domain)+"/"+erased.ids[0], "")
	params["entities"] = erased.keys()
	var found []*bolt.Record
	if found, err = j.s.client.Write(ctx, cypher.JournalErase.Text(nil), params); err != nil {
		return 0, bolt.Translate(err)
	}
	return bolt.SingleInteger(found, "erased")
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
