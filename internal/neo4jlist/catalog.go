package neo4jlist

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// readWithCatalog reads a page by the catalog of managed types: see bolt.ReadSpeculatively.
func readWithCatalog[P any](
	ctx context.Context, reads *neo4jentity.Reader, read func(context.Context, *neo4jentity.ManagedTypes) (P, error),
) (P, error) {
	isSame := func(a, b *neo4jentity.ManagedTypes) bool { return a == b }
	return bolt.ReadSpeculatively(ctx, reads.Catalog.Snapshot, neo4jschema.ReadAge, isSame, read)
}

// readWithNames reads a list of all types by the names in use of the last seconds: see bolt.ReadSpeculatively. listed are the names that
// the list depends on.
func readWithNames[P any](
	ctx context.Context, c *neo4jentity.ExclusionCache, listed func(*neo4jentity.Exclusion) []string,
	read func(ctx context.Context, names []string) (P, error),
) (P, error) {
	if _, err := c.Exclusion(ctx); err != nil { // which bounds the age of the names as last read
		var none P
		return none, err
	}
	isAlike := func(a, b *neo4jentity.Exclusion) bool { return slices.Equal(listed(a), listed(b)) }
	return bolt.ReadSpeculatively(ctx, c.Exclusions, 0, isAlike, func(ctx context.Context, e *neo4jentity.Exclusion) (P, error) {
		return read(ctx, listed(e))
	})
}
