package neo4jjournal

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

// AsOf reads an entity as it was: see journal.Reader.
func (eh *entityHistory) AsOf(ctx context.Context, domain graph.Kind, entity string, at journal.Moment) (journal.AsOf, error) {
	k := domain
	// The entity is read before the records, so that a change in between has a record. In the other order it would look like a gap.
	found, err := eh.entities.find(ctx, k, entity)
	if err != nil {
		return journal.AsOf{}, err
	}
	view := newJournalView(ctx, eh.visibleNodes)
	if _, err := eh.entities.showLive(ctx, view, &found, entity); err != nil {
		return journal.AsOf{}, err
	}
	// The last id that counts: that of the change, or an upper bound of the ids of the microsecond.
	limit := at.Change
	if at.Change == "" {
		limit = changeIDAt(earliest(at.Time, time.Now())) + neo4jentity.MaxChangeID
	} else if err := eh.checkMoment(ctx, view, found, at.Change); err != nil {
		return journal.AsOf{}, err
	}
	last, next, err := eh.readRecordsAround(ctx, found, limit)
	if err != nil {
		return journal.AsOf{}, err
	}
	past, err := view.statesAround(ctx, k, last, next, found.live)
	if err != nil {
		return journal.AsOf{}, err
	}
	if last == nil && (next == nil || next.Action != journal.Create) && past.following != nil {
		kept, err := eh.isKept(ctx, limit)
		if err != nil {
			return journal.AsOf{}, err
		}
		if !kept {
			return journal.AsOf{}, fault.New(fault.HistoryGone, "The history does not go back that far",
				fault.Detail{Field: "at", Message: "is before the oldest change that is kept"})
		}
	}
	state, gap := past.state()
	if state == nil {
		return journal.AsOf{}, graph.NoSuchEntity(k)
	}
	return eh.asOf(k, state, past.since, gap), nil
}

// checkMoment rejects a change that is not one of the entity, or that the user does not see.
func (eh *entityHistory) checkMoment(ctx context.Context, view *journalView, entity recorded, change string) error {
	r, err := eh.records.change(ctx, change)
	if err != nil {
		return err
	}
	known := r != nil && slices.Contains(entity.keys(), neo4jentity.EntityKey(r.Kind, r.Entity)) && entity.own.has(r)
	if known && view != nil {
		if known, err = view.shows(ctx, r); err != nil {
			return err
		}
	}
	if !known {
		return fault.Invalid("at", "must be a time (RFC 3339) or the id of a change of this entity that is kept")
	}
	return nil
}

// statesAround are the states of an entity around a moment, between two adjacent records, either of which may be missing, as the user sees
// them.
type statesAround struct {
	recorded  bool           // there is a record before the moment
	last      *journal.State // that this record left
	following *journal.State // that the next record found, or the entity as it is now
	since     time.Time      // of the change that left last; zero if it is not known, or not visible
}

// statesAround reads the states around a moment.
func (v *journalView) statesAround(
	ctx context.Context, k graph.Kind, last, next *journal.Record, live *journal.State,
) (a statesAround, err error) {
	id, following := neo4jentity.MaxChangeID, live
	if next != nil {
		id, following = next.ID, next.Before()
	}
	if a.following, err = v.state(ctx, k, id, following); err != nil || last == nil {
		return a, err
	}
	a.recorded, a.since = true, last.At
	if v != nil {
		visible, err := v.shows(ctx, last)
		if err != nil {
			return a, err
		}
		if !visible {
			a.since = time.Time{}
		}
	}
	a.last, err = v.state(ctx, k, last.ID, last.After())
	return a, err
}

// state is the state of the entity at the moment. gap reports that the two states do not agree.
func (a statesAround) state() (state *journal.State, gap bool) {
	if !a.recorded {
		return a.following, false
	}
	return a.last, !journal.EqualStates(a.last, a.following)
}

// isKept reports whether the records of the moment of an id are kept.
func (eh *entityHistory) isKept(ctx context.Context, id string) (bool, error) {
	state, err := eh.sequencer.readState(ctx)
	if err != nil {
		return false, err
	}
	oldest := oldestKept(eh.config.JournalKeep)
	return id >= oldest && id > state.removedID && state.total > 0 && (state.oldest == "" || id >= state.oldest), nil
}

// readRecordsAround reads the last record of an entity up to an id, and the first one after it.
func (eh *entityHistory) readRecordsAround(ctx context.Context, entity recorded, id string) (last, next *journal.Record, err error) {
	params := entity.params()
	params["at"] = id
	found, err := eh.client.Read(ctx, cypher.JournalAround.Text(nil), params)
	if err != nil || len(found) == 0 {
		return nil, nil, bolt.Translate(err)
	}
	for name, into := range map[string]**journal.Record{"last": &last, "next": &next} {
		if stored := bolt.Column[map[string]any](found[0], name); stored != nil {
			r, err := eh.records.decode(stored)
			if err != nil {
				return nil, nil, err
			}
			if r.ID >= oldestKept(eh.config.JournalKeep) {
				*into = &r
			}
			if err := eh.records.completeValues(ctx, &r); err != nil {
				return nil, nil, err
			}
			around := []journal.Record{r}
			if err := eh.records.orderLabels(ctx, around); err != nil {
				return nil, nil, err
			}
			r = around[0]
		}
	}
	if last != nil && entity.isEarlier(last, next == nil) {
		last = nil
	}
	return last, next, nil
}

func (eh *entityHistory) asOf(k graph.Kind, s *journal.State, since time.Time, gap bool) journal.AsOf {
	result := journal.AsOf{At: since, Gap: gap}
	if k == graph.EdgeKind {
		result.Edge = domainEdge(s)
	} else {
		result.Node = eh.entities.domainNode(s)
	}
	return result
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
