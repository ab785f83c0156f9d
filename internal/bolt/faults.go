package bolt

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/coalesce"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// unknownOutcome is a write whose connection was lost: it may have been committed.
type unknownOutcome struct{ error }

func (u unknownOutcome) Unwrap() error { return u.error }

// statementError is the failure of a statement, with the statement's name for the log.
type statementError struct {
	statement string
	cause     error
}

func (s statementError) Error() string { return s.statement + ": " + s.cause.Error() }
func (s statementError) Unwrap() error { return s.cause }

// nameStatement adds to an error which statement failed.
func nameStatement(text cypher.Text, err error) error {
	if err == nil {
		return nil
	}
	return statementError{text.Statement(), err}
}

// unnamed is the error of the driver in the failure of a statement.
func unnamed(err error) error {
	var named statementError
	if errors.As(err, &named) {
		return named.cause
	}
	return err
}

// WithUnknownOutcome marks an error as that of a write that may have been committed.
func WithUnknownOutcome(err error) error { return unknownOutcome{err} }

// IsOutcomeUnknown reports whether a failed write may have been committed.
func IsOutcomeUnknown(err error) bool {
	var unknown unknownOutcome
	return errors.As(err, &unknown)
}

// Code is the status code of the server's error, or empty.
func Code(err error) string {
	if err == nil {
		return ""
	}
	var serverErr *neo4j.Neo4jError
	if errors.As(err, &serverErr) {
		return serverErr.Code
	}
	return ""
}

// IsServerError reports whether the server reported the error: then nothing was done.
func IsServerError(err error) bool { return Code(err) != "" }

// isDatabaseFailure reports whether the database failed in a transaction, as it does on a full disk, or has not been restarted since: the
// transaction's writes may still exist after the restart.
func isDatabaseFailure(err error) bool {
	return strings.HasPrefix(Code(err), "Neo.DatabaseError.Transaction.")
}

// mayHaveCommitted reports whether a failed write may have been committed.
func mayHaveCommitted(err error) bool {
	if IsServerError(err) {
		return isDatabaseFailure(err) && !strings.HasSuffix(Code(err), "TransactionStartFailed")
	}
	return !IsNotSent(err)
}

// unreachableError is a lost connection after which the database as a whole was unreachable.
type unreachableError struct{ error }

func (a unreachableError) Unwrap() error { return a.error }

// timeoutError is a statement that the gateway gave up on at its deadline, while the database still answers other calls.
type timeoutError struct{ error }

func (l timeoutError) Unwrap() error { return l.error }

// errPoolExhausted means that all connections were in use for a while: nothing was sent.
var errPoolExhausted = errors.New("every connection to the database is in use")

// IsConnectionLost reports whether the database was unreachable or stopped answering. The driver (5.28.5, errorutil.WrapError) returns the
// error of a connection that ends in the middle of a message unchanged.
func IsConnectionLost(err error) bool {
	var unreachable *neo4j.ConnectivityError
	return errors.As(err, &unreachable) || errors.Is(err, io.ErrUnexpectedEOF)
}

// IsSlow reports whether the database accepted the connection and then did not answer in time. It may be unreachable, or only slow. The
// driver's errors for this have unexported types (5.28.5, errorutil).
func IsSlow(err error) bool {
	var lost *neo4j.ConnectivityError
	if errors.As(err, &lost) {
		text := lost.Inner.Error()
		return strings.HasPrefix(text, "Timeout while ") && !strings.Contains(text, " dial ")
	}
	return errors.Is(err, context.DeadlineExceeded)
}

// IsUnanswered reports whether the database did not answer a call, or was not asked because it did not answer a moment ago.
func IsUnanswered(err error) bool { return IsConnectionLost(err) || errors.Is(err, errCircuitOpen) }

// isUnusable reports whether the driver refused to use a connection because of an earlier error on it. This happens on 5.26 after a
// parameter that the server cannot decode; the driver has dropped the connection and sent nothing.
func isUnusable(err error) bool {
	return err != nil && Code(err) == "" && strings.HasPrefix(unnamed(err).Error(), "invalid state ")
}

// IsClosing reports whether a call failed because the client is being closed: no later call will be sent.
func IsClosing(err error) bool { return errors.Is(err, errClosing) }

// IsNotSent reports whether a call failed before its statement was sent: then nothing was done.
func IsNotSent(err error) bool {
	if errors.Is(err, errCircuitOpen) || errors.Is(err, errPoolExhausted) || errors.Is(err, errClosing) || isUnusable(err) {
		return true
	}
	var unreachable *neo4j.ConnectivityError
	if !errors.As(err, &unreachable) {
		return false
	}
	var op *net.OpError
	return errors.As(unreachable.Inner, &op) && op.Op == "dial" ||
		strings.HasPrefix(unreachable.Inner.Error(), "Timeout while waiting for connection") // the pool's error has an unexported type
}

// IsForeignBookmark reports whether the database rejected a bookmark as invalid.
func IsForeignBookmark(err error) bool {
	return strings.HasPrefix(Code(err), "Neo.ClientError.Transaction.InvalidBookmark")
}

// IsOutOfMemory reports whether a statement needed more memory than the server permits.
func IsOutOfMemory(err error) bool {
	return strings.HasSuffix(Code(err), "MemoryPoolOutOfMemoryError") || strings.HasSuffix(Code(err), ".OutOfMemoryError")
}

func readOnlyDatabase(err error) bool {
	return strings.HasSuffix(Code(err), "ForbiddenOnReadOnlyDatabase")
}

