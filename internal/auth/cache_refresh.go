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
	// settleTime is how long a version must have been seen before changes up to it are no longer requested: while Neo4j
	// applies a commit, a reader may see one of its nodes and not yet another.
	settleTime = 200 * time.Millisecond
	// versionOverlap is how many versions before that of a full load are requested again, for the same reason.
	versionOverlap = 32
	// maxUsersForFullLoad is the number of users, service tokens and grants up to which all are loaded every smallLoadInterval, so that a
	// change that bypasses the gateway is seen within a second. Larger sets are loaded every largeLoadInterval.
	maxUsersForFullLoad = 2000
	smallLoadInterval   = 700 * time.Millisecond
	largeLoadInterval   = 30 * time.Second
	loadTimeout         = 30 * time.Second // of loading many users
	prepareTimeout      = 30 * time.Second // a new database creates some forty constraints and indexes
	purgeTimeout        = 10 * time.Second
	// failureTTL is how long the error of a failed refresh is returned to callers without starting another refresh.
	failureTTL = 50 * time.Millisecond
	retryAfter = time.Second
	// maxTimeouts is the number of consecutive refreshes that ran out of time after which the database counts as unreachable, unless it
	// answers other requests (Config.Answered). After fewer it may only be slow, and requests wait for the next refresh.
	maxTimeouts = 2
	// outageWait is how long a request waits while the database is unreachable; the refresh itself may take longer and
	// succeed. Together with the time the store waits for its own probe, a request is rejected in less than a second.
	outageWait = 400 * time.Millisecond
)

// cacheRefresher keeps the userCache in step with the store. Refreshes are shared (single-flight): a caller that needs
// newer data joins the refresh in progress if that began late enough, or the next one. It is no snapshot.Snapshot: a refresh reads what
// changed since a version instead of a new value, and an outage is an answer to all callers.
type cacheRefresher struct {
	store   Store
	cache   *userCache
	log     *slog.Logger
	timeout time.Duration
	polled  func(began time.Time, versions map[string]int64)
	// answered: see Config.
	answered func(since time.Time) bool
	workers  sync.WaitGroup

	createdAt time.Time

	mu          sync.Mutex
	current     *refresh
	refreshedAt time.Time // when the last successful refresh began
	failed      time.Time // when the last refresh ended
	failure     error     // of the last refresh; nil if it succeeded
	attempted   time.Time // when the last refresh that has ended began
	timeouts    int       // consecutive refreshes that ran out of time
	prepared    bool
	loading     bool // a full load runs in the background, beside the refreshes

	// Only the refresh in progress accesses these.
	since    int64 // all changes up to this version are certainly in the cache
	seen     int64 // a version seen at seenAt; the next value of since
	seenAt   time.Time
	newest   int64 // the last version seen; a lower one means that the database was restored from a backup
	loadedAt time.Time
}

// refresh is one read of what changed in the store.
type refresh struct {
	began  time.Time
	done   chan struct{}
	outage error // its failure, if that shows that the database is unreachable, not only slow
}

func newCacheRefresher(store Store, m *userCache, c Config, log *slog.Logger) *cacheRefresher {
	return &cacheRefresher{
		store: store, cache: m, timeout: c.Timeout, polled: c.Polled, answered: c.Answered, log: log, createdAt: time.Now(), since: -1,
	}
}

// age returns the time since the last successful refresh began.
func (f *cacheRefresher) age() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refreshedAt.IsZero() {
		return time.Since(f.createdAt)
	}
	return time.Since(f.refreshedAt)
}

// outage returns the error of the last refresh if it shows that the database is unreachable, not only slow. The caller holds the lock.
func (f *cacheRefresher) outage() error {
	if fault.CodeOf(f.failure) == fault.DatabaseTimeout && (f.timeouts < maxTimeouts || f.answered(f.attempted)) {
		return nil
	}
	return f.failure
}

