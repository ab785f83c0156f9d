package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	readyAge     = time.Second     // TTL of the cached result of /readyz
	readyTimeout = 2 * time.Second // timeout of the database check
)

// readiness caches the last result, so that probes cannot load the database; only one request at a time runs the checks. It is no
// snapshot.Snapshot, because its age counts from the end of a check: a probe that has waited for a slow check gets that result and does not
// run another one.
type readiness struct {
	mu         sync.Mutex
	at         time.Time
	last       []fault.Detail
	reportedAt time.Time
}

// notReadyReasons returns why the service is not ready; empty means ready.
func (a *API) notReadyReasons(ctx context.Context) []fault.Detail {
	a.ready.mu.Lock()
	defer a.ready.mu.Unlock()
	if !a.ready.at.IsZero() && time.Since(a.ready.at) < readyAge {
		return a.ready.last
	}
	// A client that disconnects must not cancel the check for the clients that wait for it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	var found []fault.Detail
	var causes []error
	err := a.requireStarted()
	if err == nil {
		err = a.options.Health.Ready(ctx)
	}
	if err != nil {
		found, causes = append(found, fault.Detail{Field: "database", Message: "does not answer"}), append(causes, err)
	}
	if a.options.Fresh != nil {
		if err := a.options.Fresh(ctx); err != nil {
			found = append(found, fault.Detail{Field: "accounts", Message: "users and revoked tokens cannot be read"})
			causes = append(causes, err)
		}
	}
	a.ready.report(ctx, a.log, found, causes)
	a.ready.at, a.ready.last = time.Now(), found
	return found
}

// requireStarted fails until the database is prepared.
func (a *API) requireStarted() error {
	if a.options.Started == nil {
		return nil
	}
	select {
	case <-a.options.Started:
		return nil
	default:
		return fault.New(fault.DatabaseUnavailable, "The database is being prepared").RetryAfter(time.Second)
	}
}

// report logs why the service is not ready when that changes, and once a minute while it lasts: probes come every second.
func (r *readiness) report(ctx context.Context, log *slog.Logger, found []fault.Detail, causes []error) {
	switch isSame := slices.Equal(found, r.last); {
	case isSame && (len(found) == 0 || time.Since(r.reportedAt) < time.Minute):
		return
	case len(found) == 0:
		log.InfoContext(ctx, "ready again")
	default:
		for i, reason := range found {
			log.WarnContext(ctx, "not ready", "reason", reason.Field, "error", causes[i])
		}
	}
	r.reportedAt = time.Now()
}

// healthz answers GET /healthz.
//
//	@Summary		Is the process alive
//	@Description	Checks only the process itself.
//	@Tags			Operation
//	@Success		200	{object}	Answer[HealthDocument]
//	@Router			/healthz [get]
func (a *API) healthz(c *call) error {
	c.send(http.StatusOK, appendJSON(HealthDocument{Status: "ok"}))
	return nil
}

// readyz answers GET /readyz.
//
//	@Summary		Can requests be served
//	@Description	Checks the database, at most once a second. During shutdown the service is not ready.
//	@Tags			Operation
//	@Success		200	{object}	Answer[HealthDocument]
//	@Failure		503	"DATABASE_UNAVAILABLE; details name what is not ready"
//	@Router			/readyz [get]
func (a *API) readyz(c *call) error {
	why := a.notReadyReasons(c.ctx())
	if a.draining.Load() {
		why = append([]fault.Detail{{Field: "service", Message: "is shutting down"}}, why...)
	}
	if len(why) > 0 {
		return fault.New(fault.DatabaseUnavailable, "Not ready", why...).RetryAfter(readyAge)
	}
	c.send(http.StatusOK, appendJSON(HealthDocument{Status: "ready"}))
	return nil
}
