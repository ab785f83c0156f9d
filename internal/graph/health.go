package graph

import "context"

// Health checks the database.
type Health interface {
	// Ready queries the database, within the context's deadline. DATABASE_UNAVAILABLE if it does not answer.
	Ready(ctx context.Context) error
}
