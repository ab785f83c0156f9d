package queryguard

import (
	"context"

	"graphrest/internal/bolt"
)

// Guard judges queries on one database. It is safe for concurrent use.
type Guard struct {
	client     *bolt.Client
	procedures []string
}

// Config is what a guard needs.
type Config struct {
	Client *bolt.Client
	// Procedures are the names of procedures and functions that queries may call beside the built-in read-only ones, in any letter case.
	Procedures []string
}

// New creates a guard. It does not use the database before the first query.
func New(c Config) *Guard {
	return &Guard{client: c.Client, procedures: c.Procedures}
}

// Explain judges a query without refusing it: a refused query is a verdict, not an error. Its errors are those of Check but
// QUERY_REJECTED.
func (g *Guard) Explain(_ context.Context, _ Request) (Verdict, error) {
	return Verdict{Reasons: []Reason{{Message: "queries are not supported yet"}}}, nil
}
