package neo4jstore

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// readWithCatalogue reads a page by the catalogue of managed types: see bolt.ReadSpeculatively.
func readWithCatalogue[P any](ctx context.Context, s *Store, read func(context.Context, *managedTypes) (P, error)) (P, error) {
	isSame := func(a, b *managedTypes) bool { return a == b }
	return bolt.ReadSpeculatively(ctx, s.catalogue, neo4jschema.ReadAge, isSame, read)
}

// readWithNames reads a list of all types by the names in use of the last seconds: see bolt.ReadSpeculatively. listed are the names that
// the list depends on.
func readWithNames[P any](
	ctx context.Context, s *Store, listed func(*exclusion) []string, read func(ctx context.Context, names []string) (P, error),
) (P, error) {
	if _, err := s.exclusion(ctx); err != nil { // which bounds the age of the names as last read
		var none P
		return none, err
	}
	isAlike := func(a, b *exclusion) bool { return slices.Equal(listed(a), listed(b)) }
	return bolt.ReadSpeculatively(ctx, s.exclusions, 0, isAlike, func(ctx context.Context, e *exclusion) (P, error) {
		return read(ctx, listed(e))
	})
}

// typeInUse reports whether an entity has a type. Only names that were in use are put into statements: other names would fill the
// database's plan cache.
func (s *Store) typeInUse(ctx context.Context, k kind, name string) (bool, error) {
	e, err := s.exclusion(ctx)
	if err != nil {
		return false, err
	}
	if slices.Contains(e.inUse(k), name) {
		return true, nil
	}
	if e, err = s.exclusionNow(ctx); err != nil {
		return false, err
	}
	return slices.Contains(e.inUse(k), name), nil
}
