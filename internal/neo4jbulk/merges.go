package neo4jbulk

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// mergesPerTransaction is how many entities are locked and checked in one transaction, whose contents are in memory together.
const mergesPerTransaction = 64

// lineMerger sets the properties of lines on the entities that have their ids.
type lineMerger struct {
	*importCore
	lines *lineFinder
}

// mergeLines sets the properties of lines whose ids exist already.
func (lm *lineMerger) mergeLines(ctx context.Context, k graph.Kind, all []*importLine, held map[string]*neo4jentity.Record) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *importLine) int { return strings.Compare(held[a.id].ElementID, held[b.id].ElementID) })
	answers, err := lm.runMerges(ctx, k, all, held)
	if err != nil {
		return err
	}
	for n, a := range answers {
		switch it := all[n]; {
		case a.Err != nil && !bolt.IsRowError(a.Err):
			return a.Err
		case a.Err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.Err, k, lm.config.IDProperty, it.properties)))
		case a.Tuple == nil:
			it.fail(fault.New(fault.Conflict, "Another request deleted or changed this entity at the same time; try again"))
		default:
			it.result.Done = graph.BulkUpdated
		}
	}
	return nil
}

// runMerges runs the updates of lines, and those again that must be validated first.
func (lm *lineMerger) runMerges(
	ctx context.Context, k graph.Kind, all []*importLine, held map[string]*neo4jentity.Record,
) ([]neo4jentity.RowResult, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return lm.mergeJudged(ctx, k, all, held)
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		at := it.referenceOf(k, held[it.id])
		batch[n] = lm.writes.UpdateRow(neo4jentity.Update{At: at, Properties: it.properties, By: neo4jentity.AuthorFrom(ctx)})
	}
	write := neo4jentity.UpdateOf(k, batch)
	write.Checked, write.Named = all[0].declared.CheckedOnChange(k), len(all)
	write.MaxBytes = 1 // the results are complete entities, and none is needed
	answers := lm.writes.Run(ctx, write)
	for n, a := range answers {
		if a.Err == nil && a.Tuple != nil && neo4jentity.NeedsValidation(a.Tuple) {
			j, changes, err := lm.judged(ctx, k, all[n:n+1], held)
			if err != nil {
				return nil, err
			}
			answers[n] = lm.writes.WriteOne(ctx, j, changes[0])
		}
	}
	return answers, nil
}

// mergeJudged sets the properties of some lines on entities that are judged under their locks. If a line fails in the database, each line
// has a separate transaction.
func (lm *lineMerger) mergeJudged(
	ctx context.Context, k graph.Kind, all []*importLine, held map[string]*neo4jentity.Record,
) ([]neo4jentity.RowResult, error) {
	var results []neo4jentity.RowResult
	for some := range slices.Chunk(all, mergesPerTransaction) {
		j, changes, err := lm.judged(ctx, k, some, held)
		if err != nil {
			return nil, err
		}
		together, err := lm.writes.Write(ctx, j, changes)
		if err != nil {
			together = nil
			for _, change := range changes {
				together = append(together, lm.writes.WriteOne(ctx, j, change))
			}
		}
		results = append(results, together...)
	}
	return results, nil
}

// judged are the changes of lines, and what is judged with them.
func (lm *lineMerger) judged(
	ctx context.Context, k graph.Kind, some []*importLine, held map[string]*neo4jentity.Record,
) (j neo4jentity.Judging, changes []neo4jentity.JudgedChange, err error) {
	m, err := lm.reads.Catalog.Get(ctx)
	if err != nil {
		return j, nil, err
	}
	for _, it := range some {
		at := m.ReferenceOf(k, held[it.id], lm.config.IDProperty)
		changes = append(changes, lm.writes.NewJudgedUpdate(ctx, at, graph.Change{Properties: it.properties}))
	}
	return neo4jentity.Judging{Managed: m, Types: some[0].declared, Kind: k, Named: len(some)}, changes, nil
}

// checkMerges checks lines that would change entities.
func (lm *lineMerger) checkMerges(ctx context.Context, k graph.Kind, all []*importLine, held map[string]*neo4jentity.Record) error {
	lines, elementIDs := map[string]*importLine{}, make([]string, len(all))
	for n, it := range all {
		it.result.Done = graph.BulkUpdated
		elementIDs[n] = held[it.id].ElementID
		lines[elementIDs[n]] = it
	}
	if rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return nil
	}
	return lm.lines.forEachContent(ctx, k, elementIDs, func(e *neo4jentity.Record, now neo4jview.Content) {
		it := lines[e.ElementID]
		if err := neo4jview.CheckEdit(ctx, k, e.Names, now, it.properties); err != nil {
			it.result.Done = 0
			it.fail(err)
		}
	})
}
