package bolt

import (
	"context"
	"errors"
	"time"

	"graphrest/cypher"
)

// StatementObserver observes every statement after the database has answered it or failed to. Its method must be fast and safe for
// concurrent use.
type StatementObserver interface {
	// Statement receives the statement's name, its text, which contains parameters and never their values, and the time when it was sent.
	// failure is empty for a success, or else Neo4j's status code or one of the words of func failure.
	Statement(ctx context.Context, name, text string, began time.Time, failure string)
}

// Observers are called for each statement, one after another.
type Observers []StatementObserver

// Notify calls each observer for a statement that began at a time and has been answered, or has failed.
func (o Observers) Notify(ctx context.Context, text cypher.Text, began time.Time, err error) {
	for _, observer := range o {
		observer.Statement(ctx, text.Statement(), text.String(), began, failureLabel(err))
	}
}

// failureLabel is the status code of a failed statement, or a word for its cause.
func failureLabel(err error) string {
	switch {
	case err == nil:
		return ""
	case Code(err) != "":
		return Code(err)
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case IsConnectionLost(err):
		return "connection"
	default:
		return "other"
	}
}
