package httpapi

import (
	"fmt"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	defaultBytesInFlight        = 128 << 20
	defaultBytesInFlightPerUser = 96 << 20
	// retryAfterBytes is the Retry-After of a request that was rejected because too many bytes are in flight.
	retryAfterBytes = time.Second
	// uncountedBytes is what a request may use without being counted, so that small responses do not contend for the lock.
	uncountedBytes = 64 << 10
)

// answerBudget counts the bytes of all responses in progress: entities that were read from the database and not yet written to a
// client. A request never waits for bytes: one that would exceed a limit is rejected, so there is no deadlock. A request that alone
// uses all counted bytes may exceed the limit; the page size bounds what one request needs.
type answerBudget struct {
	limit, limitPerUser int64

	mu      sync.Mutex
	total   int64
	perUser map[string]int64
}

// answerReservation is the part of the budget that one request uses. It implements graph.ByteBudget.
type answerReservation struct {
	budget *answerBudget
	user   string

	mu      sync.Mutex
	held    int64 // all bytes taken
	counted int64 // bytes counted against the budget
}

// Take reserves bytes for the request: see graph.ByteBudget.
func (h *answerReservation) Take(n int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held+n > uncountedBytes || h.counted > 0 {
		more := h.held + n - h.counted
		if err := h.budget.add(h, more); err != nil {
			return err
		}
		h.counted += more
	}
	h.held += n
	return nil
}

// release returns all bytes of the request to the budget.
func (h *answerReservation) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	_ = h.budget.add(h, -h.counted)
	h.held, h.counted = 0, 0
}

func (b *answerBudget) add(h *answerReservation, n int64) error {
	if n == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	ofUser := b.perUser[h.user]
	switch {
	case n < 0:
	case ofUser+n > b.limitPerUser && ofUser > h.counted:
		return errTooManyBytes("of this user", b.limitPerUser)
	case b.total+n > b.limit && b.total > h.counted:
		return errTooManyBytes("of all users", b.limit)
	}
	b.total += n
	if b.perUser[h.user] = ofUser + n; ofUser+n == 0 {
		delete(b.perUser, h.user)
	}
	return nil
}

func errTooManyBytes(whose string, limit int64) error {
	return fault.New(fault.DatabaseUnavailable, fmt.Sprintf("The responses in progress %s would exceed %d bytes in total; "+
		"try again later, or request smaller pages or fewer at the same time", whose, limit)).RetryAfter(retryAfterBytes)
}
