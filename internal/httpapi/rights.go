package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// A long request (an import or an export) must not outlive its user's rights: a valid token and the permissions of its route. It
// calls confirmRights before each batch that it writes or sends, and runs watchRights concurrently, so that it also ends while it
// waits.

const (
	// rightsCheckInterval is the time between two checks of the rights of a long request. A check reads memory only; changes by other
	// replicas arrive within auth.Config.Poll, so that both together stay well below a second.
	rightsCheckInterval = 100 * time.Millisecond
	// rightsWaitTimeout is how long a batch waits while the database is unavailable and the rights are unknown.
	rightsWaitTimeout = time.Minute
)

// checkRights returns nil if the request's user still has the rights and privileges that the request began with; otherwise 401, 403,
// or 503 while they are unknown.
func (c *call) checkRights(ctx context.Context) error {
	p, err := c.recheckSubject(ctx)
	if err != nil {
		return err
	}
	if err := c.authorize(p); err != nil {
		return err
	}
	if c.route.checkPrivileges != nil {
		if err := c.route.checkPrivileges(c.subject, p); err != nil {
			return err
		}
	}
	if c.route.Rules.mode == rulesObeyed && c.route.Path != feedPath && lostRights(c.subject, p) { // see currentView
		return fault.New(fault.PermissionDenied, "Your permissions or roles have changed; send the request again")
	}
	return nil
}

// lostRights reports whether a request that began with the view of a principal must not go on with it: its user has lost a permission, or
// has other grants, which may be fewer.
func lostRights(began, now auth.Principal) bool {
	if began.View == now.View {
		return false
	}
	return began.View.HasGrants() || now.View.HasGrants() ||
		slices.ContainsFunc(auth.AllPermissions(), func(p auth.Permission) bool { return began.May(p) && !now.May(p) })
}

// confirmRights runs checkRights before the next batch. While the database is unavailable it retries, since unknown rights allow
// nothing.
func (c *call) confirmRights(ctx context.Context) error {
	began := time.Now()
	for {
		err := c.checkRights(ctx)
		if err == nil || rightsLost(err) || time.Since(began) > rightsWaitTimeout {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(rightsCheckInterval):
		}
	}
}

// watchRights waits until the request's user loses the rights and returns the reason; nil if the context ends first.
func (c *call) watchRights(ctx context.Context) error {
	ticker := time.NewTicker(rightsCheckInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := c.checkRights(ctx); rightsLost(err) {
			return err
		}
	}
}

// rightsLost reports whether an error of checkRights means that the rights have ended, rather than that they are unknown.
func rightsLost(err error) bool {
	status := StatusOf(fault.CodeOf(err))
	return err != nil && (status == http.StatusUnauthorized || status == http.StatusForbidden)
}
