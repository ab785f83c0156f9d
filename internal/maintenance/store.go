// Package maintenance gives entities ids and checks a database, for the command line and for administrators of a running gateway.
package maintenance

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// Types are the managed types of a store.
type Types interface {
	// ManagedNames are the managed node types and edge types, read now.
	ManagedNames(ctx context.Context) (labels, types []string, err error)
	// Manage makes a type managed and waits for its constraint without a time limit. CONFLICT if it cannot be created.
	Manage(ctx context.Context, k graph.Kind, name string) error
	// ConstraintName is the name of the constraint that Manage creates.
	ConstraintName(k graph.Kind, name string) string
}

// Names are the names in a database.
type Names interface {
	// ReadUse says how many names the database has, read now, and how many it may have.
	ReadUse(ctx context.Context) ([]graph.NameUse, error)
}

// Store is a graph.Adopter and a graph.Doctor.
type Store struct {
	client     *bolt.Client
	types      Types
	names      Names
	idProperty string
	idName     cypher.Fragment // the id property, quoted
}

var (
	_ graph.Adopter = (*Store)(nil)
	_ graph.Doctor  = (*Store)(nil)
)

// New creates the maintenance of a graph whose ids are in a property.
func New(client *bolt.Client, types Types, names Names, idProperty string) *Store {
	return &Store{client: client, types: types, names: names, idProperty: idProperty, idName: cypher.Quote(idProperty)}
}
