package httpapi

import (
	"context"
	"net/http"
	"time"

	"graphrest/internal/fault"
)

// A request that takes longer than a moment (an import, an export, a feed) must not outlive the rights it was let in with. It calls
// confirmRights before each batch it writes or sends, and runs watchRights beside it, so that it ends while it waits as well.

const (
	// rightsCheckInterval is the pause between two looks at the rights of a long request. A look costs a look into memory; what other replicas
	// change is known here within auth.Config.Poll, so that both together stay well below a second.
	rightsCheckInterval = 100 * time.Millisecond
	// rightsWaitTimeout is how long a batch waits while the database is away and the rights cannot be known.
	rightsWaitTimeout = time.Minute
)

// checkRights says whether the request's user may do now what its route does, and what the request was free to do when it began: 401, 403,
// or 503 while that cannot be known.
func (c *call) checkRights(ctx context.Context) error {
	p, err := c.api.options.Accounts.Recheck(ctx, c.principal)
	if err != nil {
		return err
	}
	if err := c.authorize(p); err != nil || c.route.checkPrivileges == nil {
		return err
	}
	return c.route.checkPrivileges(c.principal, p)
}

// confirmRights is checkRights for the next batch. While the database is away it waits: rights that are not known allow nothing.
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

// watchRights waits until the request's user may no longer do what its route does, and says why; nil when the context ends first.
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

// rightsLost says whether an error of checkRights is a verdict, rather than the database's at this moment.
func rightsLost(err error) bool {
	status := StatusOf(fault.CodeOf(err))
	return err != nil && (status == http.StatusUnauthorized || status == http.StatusForbidden)
}