// IsConstraintViolation reports whether a constraint in the database does not allow a write.
func IsConstraintViolation(err error) bool {
	return strings.HasSuffix(Code(err), "ConstraintValidationFailed")
}

// isRefusal reports whether the database refused the values of a write. The same write was then not carried out before either: it would
// have recognized that first.
func isRefusal(err error) bool {
	return IsConstraintViolation(err) || tooLargeToIndex(err) || unknownZone(err)
}

// timeouts are the status codes, without their class, of a statement that ran out of time or was terminated: the driver (5.28.5,
// db/errors.go) changes the class of some of them (Neo4j manual, "Neo4j status codes").
var timeouts = map[string]bool{
	"Transaction.TransactionTimedOut":                    true, // db.transaction.timeout
	"Transaction.TransactionTimedOutClientConfiguration": true, // the gateway's own limit
	"Transaction.LockAcquisitionTimeout":                 true, // the gateway's limit
	"Transaction.LockClientStopped":                      true, // terminated while it waited for a lock
	"Transaction.Terminated":                             true,
	"Procedure.ProcedureTimedOut":                        true,
}

// IsTimeout reports whether the server ended a statement at its time limit and rolled it back.
func IsTimeout(err error) bool {
	_, class, _ := strings.Cut(Code(err), "Neo.")
	_, title, _ := strings.Cut(class, ".")
	return timeouts[title]
}

// IsForbidden reports whether the database's user lacks the privilege for a statement.
func IsForbidden(err error) bool {
	return strings.HasPrefix(Code(err), "Neo.ClientError.Security.Forbidden") ||
		strings.HasSuffix(Code(err), "ProcedureNotFound") || strings.HasSuffix(Code(err), "ProcedureCallFailed")
}

// IsEntityDeleted reports whether a statement failed because an entity was deleted concurrently: run again, it does not find the entity.
func IsEntityDeleted(err error) bool {
	switch Code(err) {
	case "Neo.ClientError.Statement.EntityNotFound", "Neo.TransientError.Transaction.Outdated":
		return true
	default:
		return false
	}
}

// RetryAfterOutage is the Retry-After of DATABASE_UNAVAILABLE.
const RetryAfterOutage = time.Second

// Translate converts an error of the driver to a fault. The driver's message is kept as the cause, for the log only.
func Translate(err error) error {
	if err == nil { // before the variables below, which are allocated on the heap
		return nil
	}
	var known *fault.Error
	var unknown unknownOutcome
	var timeout timeoutError
	switch c := Code(err); {
	case errors.As(err, &known):
		return known
	case errors.As(err, &unknown) && isDatabaseFailure(err):
		return Unavailable(err, "The database failed; whether the change was made is unknown")
	case errors.As(err, &unknown) && errors.As(err, &timeout):
		return fault.Wrap(err, fault.DatabaseTimeout, "The query ran out of time; whether the change was made is unknown")
	case errors.As(err, &unknown):
		return Unavailable(err, "The connection to the database was lost; whether the change was made is unknown")
	case errors.Is(err, coalesce.ErrFull):
		return Unavailable(err, "The service is busy; try again")
	case errors.Is(err, coalesce.ErrClosed), errors.Is(err, errClosing):
		return Unavailable(err, "The service is stopping; try again")
	case errors.Is(err, errPoolExhausted):
		return Unavailable(err, "The service is busy; try again")
	case errors.As(err, &timeout):
		return fault.Wrap(err, fault.DatabaseTimeout, "The query ran out of time")
	case IsForeignBookmark(err):
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: graph.BookmarkHeader, Message: "does not belong to this database; omit it"})
	case strings.HasSuffix(c, "BookmarkTimeout"):
		return fault.Wrap(err, fault.DatabaseTimeout, "The database did not reach the state of the bookmark in time")
	case c == "":
		if errors.Is(err, context.DeadlineExceeded) && !IsConnectionLost(err) {
			return fault.Wrap(err, fault.DatabaseTimeout, "The query ran out of time")
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		return Unavailable(err, "The database cannot be reached at the moment; try again")
	case IsTimeout(err):
		return fault.Wrap(err, fault.DatabaseTimeout, "The query ran out of time")
	case IsConstraintViolation(err):
		return fault.Wrap(err, fault.Conflict, "A constraint in the database does not allow this")
	case tooLargeToIndex(err):
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: "properties", Message: tooLargeMessage})
	case unknownZone(err):
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: "properties", Message: unknownZoneMessage})
	case IsEntityDeleted(err):
		return fault.Wrap(err, fault.Conflict, "Another request deleted or changed this entity at the same time; try again")
	case IsOutOfMemory(err):
		return Unavailable(err, "The database has not enough memory for this at the moment; send less at once, or try again")
	case isDatabaseFailure(err), strings.HasPrefix(c, "Neo.TransientError."), strings.HasPrefix(c, "Neo.ClientError.Security."),
		readOnlyDatabase(err),
		strings.HasSuffix(c, "DatabaseNotFound"), strings.HasSuffix(c, "DatabaseUnavailable"), strings.HasSuffix(c, "NotALeader"):
		return Unavailable(err, "The database cannot serve this at the moment; try again")
	default:
		return fault.Wrap(err, fault.Internal, "Internal error")
	}
}

// Unavailable is DATABASE_UNAVAILABLE with its Retry-After.
func Unavailable(err error, message string) error {
	return fault.Wrap(err, fault.DatabaseUnavailable, message).RetryAfter(RetryAfterOutage)
}

// IsRowError reports whether an error is caused by the row of a statement, rather than by the database's state.
func IsRowError(err error) bool {
	return !fault.CodeOf(Translate(err)).OfDatabase()
}
