package httpapi

import "time"

// SetStreamPatience shortens what a client may take for a line. Call it before the first stream.
func SetStreamPatience(a *API, d time.Duration) { a.streams.patience = d }
