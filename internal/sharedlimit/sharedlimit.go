// Package sharedlimit counts requests in Redis, or in any server that implements its protocol and scripts, such as
// Valkey, so that the replicas of a gateway share one count for each user. It is a limiter.Store with the rules of
// go-limiter's memory store. While Redis is unavailable each replica counts in its own memory.
package sharedlimit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/sethvargo/go-limiter"
)

// Options of a Store. All are required.
type Options struct {
	URL      string // redis://[user:password@]host:port[/database], or rediss:// with TLS
	Tokens   uint64 // for each key and interval
	Interval time.Duration
	// Memory counts while Redis is unavailable. The Store closes it.
	Memory limiter.Store
	Log    *slog.Logger
}

const (
	dialTimeout = time.Second
	// answerTimeout is how long a request may wait for Redis before it is counted in memory.
	answerTimeout = 500 * time.Millisecond
	// probeEvery is the interval of probes while Redis is unavailable.
	probeEvery = time.Second
	// keyPrefix separates the keys from those of other programs in the same Redis.
	keyPrefix = "graphrest:rate:"
)

// Store counts in Redis and, while that is unavailable, in memory. It is safe for concurrent use.
type Store struct {
	o         Options
	client    *redis.Client
	lost      atomic.Bool
	fallbacks atomic.Int64

	mu     sync.Mutex
	closed bool
	stop   chan struct{}
	work   sync.WaitGroup
}

var _ limiter.Store = (*Store)(nil)

// silent discards the log of the library; the Store logs what matters.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

var silence = sync.OnceFunc(func() { redis.SetLogger(silent{}) })

// New creates a store. It does not connect: Redis may become available later.
func New(o Options) (*Store, error) {
	options, err := redis.ParseURL(o.URL)
	if err != nil {
		return nil, errors.New("rate limit: the address of Redis is invalid") // the library's text could quote the address
	}
	silence()
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = dialTimeout, answerTimeout, answerTimeout
	options.PoolTimeout = answerTimeout
	options.ContextTimeoutEnabled = true
	options.MaxRetries = -1 // a call whose reply was lost may have been counted
	options.DialerRetries = 1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &Store{o: o, client: redis.NewClient(options), stop: make(chan struct{})}, nil
}

// A key is a hash: t tokens of an interval, i its length in milliseconds, s the start of the first interval, k the number of the
// latest, a the tokens left in it. The clock is that of Redis, so replicas' clocks may differ. A key outlives its interval, so that
// intervals follow each other without a gap, as in memory.
const common = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local v = redis.call('HMGET', KEYS[1], 't', 'i', 's', 'k', 'a')
local tokens, interval = tonumber(v[1] or ARGV[1]), tonumber(v[2] or ARGV[2])
local begun, tick, left = tonumber(v[3] or now), tonumber(v[4] or 0), tonumber(v[5] or tokens)
local function keep()
  redis.call('HSET', KEYS[1], 't', string.format('%.0f', tokens), 'i', string.format('%.0f', interval),
    's', string.format('%.0f', begun), 'k', string.format('%.0f', tick), 'a', string.format('%.0f', left))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', 2 * interval + 60000))
end
`

var (
	takeScript = redis.NewScript(common + `
local current = math.floor((now - begun) / interval)
if current > tick then tick, left = current, tokens end
local ok = 0
if left > 0 then ok, left = 1, left - 1 end
keep()
return {tokens, left, begun + (tick + 1) * interval - now, ok}`)
	burstScript = redis.NewScript(common + `
