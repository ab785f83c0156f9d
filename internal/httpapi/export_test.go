package httpapi

import "time"

// SetStreamIdleTimeout shortens what a client may take for a line. Call it before the first stream.
func SetStreamIdleTimeout(a *API, d time.Duration) { a.streams.idleTimeout = d }
