package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"graphrest/internal/fault"
)

// RateCeiling is how many tokens a key of the RateStore has per period. The store only counts: what a user may do is
// RateCeiling minus what remains, compared with the user's present limit. So a limit that an administrator changes
// counts on the next request, with all that the user has used of the period.
const RateCeiling = 1 << 40

// NewRateStore makes a store that counts in this process's memory. A period begins with a user's first request and is
// followed by the next at once, so the worst case at the edge of two periods is twice the limit in a short time.
// Close it when the API is no longer used.
func NewRateStore(period time.Duration) (limiter.Store, error) {
	return memorystore.New(&memorystore.Config{
		Tokens:   RateCeiling,
		Interval: period,
		// An entry must outlive its period, or sweeping it would give the user a fresh one. The store counts its age from
		// the start of the last period in which it was used.
		SweepInterval: max(period/2, time.Minute),
		SweepMinTTL:   2*period + time.Minute,
	})
}

// takeToken counts the request against its user's limit and puts the state of the limit into the answer's headers, whatever
// the answer will be: 429 when the limit is used up. Refused requests are not counted.
func (c *call) takeToken() error {
	if c.route.Access.Public() {
		return nil
	}
	o := &c.api.options
	limit, policy := o.RateLimit, "default"
	if own := c.principal.RateLimit; own != nil {
		limit, policy = max(*own, 0), "user"
	}
	key := "user:" + c.principal.UserID
	tokens, remaining, reset, taken, err := o.RateStore.Take(c.ctx(), key)
	if err != nil {
		o.Observer.Counted(false, err)
		return fault.Wrap(err, fault.DatabaseUnavailable, "Requests cannot be counted at the moment").RetryAfter(defaultRetry)
	}
	var used int64
	if remaining < tokens {
		used = int64(tokens - remaining)
	}
	left := max(limit-used, 0)
	wait := max(wholeSeconds(time.Until(time.Unix(0, int64(reset)))), 0)
	rateHeaders(c.gin.Writer.Header(), policy, limit, left, wait, o.RatePeriod)
	allowed := taken && used <= limit
	o.Observer.Counted(allowed, nil)
	if allowed {
		return nil
	}
	if taken {
		if err := o.RateStore.Burst(c.ctx(), key, 1); err != nil { // give back what was not used
			c.api.log.WarnContext(c.ctx(), "a refused request could not be given back to the rate limit", "error", err)
		}
	}
	return fault.New(fault.RateLimited, fmt.Sprintf("The limit of %d requests in %s is used up", limit, o.RatePeriod)).
		RetryAfter(time.Duration(max(wait, 1)) * time.Second)
}

var rateHeaderNames = [...]string{"Ratelimit-Policy", "Ratelimit", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"}

// rateHeaders writes the IETF draft's fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4) and the older ones.
func rateHeaders(h http.Header, policy string, limit, left, wait int64, period time.Duration) {
	name, limitText, leftText, waitText := strconv.Quote(policy), strconv.FormatInt(limit, 10), strconv.FormatInt(left, 10), strconv.FormatInt(wait, 10)
	// One array holds all values, under names in net/http's spelling: this runs on every request.
	values := [...]string{
		name + ";q=" + limitText + ";w=" + strconv.FormatInt(wholeSeconds(period), 10),
		name + ";r=" + leftText + ";t=" + waitText, limitText, leftText, waitText,
	}
	for i, header := range rateHeaderNames {
		h[header] = values[i : i+1 : i+1]
	}
}
