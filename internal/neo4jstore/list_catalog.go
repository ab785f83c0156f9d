package neo4jstore

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// readWithCatalog reads a page by the catalog of managed types: see bolt.ReadSpeculatively.
func readWithCatalog[P any](ctx context.Context, reads *entityReader, read func(context.Context, *managedTypes) (P, error)) (P, error) {
	isSame := func(a, b *managedTypes) bool { return a == b }
	return bolt.ReadSpeculatively(ctx, reads.catalog.Snapshot, neo4jschema.ReadAge, isSame, read)
}

// readWithNames reads a list of all types by the names in use of the last seconds: see bolt.ReadSpeculatively. listed are the names that
// the list depends on.
func readWithNames[P any](
	ctx context.Context, c *exclusionCache, listed func(*exclusion) []string, read func(ctx context.Context, names []string) (P, error),
) (P, error) {
	if _, err := c.exclusion(ctx); err != nil { // which bounds the age of the names as last read
		var none P
		return none, err
	}
	isAlike := func(a, b *exclusion) bool { return slices.Equal(listed(a), listed(b)) }
	return bolt.ReadSpeculatively(ctx, c.exclusions, 0, isAlike, func(ctx context.Context, e *exclusion) (P, error) {
		return read(ctx, listed(e))
	})
}