left = left + tonumber(ARGV[3])
keep()
return 0`)
)

// Take takes a token of a key. Remaining is the number of tokens left in the interval, reset its end, in nanoseconds of
// this process's clock.
func (s *Store) Take(ctx context.Context, key string) (tokens, remaining, reset uint64, ok bool, err error) {
	if !s.lost.Load() {
		answer, err := takeScript.Run(ctx, s.client, []string{keyPrefix + key}, s.o.Tokens, s.o.Interval.Milliseconds()).Int64Slice()
		if err == nil && len(answer) == 4 {
			ends := time.Now().Add(time.Duration(max(answer[2], 0)) * time.Millisecond)
			return uint64(answer[0]), uint64(max(answer[1], 0)), uint64(ends.UnixNano()), answer[3] == 1, nil
		}
		if err = s.handleFailure(ctx, err); err != nil {
			return 0, 0, 0, false, err
		}
	}
	return s.o.Memory.Take(ctx, key)
}

// Get returns the tokens of a key in an interval and how many are left. A key that was never taken has none.
func (s *Store) Get(ctx context.Context, key string) (tokens, remaining uint64, err error) {
	if !s.lost.Load() {
		var found struct {
			Tokens uint64 `redis:"t"`
			Left   uint64 `redis:"a"`
		}
		err := s.client.HMGet(ctx, keyPrefix+key, "t", "a").Scan(&found)
		if err == nil {
			return found.Tokens, found.Left, nil
		}
		if err = s.handleFailure(ctx, err); err != nil {
			return 0, 0, err
		}
	}
	return s.o.Memory.Get(ctx, key)
}

// Set gives a key another number of tokens and another interval, which begins now.
func (s *Store) Set(ctx context.Context, key string, tokens uint64, interval time.Duration) error {
	if !s.lost.Load() {
		full := keyPrefix + key
		_, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Del(ctx, full)
			p.HSet(ctx, full, "t", tokens, "i", interval.Milliseconds(), "a", tokens)
			p.PExpire(ctx, full, 2*interval+time.Minute)
			return nil
		})
		if err == nil {
			return nil
		}
		if err = s.handleFailure(ctx, err); err != nil {
			return err
		}
	}
	return s.o.Memory.Set(ctx, key, tokens, interval)
}

// Burst adds tokens to the current interval.
func (s *Store) Burst(ctx context.Context, key string, tokens uint64) error {
	if !s.lost.Load() {
		err := burstScript.Run(ctx, s.client, []string{keyPrefix + key}, s.o.Tokens, s.o.Interval.Milliseconds(), tokens).Err()
		if err == nil {
			return nil
		}
		if err = s.handleFailure(ctx, err); err != nil {
			return err
		}
	}
	return s.o.Memory.Burst(ctx, key, tokens)
}

// Shared reports whether replicas currently share their counts.
func (s *Store) Shared() bool { return !s.lost.Load() }

// Fallbacks returns how often Redis became unavailable.
func (s *Store) Fallbacks() int64 { return s.fallbacks.Load() }

// handleFailure handles a call that Redis did not answer correctly. It returns an error only if the caller itself has
// left; otherwise the call is to be counted in memory, as all calls are until Redis answers again.
func (s *Store) handleFailure(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return limiter.ErrStopped
	}
	if s.lost.Swap(true) {
		return nil
	}
	s.fallbacks.Add(1)
	if err == nil {
		err = errors.New("an invalid reply")
	}
	s.o.Log.Warn("Redis is unavailable: until it is back, each replica counts requests for itself", "error", err.Error())
	s.work.Go(s.probeUntilBack)
	return nil
}

// probeUntilBack probes Redis until it answers.
func (s *Store) probeUntilBack() {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
		// A script, since a Redis that cannot write still answers a ping.
		err := burstScript.Run(ctx, s.client, []string{keyPrefix + "probe"}, 1, 1000, 0).Err()
		cancel()
		if err == nil {
			s.lost.Store(false)
			s.o.Log.Info("Redis is back: replicas share their counts again")
			return
		}
	}
}

// Close closes the connections and the memory store.
func (s *Store) Close(ctx context.Context) error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	s.mu.Unlock()
	if already {
		return nil
	}
	close(s.stop)
	s.work.Wait()
	return errors.Join(s.client.Close(), s.o.Memory.Close(ctx))
}
