package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"graphrest/internal/fault"
)

// statuses maps each code to its HTTP status; nothing else does.
var statuses = map[fault.Code]int{
	fault.Validation:           http.StatusBadRequest,
	fault.Unauthenticated:      http.StatusUnauthorized,
	fault.InvalidCredentials:   http.StatusUnauthorized,
	fault.InvalidToken:         http.StatusUnauthorized,
	fault.TokenExpired:         http.StatusUnauthorized,
	fault.TokenRevoked:         http.StatusUnauthorized,
	fault.PermissionDenied:     http.StatusForbidden,
	fault.NotFound:             http.StatusNotFound,
	fault.MethodNotAllowed:     http.StatusMethodNotAllowed,
	fault.Conflict:             http.StatusConflict,
	fault.HistoryGone:          http.StatusGone,
	fault.PreconditionFailed:   http.StatusPreconditionFailed,
	fault.PayloadTooLarge:      http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.IdempotencyKeyReused: http.StatusUnprocessableEntity,
	fault.QueryRejected:        http.StatusUnprocessableEntity,
	fault.RateLimited:          http.StatusTooManyRequests,
	fault.Internal:             http.StatusInternalServerError,
	fault.DatabaseUnavailable:  http.StatusServiceUnavailable,
	fault.DatabaseTimeout:      http.StatusGatewayTimeout,
}

// StatusOf is the HTTP status of a code.
func StatusOf(code fault.Code) int {
	if s, known := statuses[code]; known {
		return s
	}
	return http.StatusInternalServerError
}

// defaultRetry is the Retry-After of a 429 or 503 whose fault has no retry time.
const defaultRetry = time.Second

const challengeRealm = `Bearer realm="Graph Data Service"`

// fail writes and logs every error response and aborts gin's handler chain.
func (a *API) fail(gc *gin.Context, err error) {
	gc.Abort()
	f := fault.As(err)
	status := StatusOf(f.Code)
	n := requestLogOf(gc)
	n.code = f.Code
	if status >= http.StatusInternalServerError {
		n.cause = err
	}
	if errors.Is(n.client.Err(), context.Canceled) {
		// The client has disconnected, which caused the error.
		n.clientLeft, n.cause = true, nil
		f = fault.New(fault.DatabaseTimeout, "The client disconnected before the response was ready")
		status = StatusOf(f.Code)
	}
	if gc.Writer.Written() {
		return // the response has already started; only the log has the error
	}
	setErrorHeaders(gc.Writer.Header(), status, f)
	if status == http.StatusUnauthorized {
		a.challengeAgent(gc)
	}
	writeJSON(gc.Writer, status, withMeta(errorBody(f), err))
}

// errorWithMeta is an error whose response has the member meta beside error.
type errorWithMeta struct {
	error
	meta any
}

func (e *errorWithMeta) Unwrap() error { return e.error }

// withMeta adds the meta of an error to the body of its response.
func withMeta(body []byte, err error) []byte {
	var e *errorWithMeta
	if !errors.As(err, &e) {
		return body
	}
	body = appendJSON(e.meta)(append(body[:len(body)-len("}\n")], `,"meta":`...))
	return append(body, "}\n"...)
}

// setErrorHeaders sets the headers that RFC 9110 and RFC 6750 require for an error and removes those that describe a success.
func setErrorHeaders(h http.Header, status int, f *fault.Error) {
	for _, name := range []string{"Etag", "Location", "Link", asOfHeader} {
		h.Del(name)
	}
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", challenge(f.Code))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		after := f.After
		if after <= 0 {
			after = defaultRetry
		}
		h.Set("Retry-After", strconv.FormatInt(ceilSeconds(after), 10))
	case http.StatusGatewayTimeout:
		if f.After > 0 { // a retry continues the operation
			h.Set("Retry-After", strconv.FormatInt(ceilSeconds(f.After), 10))
		}
	}
}

// challenge returns the WWW-Authenticate header. RFC 6750, section 3.1: a request without a token gets no error attribute.
func challenge(code fault.Code) string {
	switch code {
	case fault.InvalidToken:
		return challengeRealm + `, error="invalid_token", error_description="The access token is not valid"`
	case fault.TokenExpired:
		return challengeRealm + `, error="invalid_token", error_description="The access token has expired"`
	case fault.TokenRevoked:
		return challengeRealm + `, error="invalid_token", error_description="The access token was revoked"`
	default:
		return challengeRealm
	}
}

type errorDocument struct {
	Error errorContent `json:"error"`
}

type errorContent struct {
	Code    fault.Code     `json:"code"`
	Message string         `json:"message"`
	Details []fault.Detail `json:"details"`
}

// errorBody returns {"error":{"code","message","details":[...]}}; details is never null.
func errorBody(f *fault.Error) []byte {
	details := f.Details
	if details == nil {
		details = []fault.Detail{}
	}
	if len(details) > fault.MaxDetails {
		details = details[:fault.MaxDetails]
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(errorDocument{errorContent{f.Code, f.Message, details}}) // only strings: it cannot fail
	return b.Bytes()
}

// ceilSeconds rounds up, so that a client that waits this long has waited long enough.
func ceilSeconds(d time.Duration) int64 {
	return int64((d + time.Second - 1) / time.Second)
}
