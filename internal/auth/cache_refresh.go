package auth

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	// settling is how long a version must have been seen before changes up to it are no longer asked for: while Neo4j applies
	// a commit, a reader may see one node of it and not yet another.
	settleTime = 200 * time.Millisecond
	// overlap is how many versions before that of a load are asked for again, for the same reason.
	versionOverlap = 32
	// fewUsers are loaded as a whole every fewUsersEvery, so that a change made past the gateway is seen within a second.
	maxUsersForFullLoad = 2000
	smallLoadInterval   = 700 * time.Millisecond
	largeLoadInterval   = 30 * time.Second
	loadTimeout         = 30 * time.Second // of loading many users
	prepareTimeout      = 10 * time.Second
	// failureHolds is how long a failed look speaks for those that would follow at once.
	failureTTL = 50 * time.Millisecond
	retryAfter = time.Second
	// whileLost is how long a request waits once the last look has failed; the look itself may take longer, and heal. With what the
	// store waits for its own probe, a refusal takes less than a second.
	outageWait = 400 * time.Millisecond
)

// cacheRefresher keeps memory in step with the store. Looks at the database are shared: whoever needs newer knowledge joins the
// look under way if that began late enough, or the next one.
type cacheRefresher struct {
	store   Store
	cache   *userCache
	log     *slog.Logger
	timeout time.Duration
	workers sync.WaitGroup

	createdAt time.Time

	mu          sync.Mutex
	current     *refresh
	refreshedAt time.Time // when the last successful look began
	failed      time.Time // when the last failed look ended; zero after a successful one
	failure     error
	prepared    bool
	loading     bool // many users are being loaded beside the looks

	// Only the look under way touches these.
	since    int64 // changes up to this version are known for certain
	seen     int64 // a version seen at seenAt, next to become since
	seenAt   time.Time
	newest   int64 // the last version seen; a lower one means that the database was put back
	loadedAt time.Time
}

// refresh is one reading of what changed.
type refresh struct {
	began time.Time
	done  chan struct{}
	err   error
}

func newCacheRefresher(store Store, m *userCache, timeout time.Duration, log *slog.Logger) *cacheRefresher {
	return &cacheRefresher{store: store, cache: m, timeout: timeout, log: log, createdAt: time.Now(), since: -1}
}

// age is how long ago the last successful look began.
func (f *cacheRefresher) age() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refreshedAt.IsZero() {
		return time.Since(f.createdAt)
	}
	return time.Since(f.refreshedAt)
}

// after returns once memory holds everything that had been committed at a time. DATABASE_UNAVAILABLE.
func (f *cacheRefresher) waitUntilFresh(ctx context.Context, at time.Time) error {
	for {
		f.mu.Lock()
		if !f.refreshedAt.IsZero() && !f.refreshedAt.Before(at) {
			f.mu.Unlock()
			return nil
		}
		if f.current == nil && !f.failed.IsZero() && time.Since(f.failed) < failureTTL {
			err := f.failure
			f.mu.Unlock()
			return unavailable(err)
		}
		l, lost := f.current, f.failure
		if l == nil {
			l = f.startRefresh()
		}
		f.mu.Unlock()
		if err := l.wait(ctx, lost); err != nil {
			return unavailable(err)
		}
		if l.err != nil && !l.began.Before(at) {
			return unavailable(l.err)
		}
	}
}

// wait waits for the end of a look: as long as the context allows, or a moment if the last look failed.
func (l *refresh) wait(ctx context.Context, lost error) error {
	var enough <-chan time.Time
	if lost != nil {
		timer := time.NewTimer(outageWait)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-l.done:
		return nil
	case <-enough:
		return lost
	case <-ctx.Done():
		return ctx.Err()
	}
}

func unavailable(cause error) error {
	return fault.Wrap(cause, fault.DatabaseUnavailable, "The database cannot be reached at the moment; try again").RetryAfter(retryAfter)
}

// start begins a look; the lock is held. The look has its own deadline, because it serves many requests.
func (f *cacheRefresher) startRefresh() *refresh {
	l := &refresh{began: time.Now(), done: make(chan struct{})}
	f.current = l
	f.workers.Go(func() {
		l.err = f.runRefresh(l.began)
		f.mu.Lock()
		f.current = nil
		if l.err == nil {
			f.refreshedAt, f.failed, f.failure = l.began, time.Time{}, nil
		} else {
			f.failed, f.failure = time.Now(), l.err
		}
		f.mu.Unlock()
		close(l.done)
	})
	return l
}

