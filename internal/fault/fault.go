// Package fault defines the one error type that crosses package boundaries. A fault has the public error code, a message
// that is safe to show to a client, the invalid fields, and the cause, which is for the log only.
package fault

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Code is the public error.code of a response. The status table in httpapi maps it to the HTTP status.
type Code string

// The complete list of codes. docs/errors.md describes each; a test keeps the two in step.
const (
	Validation           Code = "VALIDATION_ERROR"
	Unauthenticated      Code = "UNAUTHENTICATED"
	InvalidCredentials   Code = "INVALID_CREDENTIALS"
	InvalidToken         Code = "INVALID_TOKEN"
	TokenExpired         Code = "TOKEN_EXPIRED"
	TokenRevoked         Code = "TOKEN_REVOKED"
	PermissionDenied     Code = "PERMISSION_DENIED"
	NotFound             Code = "NOT_FOUND"
	MethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	Conflict             Code = "CONFLICT"
	HistoryGone          Code = "HISTORY_GONE"
	PreconditionFailed   Code = "PRECONDITION_FAILED"
	PayloadTooLarge      Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	IdempotencyKeyReused Code = "IDEMPOTENCY_KEY_REUSED"
	QueryRejected        Code = "QUERY_REJECTED"
	RateLimited          Code = "RATE_LIMITED"
	Internal             Code = "INTERNAL"
	DatabaseUnavailable  Code = "DATABASE_UNAVAILABLE"
	DatabaseTimeout      Code = "DATABASE_TIMEOUT"
)

// OfDatabase reports whether a code is caused by the state of the database or of the service, not by the request.
func (c Code) OfDatabase() bool {
	return c == DatabaseUnavailable || c == DatabaseTimeout || c == Internal
}

// Codes lists every code, in the order of the documentation.
func Codes() []Code {
	return []Code{
		Validation, Unauthenticated, InvalidCredentials, InvalidToken, TokenExpired, TokenRevoked, PermissionDenied,
		NotFound, MethodNotAllowed, Conflict, HistoryGone, PreconditionFailed, PayloadTooLarge, UnsupportedMediaType,
		IdempotencyKeyReused, QueryRejected, RateLimited, Internal, DatabaseUnavailable, DatabaseTimeout,
	}
}

// MaxDetails is how many details the answer to a client has at most.
const MaxDetails = 20

// Detail names one invalid field: a member path ("properties.name", "source_id"), a query parameter ("limit") or a
// header ("If-Match"), and states what is wrong and what is expected.
type Detail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is the one error type of the product.
type Error struct {
	Code    Code
	Message string        // shown to clients: no Cypher, address, stack or internal name
	Details []Detail      // may be empty
	After   time.Duration // delay before a retry; written as Retry-After in whole seconds; 0 means none
	cause   error         // for the log only
}

// Error returns the text for logs: code, message and cause.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Message
	for _, d := range e.Details {
		text += fmt.Sprintf("; %s: %s", d.Field, d.Message)
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// New creates a fault without a cause.
func New(code Code, message string, details ...Detail) *Error {
	return &Error{Code: code, Message: message, Details: details}
}

// Wrap creates a fault that keeps its cause for the log.
func Wrap(cause error, code Code, message string, details ...Detail) *Error {
	return &Error{Code: code, Message: message, Details: details, cause: cause}
}

// Invalid returns a VALIDATION_ERROR about one field. The format is the message of the detail.
func Invalid(field, format string, args ...any) *Error {
	return New(Validation, "Invalid input", Detail{Field: field, Message: fmt.Sprintf(format, args...)})
}

// RetryAfter sets the delay before a retry and returns the same fault.
func (e *Error) RetryAfter(d time.Duration) *Error {
	e.After = d
	return e
}

// As returns the fault in a chain of errors. A cancelled or expired context without a fault becomes DATABASE_TIMEOUT;
// any other error is INTERNAL, with its text kept as the cause and never shown.
func As(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Wrap(err, DatabaseTimeout, "The request ran out of time")
	default:
		return Wrap(err, Internal, "Internal error")
	}
}

// CodeOf returns the code of an error, empty for nil.
func CodeOf(err error) Code {
	if e := As(err); e != nil {
		return e.Code
	}
	return ""
}

// Ignore returns an error unless it is a fault with a code.
func Ignore(err error, code Code) error {
	if CodeOf(err) == code {
		return nil
	}
	return err
}

// Merge joins several validation faults into one that lists all their details, so that a client sees every problem in
// one response. It skips nil entries and returns nil if none is left.
func Merge(faults ...*Error) error {
	var all []Detail
	for _, f := range faults {
		if f != nil {
			all = append(all, f.Details...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return New(Validation, "Invalid input", all...)
}
