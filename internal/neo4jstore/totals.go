package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// scannedRecords is the maximum number of nodes with an internal label among which every exact count searches for nodes that also have a
// visible label. Only a statement outside the gateway can add one. Internal labels with more nodes, such as those of a long journal or
// audit log, are not searched: the time of a count would grow with them.
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

// exactTotal counts with a statement whose text has names that were read in the last seconds. The same statement returns the names now in
// use; if the text would differ with these, the new text runs. typ is the counted type, or empty.
func (s *Store) exactTotal(ctx context.Context, typ graph.TypeName, write totalText) (*int64, error) {
	names, err := s.exclusion(ctx)
	if err != nil {
		return nil, err
	}
	sizes := s.Counts.Known().Nodes
	text := write(names, names.parts(sizes))
	if text == (cypher.Text{}) { // there is no statement to return the names
		if names, err = s.exclusionNow(ctx); err != nil {
			return nil, err
		}
		text = write(names, names.parts(sizes))
	}
	total, err := s.readTotal(ctx, text, string(typ), true)
	if err != nil {
		return nil, err
	}
	if total.names != nil {
		names = total.names
	}
	if latest := write(names, names.parts(sizes)); latest != text {
		total, err = s.readTotal(ctx, latest, string(typ), false)
	}
	if err == nil && total.atRecords > 0 {
		total, err = s.readTotal(ctx, write(names, names.parts(nil)), string(typ), false)
	}
	return &total.count, err
}

// exactCount is the row of a statement that counts. Without a statement it is zero.
type exactCount struct {
	count     int64
	atRecords int64      // the edges at internal nodes that count contains
	names     *exclusion // by the internal names in use and the counted label; nil unless they are verified
}

// readTotal runs a statement that counts. verify is whether it returns names in use.
func (s *Store) readTotal(ctx context.Context, text cypher.Text, typ string, verify bool) (exactCount, error) {
	if text == (cypher.Text{}) {
		return exactCount{}, nil
	}
	rows, err := s.client.ReadRows(ctx, text, map[string]any{"type": typ, "verify": verify})
	if err != nil || len(rows) == 0 {
		return exactCount{}, err
	}
	row := rows[0]
	t := exactCount{count: bolt.Column[int64](row, "total")}
	if verify {
		var types []string
		if slices.Contains(row.Keys, "types") {
			types = bolt.TextColumn(row, "types")
		}
		t.names = newExclusion(bolt.TextColumn(row, "labels"), types)
	}
	if slices.Contains(row.Keys, "at_records") {
		t.atRecords = bolt.Column[int64](row, "at_records")
	}
	return t, nil
}