// look prepares the database if that is still to be done, and reads what changed.
func (f *cacheRefresher) runRefresh(began time.Time) error {
	if !f.isPrepared() {
		if err := f.prepare(); err != nil {
			return err
		}
	}
	err := f.fetch(began)
	if errors.Is(err, ErrNotPrepared) {
		// Somebody emptied the database. What is in memory is not in there any more.
		f.since = -1
		if err = f.prepare(); err == nil {
			err = f.fetch(began)
		}
	}
	return err
}

func (f *cacheRefresher) isPrepared() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.prepared
}

func (f *cacheRefresher) prepare() error {
	ctx, cancel := context.WithTimeout(context.Background(), prepareTimeout)
	defer cancel()
	err := f.store.Prepare(ctx)
	f.mu.Lock()
	f.prepared = err == nil
	f.mu.Unlock()
	return err
}

// read polls, or loads where a poll would not do.
func (f *cacheRefresher) fetch(began time.Time) error {
	if f.since < 0 {
		return f.loadAll(began, -1, loadTimeout)
	}
	if users := f.cache.userCount(); users <= maxUsersForFullLoad && began.Sub(f.loadedAt) >= smallLoadInterval {
		return f.loadAll(began, f.since, f.timeout)
	} else if users > maxUsersForFullLoad && began.Sub(f.loadedAt) >= largeLoadInterval {
		f.loadAllInBackground(began)
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.timeout)
	defer cancel()
	step := f.cache.currentStep()
	changes, err := f.store.Changes(ctx, f.since)
	if err != nil {
		return err
	}
	if changes.Version < f.newest {
		return f.loadAll(began, -1, loadTimeout)
	}
	f.cache.applyChanges(changes, step)
	f.advanceVersion(changes.Version, began)
	return nil
}

// load reads all users, and the revocations after a version.
func (f *cacheRefresher) loadAll(began time.Time, revokedSince int64, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	step := f.cache.currentStep()
	changes, err := f.store.Load(ctx, revokedSince)
	if err != nil {
		return err
	}
	if changes.Version < f.newest && revokedSince >= 0 {
		return f.loadAll(began, -1, loadTimeout)
	}
	f.cache.replaceUsers(changes, step)
	f.loadedAt = began
	if revokedSince < 0 {
		f.since, f.seen, f.seenAt, f.newest = max(0, changes.Version-versionOverlap), changes.Version, began, changes.Version
		return nil
	}
	f.advanceVersion(changes.Version, began)
	return nil
}

// loadBeside loads many users while looks go on.
func (f *cacheRefresher) loadAllInBackground(began time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loading {
		return
	}
	f.loading, f.loadedAt = true, began
	step := f.cache.currentStep()
	f.workers.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
		defer cancel()
		changes, err := f.store.Load(ctx, -1)
		if err == nil {
			f.cache.replaceUsers(changes, step)
		} else {
			f.log.Warn("all users could not be loaded again; the next try is in half a minute", "error", err)
		}
		f.mu.Lock()
		f.loading = false
		f.mu.Unlock()
	})
}

// advance moves the version from which the next poll asks, once it has settled.
func (f *cacheRefresher) advanceVersion(version int64, began time.Time) {
	f.newest = version
	if began.Sub(f.seenAt) >= settleTime {
		f.since, f.seen, f.seenAt = f.seen, version, began
	}
}

// run looks at the database at a steady pace until the context ends, and logs when it is lost and found.
func (f *cacheRefresher) pollUntilDone(ctx context.Context, pace time.Duration) {
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	lost, last := false, ""
	for {
		err := f.waitUntilFresh(ctx, time.Now())
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && (!lost || err.Error() != last):
			f.log.Warn("users and revoked tokens cannot be read: requests are refused until they can", "error", err)
			lost, last = true, err.Error()
		case err == nil && lost:
			f.log.Info("users and revoked tokens can be read again")
			lost, last = false, ""
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
