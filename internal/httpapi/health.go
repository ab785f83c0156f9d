package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	readyAge     = time.Second     // TTL of the cached result of /readyz
	readyTimeout = 2 * time.Second // timeout of the database check
)

// readiness caches the last result, so that probes cannot load the database; only one request at a time runs the checks.
type readiness struct {
	mu   sync.Mutex
	at   time.Time
	last []fault.Detail
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
	if err := a.options.Health.Ready(ctx); err != nil {
		found = append(found, fault.Detail{Field: "database", Message: "does not answer"})
		a.log.WarnContext(ctx, "not ready", "reason", "database", "error", err)
	}
	if a.options.Fresh != nil {
		if err := a.options.Fresh(ctx); err != nil {
			found = append(found, fault.Detail{Field: "accounts", Message: "users and revoked tokens cannot be read"})
			a.log.WarnContext(ctx, "not ready", "reason", "accounts", "error", err)
		}
	}
	a.ready.at, a.ready.last = time.Now(), found
	return found
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
