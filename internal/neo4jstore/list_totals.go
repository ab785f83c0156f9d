package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
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

// total counts the visible entities of a list.
func (l *listRequest[T]) total(ctx context.Context, segments []keyset.Segment[T]) (*int64, error) {
	if len(segments) == 0 {
		return new(int64), nil
	}
	var total int64
	var err error
	if l.ends.hasNodes() {
		total, err = segments[0].Count(ctx)
	} else {
		total, err = l.countType(ctx, string(l.query.Type))
	}
	return &total, err
}

// countType counts the visible entities of a type, or of all, that meet the filter.
func (l *listRequest[T]) countType(ctx context.Context, typ string) (int64, error) {
	if l.filter.selects(typ) {
		types, none := l.filter.view.AnyOf(l.statements.anyType)
		if none {
			return 0, nil
		}
		if typ != "" {
			types = cypher.Quote(typ)
		}
		return l.count(ctx, l.statements.matchCount, cypher.Slots{"type": types, "where": l.filter.where(typ)}, nil)
	}
	return l.exactTotal(ctx, typ, func(names *exclusion, parts internalParts) cypher.Text {
		if l.kind == nodes && typ != "" && !slices.Contains(names.labelsInUse, typ) {
			return cypher.Text{}
		}
		return l.totalStatement(typ, parts)
	})
}

// totalStatement is the statement that counts a type, or all.
func (l *listRequest[T]) totalStatement(typ string, parts internalParts) cypher.Text {
	statement := l.statements.total
	if typ == "" {
		statement = l.statements.totalAll
	}
	return l.text(statement, cypher.Slots{
		"type": cypher.Quote(typ), "internal": cypher.QuoteAny(parts.scanned), "internal_types": cypher.QuoteAny(parts.types),
		"records": l.statements.countRecords(parts.records, typ),
	})
}

// totalWriter writes the statement of an exact count with the names in use. It is empty if they show that there is nothing to count.
type totalWriter func(names *exclusion, parts internalParts) cypher.Text

// exactTotal counts with a statement whose text has names that were read in the last seconds. The same statement returns the names now in
// use; if the text would differ with these, the new text runs. typ is the counted type, or empty.
func (l *listReader) exactTotal(ctx context.Context, typ string, write totalWriter) (int64, error) {
	names, err := l.exclusions.exclusion(ctx)
	if err != nil {
		return 0, err
	}
	sizes := l.schema.Counts.Known().Nodes
	text := write(names, names.parts(sizes))
	if text == (cypher.Text{}) { // there is no statement to return the names
		if names, err = l.exclusions.exclusionNow(ctx); err != nil {
			return 0, err
		}
		text = write(names, names.parts(sizes))
	}
	total, err := l.readTotal(ctx, text, typ, true)
	if err != nil {
		return 0, err
	}
	if total.names != nil {
		names = total.names
	}
	if latest := write(names, names.parts(sizes)); latest != text {
		total, err = l.readTotal(ctx, latest, typ, false)
	}
	if err == nil && total.atRecords > 0 {
		total, err = l.readTotal(ctx, write(names, names.parts(nil)), typ, false)
	}
	return total.count, err
}

// exactCount is the row of a statement that counts. Without a statement it is zero.
type exactCount struct {
	count     int64
	atRecords int64      // the edges at internal nodes that count contains
	names     *exclusion // by the internal names in use and the counted label; nil unless they are verified
}

// readTotal runs a statement that counts. verify is whether it returns names in use.
func (l *listReader) readTotal(ctx context.Context, text cypher.Text, typ string, verify bool) (exactCount, error) {
	if text == (cypher.Text{}) {
		return exactCount{}, nil
	}
	rows, err := l.client.ReadRows(ctx, text, map[string]any{"type": typ, "verify": verify})
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
