package neo4jbulk

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jentity"
)

// lineCreator creates the entities of lines.
type lineCreator struct{ *importCore }

// createLines creates the entities of some lines in one transaction, or in several if one of the lines is invalid.
func (lc lineCreator) createLines(ctx context.Context, k graph.Kind, all []*importLine) error {
	if len(all) == 0 {
		return nil
	}
	if k == graph.EdgeKind {
		slices.SortStableFunc(all, func(a, b *importLine) int {
			return strings.Compare(a.ends[0].ElementID+a.ends[1].ElementID, b.ends[0].ElementID+b.ends[1].ElementID)
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
		case a.Err != nil && !bolt.IsRowError(a.Err):
			return a.Err
		case a.Err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.Err, k, lc.config.IDProperty, it.properties)))
		default:
			lc.addCreated(k, it, neo4jentity.DecodeCreated(k, a.Tuple))
		}
	}
	return nil
}

// addCreated records the result of a line that created an entity, or of an edge whose ends were not found.
func (lc lineCreator) addCreated(k graph.Kind, it *importLine, row neo4jentity.CreatedRow) {
	if row.ElementID == "" {
		it.fail(missingBulkEndsError(it.line.Edge, !row.Source, !row.Target))
		return
	}
	it.result.Done = graph.BulkCreated
	lc.earlier.created[k].add(row.ElementID)
	if k == graph.NodeKind {
		lc.earlier.rememberNode(it, neo4jentity.Reference{ElementID: row.ElementID, Own: it.own})
	}
}

// row is a line in the form that its statement takes, with the id that the entity will have.
func (lc lineCreator) row(ctx context.Context, k graph.Kind, it *importLine) (map[string]any, error) {
	var typ graph.TypeName
	if len(it.types) > 0 {
		typ = graph.TypeName(it.types[0])
	}
	given := it.id
	if neo4jentity.IsElementID(k, given) {
		given = "" // it gets an id
	}
	c, err := neo4jentity.NewCreate(lc.config.IDProperty, typ, given, it.properties)
	if err != nil {
		return nil, err
	}
	it.own, c.By = c.ID, neo4jentity.AuthorFrom(ctx)
	if k == graph.EdgeKind {
		c.Source, c.Target = it.ends[0], it.ends[1]
	}
	return lc.writes.CreateAnyRow(k, c, it.types), nil
}

// createWithRetry runs a batch of creates. After a lost connection it looks up the batch's ids: because the batch is one transaction,
// either all or none exist. While the database is unreachable it retries, as bolt.ThroughOutage says.
func (lc lineCreator) createWithRetry(ctx context.Context, k graph.Kind, all []*importLine, batch bolt.BatchRows) []neo4jentity.RowResult {
	write := neo4jentity.CreateOf(k, batch)
	write.Named = neo4jaudit.MaxNamedCreates
	for retries := bolt.ThroughOutage.Begin(); ; {
		answers := lc.writes.Run(ctx, write)
		lost := slices.IndexFunc(answers, func(a neo4jentity.RowResult) bool {
			return bolt.IsOutcomeUnknown(a.Err) || fault.CodeOf(bolt.Translate(a.Err)) == fault.DatabaseUnavailable
		})
		if lost < 0 || anyCreated(answers) || !retries.Again(ctx) {
			return answers
		}
		if bolt.IsOutcomeUnknown(answers[lost].Err) && (!lc.recoverOutcome(ctx, k, all, answers, retries) || anyCreated(answers)) {
			return answers
		}
	}
}

// recoverOutcome looks up what a batch with an unknown outcome has created. It reports whether the outcome could be determined.
func (lc lineCreator) recoverOutcome(
	ctx context.Context, k graph.Kind, all []*importLine, answers []neo4jentity.RowResult, retries *bolt.Retries,
) bool {
	ids := make([]neo4jentity.SoughtID, 0, len(all))
	for _, it := range all {
		if it.own == "" {
			return false // a node without a type cannot be looked up
		}
		ids = append(ids, neo4jentity.SoughtID{ID: it.own, Types: it.types})
	}
	found, err := lc.reads.FindCreated(ctx, k, ids, retries)
	for n, it := range all {
		if e := found[it.own]; e != nil {
			answers[n] = neo4jentity.RowResult{Tuple: neo4jentity.EncodeCreated(k, n, e.ElementID)}
		}
	}
	return err == nil
}

func anyCreated(answers []neo4jentity.RowResult) bool {
	return slices.ContainsFunc(answers, func(a neo4jentity.RowResult) bool { return a.Tuple != nil })
}
