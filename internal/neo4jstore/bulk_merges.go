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
	*importCore
	lines *lineFinder
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
		case a.err != nil && !bolt.IsRowError(a.err):
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
		return lm.mergeJudged(ctx, k, all, held)
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		at := it.referenceOf(k, held[it.id])
		batch[n] = lm.writes.updateRow(update{at, it.properties, authorFrom(ctx)})
	}
	write := updateOf(k, batch)
	write.checked, write.named = all[0].declared.CheckedOnChange(k), len(all)
	write.maxBytes = 1 // the results are complete entities, and none is needed
	answers := lm.writes.run(ctx, write)
	for n, a := range answers {
		if a.err == nil && a.tuple != nil && needsValidation(a.tuple) {
			j, changes, err := lm.judged(ctx, k, all[n:n+1], held)
			if err != nil {
				return nil, err
			}
			answers[n] = lm.writes.writeOne(ctx, j, changes[0])
		}
	}
	return answers, nil
}

// mergeJudged sets the properties of some lines on entities that are judged under their locks. If a line fails in the database, each line
// has a separate transaction.
func (lm *lineMerger) mergeJudged(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) ([]rowResult, error) {
	var results []rowResult
	for some := range slices.Chunk(all, mergesPerTransaction) {
		j, changes, err := lm.judged(ctx, k, some, held)
		if err != nil {
			return nil, err
		}
		together, err := lm.writes.write(ctx, j, changes)
		if err != nil {
			together = nil
			for _, change := range changes {
				together = append(together, lm.writes.writeOne(ctx, j, change))
			}
		}
		results = append(results, together...)
	}
	return results, nil
}

// judged are the changes of lines, and what is judged with them.
func (lm *lineMerger) judged(
	ctx context.Context, k kind, some []*importLine, held map[string]*entityRecord,
) (j judging, changes []judgedChange, err error) {
	m, err := lm.reads.catalog.Get(ctx)
	if err != nil {
		return j, nil, err
	}
	for _, it := range some {
		at := m.referenceOf(k, held[it.id], lm.config.IDProperty)
		changes = append(changes, lm.writes.newJudgedUpdate(ctx, at, graph.Change{Properties: it.properties}))
	}
	return judging{m: m, types: some[0].declared, k: k, named: len(some)}, changes, nil
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
