package neo4jstore

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
)

// lineCreator creates the entities of lines.
type lineCreator struct{ *importCore }

// createLines creates the entities of some lines in one transaction, or in several if one of the lines is invalid.
func (lc lineCreator) createLines(ctx context.Context, k kind, all []*importLine) error {
	if len(all) == 0 {
		return nil
	}
	if k == edges {
		slices.SortStableFunc(all, func(a, b *importLine) int {
			return strings.Compare(a.ends[0].elementID+a.ends[1].elementID, b.ends[0].elementID+b.ends[1].elementID)
		})
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		row, err := lc.row(ctx, k, it)
		if err != nil {
			return err
		}
		batch[n] = row
	}
	for n, a := range lc.createWithRetry(ctx, k, all, batch) {
		it := all[n]
		switch {
		case a.err != nil && !bolt.IsRowError(a.err):
			return a.err
		case a.err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.err, k, lc.config.IDProperty, it.properties)))
		default:
			lc.addCreated(k, it, decodeCreated(k, a.tuple))
		}
	}
	return nil
}

// addCreated records the result of a line that created an entity, or of an edge whose ends were not found.
func (lc lineCreator) addCreated(k kind, it *importLine, row createdRow) {
	if row.elementID == "" {
		it.fail(missingBulkEndsError(it.line.Edge, !row.source, !row.target))
		return
	}
	it.result.Done = graph.BulkCreated
	lc.earlier.created[k].add(row.elementID)
	if k == nodes {
		lc.earlier.rememberNode(it, reference{elementID: row.elementID, own: it.own})
	}
}

// row is a line in the form that its statement takes, with the id that the entity will have.
func (lc lineCreator) row(ctx context.Context, k kind, it *importLine) (map[string]any, error) {
	var typ graph.TypeName
	if len(it.types) > 0 {
		typ = graph.TypeName(it.types[0])
	}
	given := it.id
	if isElementID(k, given) {
		given = "" // it gets an id
	}
	c, err := newCreate(lc.config.IDProperty, typ, given, it.properties)
	if err != nil {
		return nil, err
	}
	it.own, c.by = c.id, authorFrom(ctx)
	if k == edges {
		c.source, c.target = it.ends[0], it.ends[1]
	}
	return lc.writes.createAnyRow(k, c, it.types), nil
}

// createWithRetry runs a batch of creates. After a lost connection it looks up the batch's ids: because the batch is one transaction,
// either all or none exist. While the database is unreachable it retries, as bolt.ThroughOutage says.
func (lc lineCreator) createWithRetry(ctx context.Context, k kind, all []*importLine, batch bolt.BatchRows) []rowResult {
	write := createOf(k, batch)
	write.named = neo4jaudit.MaxNamedCreates
	for retries := bolt.ThroughOutage.Begin(); ; {
		answers := lc.writes.run(ctx, write)
		lost := slices.IndexFunc(answers, func(a rowResult) bool {
			return bolt.IsOutcomeUnknown(a.err) || fault.CodeOf(bolt.Translate(a.err)) == fault.DatabaseUnavailable
		})
		if lost < 0 || anyCreated(answers) || !retries.Again(ctx) {
			return answers
		}
		if bolt.IsOutcomeUnknown(answers[lost].err) && (!lc.recoverOutcome(ctx, k, all, answers, retries) || anyCreated(answers)) {
			return answers
		}
	}
}

// recoverOutcome looks up what a batch with an unknown outcome has created. It reports whether the outcome could be determined.
func (lc lineCreator) recoverOutcome(ctx context.Context, k kind, all []*importLine, answers []rowResult, retries *bolt.Retries) bool {
	ids := make([]soughtID, 0, len(all))
	for _, it := range all {
		if it.own == "" {
			return false // a node without a type cannot be looked up
		}
		ids = append(ids, soughtID{it.own, it.types})
	}
	found, err := lc.reads.findCreated(ctx, k, ids, retries)
	for n, it := range all {
		if e := found[it.own]; e != nil {
			answers[n] = rowResult{tuple: encodeCreated(k, n, e.elementID)}
		}
	}
	return err == nil
}

func anyCreated(answers []rowResult) bool {
	return slices.ContainsFunc(answers, func(a rowResult) bool { return a.tuple != nil })
}
