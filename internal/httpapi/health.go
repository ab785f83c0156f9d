package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	readyAge     = time.Second     // how long an answer of /readyz is kept
	readyTimeout = 2 * time.Second // how long the database may take to answer
)

// readiness keeps the last finding, so that probes cannot load the database; one request at a time looks.
type readiness struct {
	mu   sync.Mutex
	at   time.Time
	last []fault.Detail
}

// notReadyReasons says why the service is not ready; empty means it is.
func (a *API) notReadyReasons(ctx context.Context) []fault.Detail {
	a.ready.mu.Lock()
	defer a.ready.mu.Unlock()
	if !a.ready.at.IsZero() && time.Since(a.ready.at) < readyAge {
		return a.ready.last
	}
	// One caller that leaves must not decide for those who wait.
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
//	@Description	Asks nothing but the process itself.
//	@Tags			Operation
//	@Produce		json
//	@Success		200	{object}	HealthAnswer
//	@Router			/healthz [get]
func (a *API) healthz(c *call) error {
	c.send(http.StatusOK, appendJSON(HealthDocument{Status: "ok"}))
	return nil
}

// readyz answers GET /readyz.
//
//	@Summary		Can requests be served
//	@Description	Asks the database, at most once a second. While the service shuts down it is not ready.
//	@Tags			Operation
//	@Produce		json
//	@Success		200	{object}	HealthAnswer
//	@Failure		503	{object}	ErrorAnswer	"DATABASE_UNAVAILABLE; details say what is missing"
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
