package webhook

import (
	"time"

	"graphrest/internal/journal"
)

// attempt is a delivery in a round.
type attempt struct {
	*Delivery
	record    *journal.Record // of a delivery that is not stored; nil for a stored one
	delivered bool
	attempted bool // without success
	expired   bool // its change is not recorded any more
}

// sequence has the deliveries of one entity, in the order of the feed.
type sequence []*attempt

// isDue reports whether a sequence has something to do.
func (s sequence) isDue(now time.Time) bool { return !s[0].NextAt.After(now) }

// sequences has a sequence for each entity.
type sequences struct {
	byEntity map[string]sequence
	order    []string
}

func groupByEntity(deliveries []*Delivery) *sequences {
	s := &sequences{byEntity: map[string]sequence{}}
	for _, d := range deliveries {
		s.add(attempt{Delivery: d})
	}
	return s
}

func (s *sequences) add(a attempt) {
	entity := string(a.Kind) + " " + a.Entity
	if s.byEntity[entity] == nil {
		s.order = append(s.order, entity)
	}
	s.byEntity[entity] = append(s.byEntity[entity], &a)
}

func (s *sequences) each(do func(*attempt)) {
	for _, entity := range s.order {
		for _, a := range s.byEntity[entity] {
			do(a)
		}
	}
}

// oldest is the time of the oldest change, in microseconds since 1970; 0 for none.
func (s *sequences) oldest() int64 {
	var all []*Delivery
	s.each(func(a *attempt) { all = append(all, a.Delivery) })
	return oldestOf(all)
}

func oldestOf(deliveries []*Delivery) int64 {
	oldest := int64(0)
	for _, d := range deliveries {
		if at := d.At.UnixMicro(); oldest == 0 || at < oldest {
			oldest = at
		}
	}
	return oldest
}
