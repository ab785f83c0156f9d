package httpapi

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// An administrator who may read everything can send a read with the header ViewAsHeader, which is then answered as to the named user or
// role: with their permissions, view and ETags. It is a restriction only: nobody sees by it what the own permission read does not show.
// Limits and records stay those of the administrator.

// ViewAsHeader names a user or a role: "user:" or "role:" and the percent-encoded name.
const ViewAsHeader = "Graphrest-View-As"

// viewAuditInterval is the least time between two audit entries of one administrator and one user or role, on one gateway.
const viewAuditInterval = 15 * time.Minute

// TakesViewAs reports whether the requests of a route may be viewed as somebody else: reads of the graph.
func (r Route) TakesViewAs() bool {
	return r.Access.kind == accessPermission && !r.mayWrite() && !r.personal
}

// readViewAs applies the header. VALIDATION_ERROR if the route does not take it or there is no such user or role; PERMISSION_DENIED for
// others than administrators with the permission read; DATABASE_UNAVAILABLE also if the use cannot be recorded. Pages and probes ignore
// the header, as they ignore unknown parameters.
func (c *call) readViewAs() error {
	lines := c.gin.Request.Header[ViewAsHeader]
	if len(lines) == 0 || c.route.anyQuery {
		return nil
	}
	if !c.route.TakesViewAs() {
		return fault.Invalid(ViewAsHeader, "is for reads of the graph only; leave it out")
	}
	if err := mayViewAs(c.principal); err != nil {
		return err
	}
	as, f := parseViewAs(lines)
	if f != nil {
		return f
	}
	p, err := c.api.options.Accounts.PrincipalViewedAs(c.ctx(), as)
	switch fault.CodeOf(err) {
	case "":
	case fault.NotFound:
		return fault.Invalid(ViewAsHeader, "must name a user or a role that exists")
	case fault.TokenRevoked:
		return fault.Invalid(ViewAsHeader, "names a user who is disabled, and sees nothing")
	default:
		return err
	}
	entry := audit.Entry{Actor: c.identifyActor(), Action: audit.View, Kind: audit.User, Outcome: audit.Done, Count: 1}
	entry.Entity, entry.Name = p.UserID, p.Username
	if as.Role != "" {
		entry.Kind, entry.Entity, entry.Name = audit.Role, as.Role, ""
	}
	if err := c.api.viewAudit.record(c.ctx(), entry); err != nil {
		return err
	}
	c.subject, c.viewAs = p, &as
	requestLogOf(c.gin).viewAs = p.Username
	return nil
}

// mayViewAs returns nil for an administrator who sees everything, and PERMISSION_DENIED for others.
func mayViewAs(p auth.Principal) error {
	if p.Admin && p.RequireLogin() == nil && p.May(auth.Read) {
		return nil
	}
	return fault.New(fault.PermissionDenied, "Permission denied: only administrators with the permission read may view as somebody else")
}

// parseViewAs reads the values of the header.
func parseViewAs(lines []string) (auth.ViewAs, *fault.Error) {
	kind, encoded, _ := strings.Cut(lines[0], ":")
	name, err := url.PathUnescape(encoded)
	if len(lines) == 1 && err == nil && !cannotBeID(name) && len(name) <= maxPathID {
		switch kind {
		case "user":
			return auth.ViewAs{User: name}, nil
		case "role":
			return auth.ViewAs{Role: name}, nil
		}
	}
	return auth.ViewAs{}, fault.Invalid(ViewAsHeader, "must be user: or role: and a percent-encoded name, once")
}

// recheckSubject returns the current principal whose rights decide about a request that runs longer than they are valid. TOKEN_EXPIRED,
// TOKEN_REVOKED, PERMISSION_DENIED, DATABASE_UNAVAILABLE.
func (c *call) recheckSubject(ctx context.Context) (auth.Principal, error) {
	p, err := c.api.options.Accounts.Recheck(ctx, c.principal)
	if err != nil || c.viewAs == nil {
		return p, err
	}
	if err := mayViewAs(p); err != nil {
		return auth.Principal{}, err
	}
	p, err = c.api.options.Accounts.PrincipalViewedAs(ctx, *c.viewAs)
	code := fault.CodeOf(err)
	if code == fault.NotFound || code == fault.TokenRevoked || err == nil && p.UserID != c.subject.UserID {
		return auth.Principal{}, fault.New(fault.PermissionDenied, "The user or role that you view as was disabled, deleted or replaced")
	}
	return p, err
}

// viewAudit writes an audit entry of the first request that an administrator views as somebody, and of one in each viewAuditInterval.
type viewAudit struct {
	buffer  *audit.Buffer
	now     func() time.Time
	writing singleflight.Group // by viewUse

	mu       sync.Mutex
	recorded map[viewUse]time.Time // of the last interval
}

// viewUse is who views as whom.
type viewUse struct {
	userID string
	kind   audit.Kind
	entity string
}

func newViewAudit(buffer *audit.Buffer, now func() time.Time) *viewAudit {
	return &viewAudit{buffer: buffer, now: now, recorded: map[viewUse]time.Time{}}
}

// record writes an entry before it returns, unless an equal one was written within the interval. DATABASE_UNAVAILABLE.
func (v *viewAudit) record(ctx context.Context, e audit.Entry) error {
	use := viewUse{e.Actor.UserID, e.Kind, e.Entity}
	if v.isRecorded(use) {
		return nil
	}
	key := strings.Join([]string{use.userID, string(use.kind), use.entity}, "\x00")
	_, err, _ := v.writing.Do(key, func() (any, error) {
		if v.isRecorded(use) {
			return nil, nil
		}
		// The requests that wait for this write must not fail because the client of the first one leaves.
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), defaultQueryTimeout)
		defer cancel()
		if err := v.buffer.Write(bounded, e); err != nil {
			return nil, err
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.recorded[use] = v.now()
		return nil, nil
	})
	return err
}

// isRecorded reports whether a use needs no entry now. It forgets uses that are older than the interval.
func (v *viewAudit) isRecorded(use viewUse) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for known, at := range v.recorded {
		if v.now().Sub(at) >= viewAuditInterval {
			delete(v.recorded, known)
		}
	}
	_, known := v.recorded[use]
	return known
}