// waitUntilFresh blocks until the cache contains everything that had been committed at a time. The failure of a refresh that began before
// does not count. DATABASE_UNAVAILABLE. DATABASE_TIMEOUT if the context's deadline passes.
func (f *cacheRefresher) waitUntilFresh(ctx context.Context, at time.Time) error {
	for {
		f.mu.Lock()
		if !f.refreshedAt.IsZero() && !f.refreshedAt.Before(at) {
			f.mu.Unlock()
			return nil
		}
		outage := f.outage()
		if f.current == nil && outage != nil && time.Since(f.failed) < failureTTL {
			f.mu.Unlock()
			return unavailable(outage)
		}
		l := f.current
		if l == nil {
			l = f.startRefresh()
		}
		f.mu.Unlock()
		if err := l.wait(ctx, outage); err != nil {
			return err
		}
		if l.outage != nil && !l.began.Before(at) {
			return unavailable(l.outage)
		}
	}
}

// wait waits for the end of a refresh: until the context ends, or for outageWait if the last refresh did not reach the database.
func (l *refresh) wait(ctx context.Context, outage error) error {
	var enough <-chan time.Time
	if outage != nil {
		timer := time.NewTimer(outageWait)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-l.done:
		return nil
	case <-enough:
		return unavailable(outage)
	case <-ctx.Done():
		if outage != nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return unavailable(ctx.Err())
		}
		return fault.Wrap(ctx.Err(), fault.DatabaseTimeout, "The database did not answer in time")
	}
}

func unavailable(cause error) error {
	return fault.Wrap(cause, fault.DatabaseUnavailable, "The database cannot be reached at the moment; try again").RetryAfter(retryAfter)
}

// startRefresh starts a refresh; the caller holds the lock. The refresh has its own deadline because it serves many
// requests.
func (f *cacheRefresher) startRefresh() *refresh {
	l := &refresh{began: time.Now(), done: make(chan struct{})}
	f.current = l
	f.workers.Go(func() {
		err := f.runRefresh(l.began)
		f.mu.Lock()
		f.current = nil
		switch {
		case err == nil:
			f.refreshedAt, f.timeouts = l.began, 0
		case fault.CodeOf(err) == fault.DatabaseTimeout:
			f.timeouts++
		default:
			f.timeouts = 0
		}
		f.failed, f.failure, f.attempted = time.Now(), err, l.began
		l.outage = f.outage()
		f.mu.Unlock()
		close(l.done)
	})
	return l
}

// runRefresh prepares the database if necessary and reads what changed.
func (f *cacheRefresher) runRefresh(began time.Time) error {
	if !f.isPrepared() {
		if err := f.prepare(); err != nil {
			return err
		}
	}
	err := f.fetch(began)
	if errors.Is(err, ErrNotPrepared) {
		// The database was emptied, so the cached data is no longer in it.
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

// fetch polls for changes, or loads all users if a poll is not enough.
func (f *cacheRefresher) fetch(began time.Time) error {
	if f.since < 0 {
		return f.loadAll(began, -1, loadTimeout)
	}
	if users := f.cache.size(); users <= maxUsersForFullLoad && began.Sub(f.loadedAt) >= smallLoadInterval {
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
	f.reportVersions(began, changes)
	f.advanceVersion(changes.Version, began)
	return nil
}

// reportVersions passes on the versions of other internal data.
func (f *cacheRefresher) reportVersions(began time.Time, read Changes) {
	if f.polled != nil {
		f.polled(began, read.Versions)
	}
}

// loadAll reads all users, and the revocations after a version.
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
	f.reportVersions(began, changes)
	f.loadedAt = began
	if revokedSince < 0 {
		f.since, f.seen, f.seenAt, f.newest = max(0, changes.Version-versionOverlap), changes.Version, began, changes.Version
		return nil
	}
	f.advanceVersion(changes.Version, began)
	return nil
}

// loadAllInBackground reads all users while refreshes continue.
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
			f.log.Warn("reload of all users failed; the next attempt is in half a minute", "error", err)
		}
		f.mu.Lock()
		f.loading = false
		f.mu.Unlock()
	})
}

// advanceVersion moves the version from which the next poll starts, once it has settled.
func (f *cacheRefresher) advanceVersion(version int64, began time.Time) {
	f.newest = version
	if began.Sub(f.seenAt) >= settleTime {
		f.since, f.seen, f.seenAt = f.seen, version, began
	}
}

// pollUntilDone refreshes the cache at a fixed interval until the context ends, and logs when the database becomes
// unreachable and reachable again.
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
			f.log.Warn("users and revoked tokens cannot be read: requests are rejected until they can", "error", err)
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
