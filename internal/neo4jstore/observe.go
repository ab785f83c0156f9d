package neo4jstore

import (
	"context"
	"errors"
	"time"

	"graphrest/cypher"
)

// StatementObserver hears of every statement after the database has answered it, or has not. Its method must be quick and safe
// for concurrent use.
type StatementObserver interface {
	// Statement is told the statement's name, its text, which holds parameters and never their values, and when it was sent.
	// Failure is empty for a success, else Neo4j's status code or one of the words of failure.
	Statement(ctx context.Context, name, text string, began time.Time, failure string)
}

// observers are told of statements, one after another.
type observers []StatementObserver

func (o observers) notify(ctx context.Context, text cypher.Text, began time.Time, err error) {
	for _, observer := range o {
		observer.Statement(ctx, text.Statement(), text.String(), began, failure(err))
	}
}

// failure says in a word why a statement failed.
func failure(err error) string {
	switch {
	case err == nil:
		return ""
	case code(err) != "":
		return code(err)
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case lostConnection(err):
		return "connection"
	default:
		return "other"
	}
}

// Connections is how many connections carry a call right now, and how many may.
func (s *Store) Connections() (inUse, limit int) { return len(s.client.sem), s.client.poolSize }

// Reachable says whether the database answered when it was last tried.
func (s *Store) Reachable() bool { return !s.client.breaker.isOpen() }
