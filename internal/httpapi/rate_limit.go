package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// RateCeiling is the number of tokens per key and period in the RateStore. The store only counts: RateCeiling minus the remaining
// tokens is the number of requests, which is compared with the user's current limit. So a limit that an administrator changes
// applies to the next request, including the requests already made in the period.
const RateCeiling = 1 << 40

// NewRateStore creates a store that counts in this process's memory (fixed window). A period begins with a user's first request;
// the next period follows immediately, so around the edge of two periods a user can make up to twice the limit in a short time.
// Close it when the API is no longer used.
func NewRateStore(period time.Duration) (limiter.Store, error) {
	return memorystore.New(&memorystore.Config{
		Tokens:   RateCeiling,
		Interval: period,
		// An entry must outlive its period, or sweeping it would reset the user's count. The store measures its age from
		// the start of the last period in which it was used.
		SweepInterval: max(period/2, time.Minute),
		SweepMinTTL:   2*period + time.Minute,
	})
}

// enforceRateLimit counts the request against its user's limit and sets the rate-limit headers of the response: 429 if the limit
// is used up. Rejected requests are not counted.
func (c *call) enforceRateLimit() error {
	if c.route.Access.Public() || agentCallOf(c.ctx()) != nil { // the agent's message was counted
		return nil
	}
	return c.enforceLimitOf(c.principal)
}

// enforceLimitOf is enforceRateLimit for a user whom a handler of a public route has authenticated.
func (c *call) enforceLimitOf(p auth.Principal) error {
	state, err := c.countRequest(p)
	if err != nil {
		return err
	}
	setRateHeaders(c.gin.Writer.Header(), state, c.api.options.RatePeriod)
	return state.refusal(c.api.options.RatePeriod)
}

// countLogin counts a login with a correct password against the user's limit, since a login costs more than most requests although
// its route is public. Its response has no rate-limit headers. Failed logins are limited by the throttle of package auth.
func (c *call) countLogin(p auth.Principal) error {
	state, err := c.countRequest(p)
	if err != nil {
		return err
	}
	return state.refusal(c.api.options.RatePeriod)
}

// countMore counts a request that is as expensive as several as that many more. If the limit does not allow all of them, none is counted,
// nor is the request itself.
func (c *call) countMore(more int) error {
	for counted := 1; counted <= more; counted++ {
		state, err := c.countRequest(c.principal)
		if err != nil {
			return err
		}
		setRateHeaders(c.gin.Writer.Header(), state, c.api.options.RatePeriod)
		if err := state.refusal(c.api.options.RatePeriod); err != nil {
			c.returnTokens(c.principal, counted)
			return err
		}
	}
	return nil
}

// returnTokens undoes the count of requests that are rejected.
func (c *call) returnTokens(p auth.Principal, n int) {
	if err := c.api.options.RateStore.Burst(c.ctx(), rateKey(p), uint64(n)); err != nil {
		c.api.log.WarnContext(c.ctx(), "the token of a rejected request could not be returned to the rate limit", "error", err)
	}
}

func rateKey(p auth.Principal) string { return "user:" + p.UserID }

// rateState is the state of a user's rate limit.
type rateState struct {
	policy      string
	limit, left int64
	wait        int64 // seconds until the period ends
	allowed     bool
}

func (s rateState) refusal(period time.Duration) error {
	if s.allowed {
		return nil
	}
	return fault.New(fault.RateLimited, fmt.Sprintf("The limit of %d requests in %s is used up", s.limit, period)).
		RetryAfter(time.Duration(max(s.wait, 1)) * time.Second)
}

// countRequest counts one request of a user. DATABASE_UNAVAILABLE if the RateStore fails.
func (c *call) countRequest(p auth.Principal) (rateState, error) {
	o := &c.api.options
	state := rateState{policy: "default", limit: o.RateLimit}
	if own := p.RateLimit; own != nil {
		state.policy, state.limit = "user", max(*own, 0)
	}
	tokens, remaining, reset, taken, err := o.RateStore.Take(c.ctx(), rateKey(p))
	if err != nil {
		o.Observer.Counted(false, err)
		return state, fault.Wrap(err, fault.DatabaseUnavailable, "Requests cannot be counted at the moment").RetryAfter(defaultRetry)
	}
	var used int64
	if remaining < tokens {
		used = int64(tokens - remaining)
	}
	state.left = max(state.limit-used, 0)
	state.wait = max(ceilSeconds(time.Until(time.Unix(0, int64(reset)))), 0)
	state.allowed = taken && used <= state.limit
	o.Observer.Counted(state.allowed, nil)
	if !state.allowed && taken {
		c.returnTokens(p, 1)
	}
	return state, nil
}

var rateHeaderNames = [...]string{"Ratelimit-Policy", "Ratelimit", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"}

// setRateHeaders writes the IETF draft's fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4) and the older ones.
func setRateHeaders(h http.Header, s rateState, period time.Duration) {
	// One text that all values are parts of, one array for them, and canonical header names save allocations: this runs on every request.
	var buffer [192]byte
	b := strconv.AppendQuote(buffer[:0], s.policy)
	name := string(b)
	b = append(b, ";q="...)
	limitAt := len(b)
	b = strconv.AppendInt(b, s.limit, 10)
	limitEnd := len(b)
	b = strconv.AppendInt(append(b, ";w="...), ceilSeconds(period), 10)
	policyEnd := len(b)
	b = append(append(b, name...), ";r="...)
	leftAt := len(b)
	b = strconv.AppendInt(b, s.left, 10)
	leftEnd := len(b)
	b = append(b, ";t="...)
	waitAt := len(b)
	text := string(strconv.AppendInt(b, s.wait, 10))
	values := [...]string{text[:policyEnd], text[policyEnd:], text[limitAt:limitEnd], text[leftAt:leftEnd], text[waitAt:]}
	for i, header := range rateHeaderNames {
		h[header] = values[i : i+1 : i+1]
	}
}
