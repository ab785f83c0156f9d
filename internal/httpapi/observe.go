package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// requestLog is what becomes known about a request while it is served, for its line in the log.
type requestLog struct {
	client     context.Context // ends when the client leaves, not when the request's own deadline passes
	requestID  string          // the client's where it sent one, else the gateway's
	gatewayID  string          // the gateway's own
	traceID    string          // empty when the request is part of no trace
	principal  auth.Principal
	code       fault.Code
	cause      error // of a 5xx
	stack      string
	clientLeft bool
}

const requestLogKey = "graphrest.note"

func requestLogOf(gc *gin.Context) *requestLog {
	n, _ := gc.Get(requestLogKey)
	return n.(*requestLog)
}

// constantHeaders are on every answer, under names in net/http's spelling. Answers are data, never documents to render or to
// keep; the pages for people set their own. The values are shared by all requests: Set and Add of a header replace them.
var constantHeaders = []struct {
	name  string
	value []string
}{
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"X-Frame-Options", []string{"DENY"}},
	{"Cache-Control", []string{"no-store"}},
	{"Content-Security-Policy", []string{"default-src 'none'; frame-ancestors 'none'"}},
}

// accessLog gives every request its id and security headers, and writes its one line to the log.
func (a *API) accessLog(gc *gin.Context) {
	started := time.Now()
	n := &requestLog{client: gc.Request.Context(), gatewayID: rand.Text()}
	n.requestID = requestID(gc.Request.Header["X-Request-Id"], n.gatewayID)
	gc.Set(requestLogKey, n)
	h := gc.Writer.Header()
	h["X-Request-Id"] = []string{n.requestID}
	for _, constant := range constantHeaders {
		h[constant.name] = constant.value
	}
	closeAfterChunked(gc.Request, h)
	end := a.trace(gc, n)
	a.options.Observer.Arrived()

	gc.Next()
	took := time.Since(started)
	end(gc.Writer.Status())
	a.options.Observer.Answered(gc.Request.Method, gc.FullPath(), gc.Writer.Status(), n.code, took)
	a.logRequest(gc, n, took)
}

// trace makes the request part of a trace, where traces are made, and else only finds out of which trace it says to be, for
// the log.
func (a *API) trace(gc *gin.Context, n *requestLog) (end func(status int)) {
	if a.options.Tracer == nil {
		n.traceID = parseTraceparent(gc.Request.Header["Traceparent"])
		return func(int) {}
	}
	ctx, traceID, end := a.options.Tracer.Begin(gc.Request, gc.FullPath(), n.requestID)
	n.traceID = traceID
	gc.Request = gc.Request.WithContext(ctx)
	return end
}

// parseTraceparent is the id in a traceparent header (W3C Trace Context, section 3.2), empty when there is none that is right.
func parseTraceparent(given []string) string {
	const length, begin, end = 55, 3, 35
	if len(given) != 1 || len(given[0]) != length || given[0][:begin] != "00-" || given[0][end] != '-' {
		return ""
	}
	id, zero := given[0][begin:end], true
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ""
		}
		zero = zero && c == '0'
	}
	if zero {
		return ""
	}
	return id
}

// closeAfterChunked ends the connection after a chunked request. net/http reads a request that has both Content-Length
// and Transfer-Encoding as chunked and drops the former before anyone can see it; RFC 9112, section 6.1, asks to close the
// connection then, so that nothing smuggled behind it is ever read as a request.
func closeAfterChunked(r *http.Request, h http.Header) {
	if len(r.TransferEncoding) > 0 {
		h.Set("Connection", "close")
	}
}

// requestID is the client's id when it is sane, else the gateway's.
func requestID(given []string, own string) string {
	if len(given) == 1 && validRequestID(given[0]) {
		return given[0]
	}
	return own
}

func validRequestID(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		if !letter && !digit && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// logRequest writes the line. It never holds the query, a header or a body: those may be secrets. slog's handlers escape
// control characters in the rest.
func (a *API) logRequest(gc *gin.Context, n *requestLog, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case gc.Writer.Status() >= http.StatusInternalServerError && !n.clientLeft:
		level = slog.LevelError
	case gc.FullPath() == "/healthz" || gc.FullPath() == "/readyz":
		level = slog.LevelDebug
	}
	if !a.log.Enabled(gc.Request.Context(), level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("method", gc.Request.Method),
		slog.String("route", gc.FullPath()),
		slog.Int("status", gc.Writer.Status()),
		slog.Duration("duration", took),
		slog.Int("bytes", max(gc.Writer.Size(), 0)),
		slog.String("request_id", n.requestID),
		slog.String("gateway_request_id", n.gatewayID),
		slog.String("remote", gc.ClientIP()),
	}
	if n.traceID != "" {
		attributes = append(attributes, slog.String("trace_id", n.traceID))
	}
	if gc.FullPath() == "" {
		attributes = append(attributes, slog.String("path", truncateName(gc.Request.URL.Path)))
	}
	if n.principal.UserID != "" {
		attributes = append(attributes, slog.String("user_id", n.principal.UserID), slog.String("user", n.principal.Username))
	}
	if n.code != "" {
		attributes = append(attributes, slog.String("code", string(n.code)))
	}
	if n.clientLeft {
		attributes = append(attributes, slog.Bool("client_left", true))
	}
	if n.cause != nil {
		attributes = append(attributes, slog.String("error", n.cause.Error()))
	}
	if n.stack != "" {
		attributes = append(attributes, slog.String("stack", n.stack))
	}
	a.log.LogAttrs(gc.Request.Context(), level, "request", attributes...)
}

// recover turns a panic into INTERNAL. The stack goes to the log only.
func (a *API) recover(gc *gin.Context) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if err, is := reason.(error); is && errors.Is(err, http.ErrAbortHandler) {
			panic(reason)
		}
		requestLogOf(gc).stack = string(debug.Stack())
		a.fail(gc, fault.Wrap(fmt.Errorf("panic: %v", reason), fault.Internal, "Internal error"))
	}()
	gc.Next()
}
