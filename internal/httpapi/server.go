package httpapi

import (
	"log/slog"
	"net/http"
	"time"
)

// Timeouts and limits of a connection. Without them a slow client could keep it open indefinitely; gin's own Run sets none.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	minWriteTimeout   = 30 * time.Second
	idleTimeout       = 60 * time.Second
	maxHeaderBytes    = 16 << 10
	writeMargin       = 5 * time.Second
)

// NewServer creates the HTTP server of an API. WriteTimeout counts from the end of the request's header, so it includes the time
// to read the body, to query the database and to send the response. Responses of net/http itself, to a request that is not
// HTTP (400), to headers over 16 KiB (431) and to unknown transfer codings (501), are plain text.
func NewServer(h http.Handler, queryTimeout time.Duration, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      max(minWriteTimeout, readTimeout+queryTimeout+deadlineMargin+writeMargin),
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
