package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

func TestEveryCodeHasItsStatus(t *testing.T) {
	want := map[fault.Code]int{
		"VALIDATION_ERROR": 400, "UNAUTHENTICATED": 401, "INVALID_CREDENTIALS": 401, "INVALID_TOKEN": 401, "TOKEN_EXPIRED": 401,
		"TOKEN_REVOKED": 401, "PERMISSION_DENIED": 403, "NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405, "CONFLICT": 409, "HISTORY_GONE": 410,
		"PRECONDITION_FAILED": 412, "PAYLOAD_TOO_LARGE": 413, "UNSUPPORTED_MEDIA_TYPE": 415, "IDEMPOTENCY_KEY_REUSED": 422,
		"QUERY_REJECTED": 422, "RATE_LIMITED": 429, "INTERNAL": 500, "DATABASE_UNAVAILABLE": 503, "DATABASE_TIMEOUT": 504,
	}
	require.Len(t, want, len(fault.Codes()))
	for _, code := range fault.Codes() {
		require.Contains(t, want, code)
		require.Equal(t, want[code], StatusOf(code), code)
	}
	require.Equal(t, http.StatusInternalServerError, StatusOf("SOMETHING_NEW"))
}

func TestErrorBody(t *testing.T) {
	require.JSONEq(t, `{"error":{"code":"NOT_FOUND","message":"There is no such node","details":[]}}`,
		string(errorBody(fault.New(fault.NotFound, "There is no such node"))))
	require.JSONEq(t, `{"error":{"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"a<b","message":"must go"}]}}`,
		string(errorBody(fault.Invalid("a<b", "must go"))))

	many := fault.Invalid("f", "m")
	for range 100 {
		many.Details = append(many.Details, fault.Detail{Field: "f", Message: "m"})
	}
	require.Equal(t, fault.MaxDetails, strings.Count(string(errorBody(many)), `"field"`))
}

func TestErrorHeaders(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      *fault.Error
		header string
		want   string
	}{
		{"no token", fault.New(fault.Unauthenticated, ""), "WWW-Authenticate", `Bearer realm="Graph Data Service"`},
		{
			"bad token", fault.New(fault.InvalidToken, ""), "WWW-Authenticate",
			`Bearer realm="Graph Data Service", error="invalid_token", error_description="The access token is not valid"`,
		},
		{
			"expired", fault.New(fault.TokenExpired, ""), "WWW-Authenticate",
			`Bearer realm="Graph Data Service", error="invalid_token", error_description="The access token has expired"`,
		},
		{
			"revoked", fault.New(fault.TokenRevoked, ""), "WWW-Authenticate",
			`Bearer realm="Graph Data Service", error="invalid_token", error_description="The access token was revoked"`,
		},
		{"wrong password", fault.New(fault.InvalidCredentials, ""), "WWW-Authenticate", `Bearer realm="Graph Data Service"`},
		{"retry time is rounded up", fault.New(fault.RateLimited, "").RetryAfter(1500 * time.Millisecond), "Retry-After", "2"},
		{"a delete that goes on when it is sent again", fault.New(fault.DatabaseTimeout, "").RetryAfter(5 * time.Second), "Retry-After", "5"},
		{"504 without a retry time", fault.New(fault.DatabaseTimeout, ""), "Retry-After", ""},
		{"503 without a retry time", fault.New(fault.DatabaseUnavailable, ""), "Retry-After", "1"},
		{"404 has neither", fault.New(fault.NotFound, ""), "Retry-After", ""},
		{"a success's headers go", fault.New(fault.NotFound, ""), "ETag", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			h.Set("ETag", `"x"`)
			setErrorHeaders(h, StatusOf(c.f.Code), c.f)
			require.Equal(t, c.want, h.Get(c.header))
		})
	}
}
