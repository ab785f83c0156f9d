package neo4jstore

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// readWithCatalogue reads a page by the catalogue of managed types. If the snapshot is a little old, it reads the page by it while the
// catalogue is read again, and reads the page again if the catalogue has changed: the page then waits for one round trip instead of two.
func readWithCatalogue[P any](ctx context.Context, s *Store, read func(*managedTypes) (P, error)) (P, error) {
	var none P
	known := s.catalogue.Current()
	if known == nil || s.catalogue.IsFresh(neo4jschema.ReadAge) {
		m, err := s.catalogue.Fresh(ctx, neo4jschema.ReadAge)
		if err != nil {
			return none, err
		}
		return read(m)
	}
	type answer struct {
		managed *managedTypes
		err     error
	}
	latest := make(chan answer, 1)
	go func() {
		m, err := s.catalogue.Fresh(ctx, neo4jschema.ReadAge)
		latest <- answer{m, err}
	}()
	page, err := read(known)
	now := <-latest
	switch {
	case now.err != nil:
		return none, now.err
	case now.managed != known:
		return read(now.managed)
	default:
		return page, err
	}
}

// readWithNames reads a list of all types by the names in use of the last seconds while they are read again, and once more if the list then
// has others: like readWithCatalogue. listed are the names that the list depends on.
func readWithNames[P any](
	ctx context.Context, s *Store, listed func(*exclusion) []string, read func(ctx context.Context, names []string) (P, error),
) (P, error) {
	var none P
	known, err := s.exclusion(ctx)
	if err != nil {
		return none, err
	}
	var latest *exclusion
	var reading errgroup.Group
	reading.Go(func() (err error) {
		latest, err = s.exclusionNow(ctx)
		return err
	})
	names := listed(known)
	budget := graph.NewCountedBudget(ctx)
	page, failed := read(graph.WithByteBudget(ctx, budget), names)
	switch err := reading.Wait(); {
	case err != nil:
		return none, err
	case !slices.Equal(listed(latest), names):
		_ = budget.Take(-budget.Taken()) // of the page that is not used
		return read(ctx, listed(latest))
	default:
		return page, failed
	}
}

// typeInUse says whether an entity has a type. Only names that were in use are put into statements: other names would fill the database's
// plan cache.
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
