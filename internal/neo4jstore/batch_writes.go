package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// createBatch returns what the queue of creates runs on a batch.
func (cr *entityCreator) createBatch(k kind, keyed bool) func(context.Context, []create) []coalesce.Outcome[rowResult] {
	write := rowWrite{k: k, statement: statementsOf[k].create, action: audit.Create}
	if keyed {
		write.statement = statementsOf[k].createKeyed
	}
	return func(ctx context.Context, batch []create) []coalesce.Outcome[rowResult] {
		order, write := sortedOrder(batch, func(c create) string { return c.key + c.source.elementID + c.target.elementID }), write
		if keyed {
			now := time.Now()
			write.more = map[string]any{"now": now.UnixMilli(), "expires": now.Add(graph.IdempotencyLifetime).UnixMilli()}
		}
		return cr.judged.runInOrder(ctx, write, order, func(i int) map[string]any {
			return cr.judged.withAuthor(batch[i].by, batch[i].id, nil, batch[i].row(k, keyed))
		})
	}
}

// updateBatch returns what the queue of updates runs on a batch.
func (up *entityUpdater) updateBatch(k kind) func(context.Context, []update) []coalesce.Outcome[rowResult] {
	return func(ctx context.Context, batch []update) []coalesce.Outcome[rowResult] {
		order, write := sortedOrder(batch, func(u update) string { return u.at.elementID }), updateOf(k, nil)
		write.checked = up.reads.types.CurrentTypes().CheckedOnChange(k)
		write.maxBytes = up.config.MaxPageBytes // a result is the complete entity, whatever the size of the change
		return up.judged.runInOrder(ctx, write, order, func(i int) map[string]any { return up.judged.updateRow(batch[i]) })
	}
}

// deleteBatch returns what the queue of deletes runs on a batch.
func (de *entityDeleter) deleteBatch(k kind) func(context.Context, []remove) []coalesce.Outcome[deleteResult] {
	return func(ctx context.Context, batch []remove) []coalesce.Outcome[deleteResult] {
		out := make([]coalesce.Outcome[deleteResult], len(batch))
		var now []remove
		var at []int // the index of each in the batch
		for i, r := range batch {
			if k == nodes && de.large.running.has(r.at.elementID) {
				out[i].Value.row = &deletedRow{isLarge: true} // its locks would delay the batch
				continue
			}
			now, at = append(now, r), append(at, i)
		}
		order := sortedOrder(now, func(r remove) string { return r.at.elementID })
		row := func(i int) map[string]any { return de.judged.deleteRow(now[i]) }
		for i, o := range de.judged.runInOrder(ctx, deleteOf(k, nil), order, row) {
			row := decodeDeleted(o.Value.tuple)
			out[at[i]] = coalesce.Outcome[deleteResult]{Value: deleteResult{row, o.Value.mark}, Err: o.Err}
			if row != nil && row.isLarge {
				de.large.running.announce(now[i].at.elementID)
			}
		}
		return out
	}
}

// sortedOrder is the order in which a batch's rows run: by element id, so that two batches take locks in the same order. It maps an index
// in that order to an index in the batch.
func sortedOrder[Q any](batch []Q, element func(Q) string) []int {
	order := make([]int, len(batch))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(element(batch[a]), element(batch[b])) })
	return order
}

// runInOrder runs the rows of a queue's batch in an order and returns the results in the batch's order.
func (rr *rowRunner) runInOrder(
	ctx context.Context, w rowWrite, order []int, row func(i int) map[string]any,
) []coalesce.Outcome[rowResult] {
	w.rows = make(bolt.BatchRows, len(order))
	for at, i := range order {
		w.rows[at] = row(i)
	}
	got := rr.run(rr.client.WithBatchLimit(ctx), w)
	back := make([]rowResult, len(order))
	for at, i := range order {
		back[i] = got[at]
	}
	return toOutcomes(back)
}

// toOutcomes wraps the results of a batch.
func toOutcomes(all []rowResult) []coalesce.Outcome[rowResult] {
	out := make([]coalesce.Outcome[rowResult], len(all))
	for i, a := range all {
		out[i] = coalesce.Outcome[rowResult]{Value: a, Err: a.err}
	}
	return out
}

func failAll[R any](out []coalesce.Outcome[R], err error) []coalesce.Outcome[R] {
	for i := range out {
		out[i].Err = err
	}
	return out
}
