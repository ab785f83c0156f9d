package auth

import (
	"container/list"
	"time"
)

// counter stores the times of the latest failures, oldest first, and the number of attempts in progress.
type counter struct {
	key      counterKey
	failures []time.Time
	pending  int
	level    int           // how many stamps there were at the last failure; 0: in no list
	element  *list.Element // in the list of its level
}

// recent returns the failures that are still in the window. Only recordFailure removes the others, so a counter in a
// list always has failures.
func (c *counter) recent(now time.Time) []time.Time {
	if c == nil {
		return nil
	}
	stamps := c.failures
	for len(stamps) > 0 && now.Sub(stamps[0]) >= failureWindow {
		stamps = stamps[1:]
	}
	return stamps
}

// isExpired reports whether the window contains none of the failures.
func (c *counter) isExpired(now time.Time) bool { return len(c.recent(now)) == 0 }

// timeUntilBelow returns the time until the window contains fewer than limit failures; 0 if it does now.
func (c *counter) timeUntilBelow(now time.Time, limit int) time.Duration {
	stamps := c.recent(now)
	if len(stamps) < limit {
		return 0
	}
	return failureWindow - now.Sub(stamps[len(stamps)-limit])
}

// counters is a map of bounded size. Only a failure keeps a counter in it, so attempts that are rejected before the
// password check evict nothing. When the map is full, a counter with an expired window is evicted first, then the one
// with the fewest failures, the oldest among equals. A counter at or near its limit is evicted only when all others have
// as many failures. Filling the map with such counters takes size times their number of password hashes within the
// window, more than the queue can run in that time.
type counters struct {
	size   int
	limit  int // failures of one counter
	byKey  map[counterKey]*counter
	levels []*list.List // by number of failures; most recent first
	listed int          // number of counters in the lists
}

func newCounters(size, limit int) *counters {
	c := &counters{size: size, limit: limit, byKey: map[counterKey]*counter{}, levels: make([]*list.List, limit+1)}
	for i := range c.levels {
		c.levels[i] = list.New()
	}
	return c
}

// get returns a counter, or nil if there were no failures.
func (c *counters) get(key counterKey) *counter { return c.byKey[key] }

// beginAttempt finds or creates a counter and counts an attempt in progress, which protects it from removal.
func (c *counters) beginAttempt(key counterKey) *counter {
	found := c.byKey[key]
	if found == nil {
		found = &counter{key: key}
		c.byKey[key] = found
	}
	found.pending++
	return found
}

// hasRoom reports whether one more failure would be within the limit if all attempts in progress failed.
func (c *counters) hasRoom(key counterKey, now time.Time) bool {
	found := c.byKey[key]
	return found == nil || len(found.recent(now))+found.pending < c.limit
}

// endAttempt counts an attempt as finished.
func (c *counters) endAttempt(one *counter) {
	if one.pending--; one.pending == 0 && len(one.failures) == 0 {
		c.remove(one)
	}
}

// recordFailure records a failure.
func (c *counters) recordFailure(one *counter, now time.Time) {
	one.failures = one.recent(now)
	if len(one.failures) >= c.limit {
		one.failures = one.failures[1:]
	}
	one.failures = append(one.failures, now)
	c.removeFromLevel(one)
	if c.listed >= c.size {
		c.evict(now)
	}
	one.level = len(one.failures)
	one.element = c.levels[one.level].PushFront(one)
	c.listed++
}

// clearFailures deletes the failures of a counter.
func (c *counters) clearFailures(one *counter) {
	one.failures = nil
	c.removeFromLevel(one)
}

func (c *counters) removeFromLevel(one *counter) {
	if one.level > 0 {
		c.levels[one.level].Remove(one.element)
		one.level, one.element = 0, nil
		c.listed--
	}
}

func (c *counters) remove(one *counter) {
	c.removeFromLevel(one)
	delete(c.byKey, one.key)
}

// evict frees space for one counter. A counter with an attempt in progress stays in the map until the attempt ends, but
// its failures are deleted.
func (c *counters) evict(now time.Time) {
	var victim *counter
	for _, level := range c.levels {
		oldest := level.Back()
		if oldest == nil {
			continue
		}
		one := oldest.Value.(*counter)
		if one.isExpired(now) {
			victim = one
			break
		}
		if victim == nil {
			victim = one
		}
	}
	if victim == nil {
		return
	}
	if c.clearFailures(victim); victim.pending == 0 {
		c.remove(victim)
	}
}
