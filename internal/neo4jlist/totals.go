package neo4jlist

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// scannedRecords is the maximum number of nodes with an internal label among which every exact count searches for nodes that also have a
// visible label. Only a statement outside the gateway can add one. Labels of the gateway with more nodes, those of a long journal or audit
// log, are not searched: the time of a count would grow with them. Labels that it does not know are always searched: what else their nodes
// have cannot be known.
const scannedRecords = 10_000

// internalParts are the internal labels in use by the number of their nodes, and the internal relationship types in use.
type internalParts struct {
	scanned []string
	records []string // primary labels of the gateway of more than scannedRecords nodes; no node has two of them
	types   []string
}

// internalPartsOf divides the internal labels by size; without sizes all are scanned.
func internalPartsOf(e *neo4jentity.Exclusion, sizes map[string]int64) internalParts {
	parts, primary := internalParts{types: append([]string{graph.ReservedPrefix}, e.InternalTypes...)}, cypher.PrimaryLabels()
	for _, label := range e.InternalLabels {
		if sizes[label] > scannedRecords && slices.Contains(primary, label) {
			parts.records = append(parts.records, label)
		} else {
			parts.scanned = append(parts.scanned, label)
		}
	}
	// The bare prefix, which no entity has, keeps the pattern from being empty.
	parts.scanned = append([]string{graph.ReservedPrefix}, parts.scanned...)
	return parts
}

// listTotals counts what a list contains.
type listTotals struct {
	client  *bolt.Client
	filters *filterBuilder
	exact   *exactCounter
	texts   *listTexts
}

// count runs a statement that counts.
func (t *listTotals) count(ctx context.Context, statement cypher.Statement, slots cypher.Slots, params map[string]any) (int64, error) {
	return t.client.ReadCount(ctx, t.texts.text(statement, slots), t.texts.paramsOf(statement, params))
}

// maxSortedRows is up to how many entities that an index finds are sorted for each page.
const maxSortedRows = 2000

// findsFew reports whether the indexes of a type that serve the filter find so few entities that they are sorted for each page.
func (t *listTotals) findsFew(ctx context.Context, typ string) (bool, error) {
	slots := cypher.Slots{"type": cypher.Quote(typ), "where": t.texts.query.filter.servedWhere(typ)}
	count, err := t.count(ctx, t.texts.query.statements.few, slots, map[string]any{"max_rows": maxSortedRows})
	return count < maxSortedRows, err
}

// countType counts the visible entities of a type, or of all, that meet the filter.
func (t *listTotals) countType(ctx context.Context, typ string) (int64, error) {
	q := t.texts.query
	if q.filter.selects(typ) {
		types, none := q.filter.View.AnyOf(q.statements.anyType)
		if none {
			return 0, nil
		}
		if typ != "" {
			types = cypher.Quote(typ)
		}
		slots := cypher.Slots{"type": types, "where": q.filter.where(typ)}
		if q.kind == graph.NodeKind {
			return t.count(ctx, q.statements.matchCount, slots, nil)
		}
		f, err := t.filters.withEnds(ctx, q.filter, graph.TypeName(typ))
		if err != nil {
			return 0, err
		}
		return t.count(ctx, q.statements.matchCount, slots, map[string]any{
			"ends_visible": f.endsVisible, "types_visible": typ != "",
		})
	}
	return t.exact.count(ctx, typ, func(names *neo4jentity.Exclusion, parts internalParts) cypher.Text {
		if q.kind == graph.NodeKind && typ != "" && !slices.Contains(names.LabelsInUse, typ) {
			return cypher.Text{}
		}
		return t.texts.total(typ, parts)
	})
}

// countAround counts the edges of some nodes.
func (t *listTotals) countAround(ctx context.Context, ends endpointFilter, edgeType cypher.Fragment) (int64, error) {
	_, count, nodeParams := ends.statements()
	return t.count(ctx, count, cypher.Slots{"type": edgeType, "where": t.texts.query.filter.whereByParameters()}, nodeParams)
}

// countIndexed counts the entities of a managed type with an id.
func (t *listTotals) countIndexed(ctx context.Context, part typePart) (int64, error) {
	slots := cypher.Slots{"type": cypher.Quote(part.name), "where": t.texts.query.filter.whereByParameters()}
	return t.count(ctx, t.texts.query.statements.indexedCount, slots, map[string]any{"first": part.first()})
}

// countInDatabaseOrder counts what a segment in the database's own order reads.
func (t *listTotals) countInDatabaseOrder(ctx context.Context, part typePart) (all int64, err error) {
	q := t.texts.query
	if q.kind == graph.EdgeKind {
		all, err = t.countType(ctx, part.name)
	} else {
		var ranks any
		if part.under {
			ranks = keyset.RanksOf([]string{part.name})
		}
		slots := cypher.Slots{"type": cypher.Quote(part.name), "where": q.filter.whereByParameters()}
		all, err = t.count(ctx, q.statements.scanCount, slots, map[string]any{"ranks": ranks})
	}
	if err != nil || !part.withoutID {
		return all, err
	}
	own, err := t.countIndexed(ctx, part)
	return all - own, err
}
