package query

import (
	"strconv"
	"sync"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

const (
	maxCached      = 256      // answers
	maxCachedBytes = 64 << 20 // of all answers, as JSON
	maxCachedOne   = 4 << 20
)

// cache keeps the answers of queries that allow it. It is safe for concurrent use.
type cache struct {
	now func() time.Time

	mu    sync.Mutex
	known map[string]cachedAnswer
	bytes int64
}

type cachedAnswer struct {
	answer  *answer.Answer
	bytes   int64
	expires time.Time
}

func newCache(now func() time.Time) *cache { return &cache{now: now, known: map[string]cachedAnswer{}} }

// cached returns the answer of a query with its values: the cached one if there is one, else that of run.
func (s *Service) cached(
	c Caller, q *Query, values map[string]graph.Value, run func() (*answer.Answer, error),
) (*answer.Answer, error) {
	if q.CacheSeconds == 0 {
		return run()
	}
	key := q.cacheKey(values)
	if a := s.cache.get(key); a != nil {
		c.begin()
		return a, nil
	}
	a, err := run()
	if err == nil {
		s.cache.put(key, a, time.Duration(q.CacheSeconds)*time.Second)
	}
	return a, err
}

// cacheKey identifies a version of a query, which a query that is created again under its name does not share, and the values.
func (q *Query) cacheKey(values map[string]graph.Value) string {
	key := append([]byte(q.Name), ' ')
	key = append(strconv.AppendInt(key, q.Version, 10), ' ')
	key = append(strconv.AppendInt(key, q.CreatedAt.UnixMilli(), 10), ' ')
	return string(typedjson.AppendProperties(key, values))
}

func (c *cache) get(key string) *answer.Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, found := c.known[key]
	if found && c.now().Before(known.expires) {
		return known.answer
	}
	return nil
}

func (c *cache) put(key string, a *answer.Answer, keep time.Duration) {
	size := int64(len(answer.AppendData(nil, a)))
	if size > maxCachedOne {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	for other, known := range c.known {
		if other == key || !now.Before(known.expires) {
			c.remove(other)
		}
	}
	for other := range c.known { // any: one that is in use is soon back
		if len(c.known) < maxCached && c.bytes+size <= maxCachedBytes {
			break
		}
		c.remove(other)
	}
	c.known[key] = cachedAnswer{answer: a, bytes: size, expires: now.Add(keep)}
	c.bytes += size
}

func (c *cache) remove(key string) {
	c.bytes -= c.known[key].bytes
	delete(c.known, key)
}
