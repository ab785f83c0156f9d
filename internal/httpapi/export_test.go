package httpapi

import "time"

// SetStreamIdleTimeout sets the timeout of a line and of a write. Call it before the first stream.
func SetStreamIdleTimeout(a *API, d time.Duration) { a.streams.idleTimeout = d }
