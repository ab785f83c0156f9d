package httpapi

import (
	"net/http"
	"time"
)

// SetStreamIdleTimeout sets the timeout of a line and of a write. Call it before the first stream.
func SetStreamIdleTimeout(a *API, d time.Duration) { a.streams.idleTimeout = d }

// SetViewAuditClock sets the clock that the audit of views measures its interval with. Call it before the first request.
func SetViewAuditClock(a *API, now func() time.Time) { a.viewAudit.now = now }

// AcceptedFormat is acceptedFormat.
func AcceptedFormat(h http.Header) string { return string(acceptedFormat(h)) }

// AsksFor is asksFor.
var AsksFor = asksFor
