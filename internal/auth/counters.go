package auth

import (
	"container/list"
	"time"
)

// counter holds the times of the latest failures, oldest first, and how many attempts are in progress.
type counter struct {
	key      counterKey
	failures []time.Time
	pending  int
	level    int           // how many stamps there were at the last failure; 0: in no list
	element  *list.Element // in the list of its level
}

// recent are the stamps that the window still holds. Only fail drops the others: a counter in a list always has stamps.
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

// isPast says whether the window holds none of the failures.
func (c *counter) isExpired(now time.Time) bool { return len(c.recent(now)) == 0 }

// until is how long it takes until fewer than limit failures are in the window; 0 if that is so now.
func (c *counter) timeUntilBelow(now time.Time, limit int) time.Duration {
	stamps := c.recent(now)
	if len(stamps) < limit {
		return 0
	}
	return failureWindow - now.Sub(stamps[len(stamps)-limit])
}

// counters is a map of bounded size. Only failures make a counter stay, so that attempts that are refused beforehand replace nothing.
// When the map is full, a counter whose window is over goes first, then the one with the fewest failures, the oldest of those: a
// counter that bites, or is about to, goes only when all others have as many failures. To fill the map with those takes size times
// their number of password hashes within the window, more than the queue lets run in it.
type counters struct {
	size   int
	limit  int // stamps of one counter
	byKey  map[counterKey]*counter
	levels []*list.List // by number of failures; most recent first
	listed int          // counters in the lists
}

func newCounters(size, limit int) *counters {
	c := &counters{size: size, limit: limit, byKey: map[counterKey]*counter{}, levels: make([]*list.List, limit+1)}
	for i := range c.levels {
		c.levels[i] = list.New()
	}
	return c
}

// look finds a counter; nil where there were no failures.
func (c *counters) get(key counterKey) *counter { return c.byKey[key] }

// begin finds or makes a counter and counts an attempt in progress, which keeps it from being dropped.
func (c *counters) beginAttempt(key counterKey) *counter {
	found := c.byKey[key]
	if found == nil {
		found = &counter{key: key}
		c.byKey[key] = found
	}
	found.pending++
	return found
}

// room says whether one more failure would still be within the limit, were the attempts in progress to fail.
func (c *counters) hasRoom(key counterKey, now time.Time) bool {
	found := c.byKey[key]
	return found == nil || len(found.recent(now))+found.pending < c.limit
}

// end counts an attempt as over.
func (c *counters) endAttempt(one *counter) {
	if one.pending--; one.pending == 0 && len(one.failures) == 0 {
		c.remove(one)
	}
}

// fail records a failure.
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

// forgive forgets the failures.
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

// evict makes room for one counter. One with an attempt in progress stays in the map until that ends, but its failures are forgotten.
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
