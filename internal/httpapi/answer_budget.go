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
	// retryAfterBytes is when to try again where too many bytes are in flight.
	retryAfterBytes = time.Second
	// uncountedBytes is what a request may hold without being counted, so that small answers do not meet on a lock.
	uncountedBytes = 64 << 10
)

// answerBudget are the bytes that all answers under way hold: entities that were read from the database and not yet written to a
// client. Nobody waits for bytes: a request that would exceed a limit is refused, so there is no deadlock. A request that holds all that is
// held goes on, whatever it needs; what one request may need is bounded by the size of a page.
type answerBudget struct {
	limit, limitPerUser int64

	mu      sync.Mutex
	total   int64
	perUser map[string]int64
}

// answerReservation is what one request holds. It implements graph.ByteBudget.
type answerReservation struct {
	budget *answerBudget
	user   string

	mu      sync.Mutex
	held    int64 // all that was taken
	counted int64 // the part of it that is counted
}

// Take adds to what the request holds: see graph.ByteBudget.
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

// release gives back all that the request holds.
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

func errTooManyBytes(whose string, most int64) error {
	return fault.New(fault.DatabaseUnavailable, fmt.Sprintf("The answers under way %s would hold more than %d bytes together; "+
		"try again when some have been read, or ask for smaller pages or fewer at once", whose, most)).RetryAfter(retryAfterBytes)
}
