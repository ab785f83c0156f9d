package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// scannedRecords is the maximum number of nodes with an internal label that are searched, for every exact count, for those that also have a
// visible label: only a statement of somebody else can give them one. The gateway's own records of a longer journal or audit log are not
// searched, or a count would take as long as they are many.
const scannedRecords = 10_000

// internalParts are the internal labels in use by the number of their nodes, and the internal relationship types in use.
type internalParts struct {
	scanned []string // labels of at most scannedRecords nodes
	records []string // labels of more nodes
	types   []string
}

// parts divides the internal labels by size; without sizes all are scanned.
func (e *exclusion) parts(sizes map[string]int64) internalParts {
	parts := internalParts{types: append([]string{graph.ReservedPrefix}, e.internalTypes...)}
	for _, label := range e.internalLabels {
		if sizes[label] > scannedRecords {
			parts.records = append(parts.records, label)
		} else {
			parts.scanned = append(parts.scanned, label)
		}
	}
	// The bare prefix, which no entity has, keeps the pattern from being empty.
	parts.scanned = append([]string{graph.ReservedPrefix}, parts.scanned...)
	return parts
}

// totalText writes the statement of an exact count with the names in use. It is empty if they show that there is nothing to count.
type totalText func(names *exclusion, parts internalParts) cypher.Text

// exactTotal counts by a statement with the names of the last seconds while they are read again, and once more if the statement has then
// changed: a count waits for one round trip instead of two.
func (s *Store) exactTotal(ctx context.Context, write totalText) (*int64, error) {
	names, err := s.exclusion(ctx)
	if err != nil {
		return nil, err
	}
	sizes := s.Counts.Known().Nodes
	presumed := write(names, names.parts(sizes))
	var reading errgroup.Group
	reading.Go(func() (err error) {
		names, err = s.exclusionNow(ctx)
		return err
	})
	total, atRecords, err := s.readTotal(ctx, presumed)
	if err := cmp.Or(err, reading.Wait()); err != nil {
		return nil, err
	}
	if text := write(names, names.parts(sizes)); text != presumed {
		total, atRecords, err = s.readTotal(ctx, text)
	}
	if err == nil && atRecords > 0 {
		total, _, err = s.readTotal(ctx, write(names, names.parts(nil)))
	}
	return &total, err
}

// readTotal returns also the number of edges at internal nodes that the total contains, if the statement has such a column.
func (s *Store) readTotal(ctx context.Context, text cypher.Text) (total, atRecords int64, err error) {
	if text == (cypher.Text{}) {
		return 0, 0, nil
	}
	rows, err := s.client.ReadRows(ctx, text, nil)
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	if slices.Contains(rows[0].Keys, "at_records") {
		atRecords = bolt.Column[int64](rows[0], "at_records")
	}
	return bolt.Column[int64](rows[0], "total"), atRecords, nil
}
