package neo4jstore

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// mergesPerTransaction is how many entities are locked and checked in one transaction, whose contents are in memory together.
const mergesPerTransaction = 64

// lineMerger sets the properties of lines on the entities that have their ids.
type lineMerger struct {
	client   *bolt.Client
	config   *Config
	texts    *statementTexts
	catalog  *typeCatalog
	contents *contentReader
	runner   *rowRunner
	updates  *entityUpdater
	lines    *lineFinder
}

// mergeLines sets the properties of lines whose ids exist already.
func (lm *lineMerger) mergeLines(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *importLine) int { return strings.Compare(held[a.id].elementID, held[b.id].elementID) })
	answers, err := lm.runMerges(ctx, k, all, held)
	if err != nil {
		return err
	}
	for n, a := range answers {
		switch it := all[n]; {
		case a.err != nil && !isRowError(a.err):
			return a.err
		case a.err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.err, k, lm.config.IDProperty, it.properties)))
		case a.tuple == nil:
			it.fail(fault.New(fault.Conflict, "Another request deleted or changed this entity at the same time; try again"))
		default:
			it.result.Done = graph.BulkUpdated
		}
	}
	return nil
}

// runMerges runs the updates of lines, and those again that must be validated first.
func (lm *lineMerger) runMerges(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) ([]rowResult, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return lm.mergeAuthorized(ctx, k, all, held), nil
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		at := it.referenceOf(k, held[it.id])
		batch[n] = lm.runner.updateRow(update{at, it.properties, authorFrom(ctx)})
	}
	write := updateOf(k, batch)
	write.checked, write.named = all[0].declared.CheckedOnChange(k), len(all)
	write.maxBytes = 1 // the results are complete entities, and none is needed
	answers := lm.runner.run(ctx, write)
	for n, a := range answers {
		if a.err == nil && a.tuple != nil && needsValidation(a.tuple) {
			answers[n] = lm.mergeValidated(ctx, k, all[n], held[all[n].id])
		}
	}
	return answers, nil
}

// mergeAuthorized sets the properties of some lines on entities that are checked under their locks. If a line fails in the database, each
// line has a separate transaction.
func (lm *lineMerger) mergeAuthorized(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) []rowResult {
	var results []rowResult
	for some := range slices.Chunk(all, mergesPerTransaction) {
		together, err := lm.mergeTogether(ctx, k, some, held)
		if err == nil {
			results = append(results, together...)
			continue
		}
		for _, it := range some {
			results = append(results, lm.mergeValidated(ctx, k, it, held[it.id]))
		}
	}
	return results
}

// mergeTogether merges lines in one transaction; it has no results if that fails.
func (lm *lineMerger) mergeTogether(
	ctx context.Context, k kind, some []*importLine, held map[string]*entityRecord,
) (results []rowResult, err error) {
	m, err := lm.catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	elementIDs := make([]string, len(some))
	for n, it := range some {
		elementIDs[n] = held[it.id].elementID
	}
	err = lm.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		results = make([]rowResult, len(some))
		text, params := lm.texts.lockStatement(ctx, k, elementIDs)
		locked, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
		if err != nil {
			return err
		}
		var rows bolt.BatchRows
		var merged []int
		for _, t := range locked {
			n := int(t.Integer(rowColumn))
			at := some[n].referenceOf(k, held[some[n].id])
			found, err := lm.authorizeMerge(ctx, m, k, at, some[n], elementWithEnds(k, t))
			switch {
			case err != nil && !isRowError(err):
				return err
			case err != nil:
				results[n].err = err
			case found:
				rows, merged = append(rows, lm.runner.updateRow(update{at, some[n].properties, authorFrom(ctx)})), append(merged, n)
			}
		}
		return lm.updateMerged(ctx, tx, k, rows, func(row int, t bolt.Tuple) { results[merged[row]].tuple = t })
	})
	return results, err
}

// authorizeMerge checks the change of a line to an entity that is locked; found is false if it is not the one that the line names any more.
func (lm *lineMerger) authorizeMerge(
	ctx context.Context, m *managedTypes, k kind, at reference, it *importLine, e *entityRecord,
) (found bool, err error) {
	if at.own != "" && m.ownID(k, e.names, e.properties[lm.config.IDProperty]) != at.own {
		return false, nil
	}
	locked, err := lm.contents.readLocked(ctx, m, k, at, e)
	if err != nil {
		return false, err
	}
	return true, locked.judgeUpdate(ctx, it.declared, graph.Change{Properties: it.properties})
}

// updateMerged writes the changes of checked lines.
func (lm *lineMerger) updateMerged(
	ctx context.Context, tx *bolt.Transaction, k kind, rows bolt.BatchRows, use func(int, bolt.Tuple),
) error {
	if len(rows) == 0 {
		return nil
	}
	write := updateOf(k, rows)
	write.named = len(rows)
	tuples, err := lm.runner.runIn(ctx, tx, write)
	for row, t := range tuples {
		use(row, t)
	}
	return err
}

// mergeValidated sets the properties of one line on an entity that must be validated first.
func (lm *lineMerger) mergeValidated(ctx context.Context, k kind, it *importLine, at *entityRecord) rowResult {
	m, err := lm.catalog.Get(ctx)
	if err != nil {
		return rowResult{err: err}
	}
	e, err := lm.updates.validatedUpdate(ctx, m, it.declared, k, it.referenceOf(k, at), graph.Change{Properties: it.properties})
	if e == nil {
		return rowResult{err: err}
	}
	return rowResult{tuple: bolt.Tuple{}, err: err}
}

// checkMerges checks lines that would change entities.
func (lm *lineMerger) checkMerges(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) error {
	lines, elementIDs := map[string]*importLine{}, make([]string, len(all))
	for n, it := range all {
		it.result.Done = graph.BulkUpdated
		elementIDs[n] = held[it.id].elementID
		lines[elementIDs[n]] = it
	}
	if rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return nil
	}
	return lm.lines.forEachContent(ctx, k, elementIDs, func(e *entityRecord, now neo4jview.Content) {
		it := lines[e.elementID]
		if err := neo4jview.CheckEdit(ctx, k, e.names, now, it.properties); err != nil {
			it.result.Done = 0
			it.fail(err)
		}
	})
}
