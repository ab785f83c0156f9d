package bolt

import (
	"sync"
	"time"
)

// distanceWindow is how long the fastest statement counts as the distance, at least, and at most twice as long. Even on a busy database
// some statement of such a period is not delayed by others.
const distanceWindow = 10 * time.Second

// distance estimates the round-trip time to the database: that of the fastest statement of the last seconds. The zero value is ready for
// use.
type distance struct {
	mu                sync.Mutex
	since             time.Time     // when the current window began
	current, previous time.Duration // the fastest statement of each window; 0 if there was none
}

// record adds a statement that took some time until now.
func (d *distance) record(took time.Duration, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advanceWindow(now)
	if d.current == 0 || took < d.current {
		d.current = max(took, 1)
	}
}

// at returns the distance at a time; 0 if no statement was recorded recently.
func (d *distance) at(now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advanceWindow(now)
	if d.current == 0 || d.previous == 0 {
		return max(d.current, d.previous)
	}
	return min(d.current, d.previous)
}

// advanceWindow begins a new window if the current one is over.
func (d *distance) advanceWindow(now time.Time) {
	switch age := now.Sub(d.since); {
	case age >= 2*distanceWindow:
		d.since, d.previous, d.current = now, 0, 0
	case age >= distanceWindow:
		d.since, d.previous, d.current = d.since.Add(distanceWindow), d.current, 0
	}
}

// Distance returns the time of the fastest statement of the last 10 to 20 seconds, about one round trip to the database; 0 if none ran.
// Load on the database does not change it unless every statement waits.
func (c *Client) Distance() time.Duration { return c.distance.at(time.Now()) }
