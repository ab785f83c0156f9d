package neo4jentity

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
func (cr *entityCreator) createBatch(k kind, keyed bool) func(context.Context, []Create) []coalesce.Outcome[RowResult] {
	write := RowWrite{Kind: k, Statement: StatementsOf[k].create, Action: audit.Create}
	if keyed {
		write.Statement = StatementsOf[k].createKeyed
	}
	return func(ctx context.Context, batch []Create) []coalesce.Outcome[RowResult] {
		order, write := sortedOrder(batch, func(c Create) string { return c.key + c.Source.ElementID + c.Target.ElementID }), write
		if keyed {
			now := time.Now()
			write.more = map[string]any{"now": now.UnixMilli(), "expires": now.Add(graph.IdempotencyLifetime).UnixMilli()}
		}
		return cr.Judged.runInOrder(ctx, write, order, func(i int) map[string]any {
			return cr.Judged.WithAuthor(batch[i].By, batch[i].ID, nil, batch[i].row(k, keyed))
		})
	}
}

// updateBatch returns what the queue of updates runs on a batch.
func (up *entityUpdater) updateBatch(k kind) func(context.Context, []Update) []coalesce.Outcome[RowResult] {
	return func(ctx context.Context, batch []Update) []coalesce.Outcome[RowResult] {
		order, write := sortedOrder(batch, func(u Update) string { return u.At.ElementID }), UpdateOf(k, nil)
		write.Checked = up.reads.Types.CurrentTypes().CheckedOnChange(k)
		write.MaxBytes = up.config.MaxPageBytes // a result is the complete entity, whatever the size of the change
		return up.Judged.runInOrder(ctx, write, order, func(i int) map[string]any { return up.Judged.UpdateRow(batch[i]) })
	}
}

// deleteBatch returns what the queue of deletes runs on a batch.
func (de *entityDeleter) deleteBatch(k kind) func(context.Context, []Delete) []coalesce.Outcome[deleteResult] {
	return func(ctx context.Context, batch []Delete) []coalesce.Outcome[deleteResult] {
		out := make([]coalesce.Outcome[deleteResult], len(batch))
		var now []Delete
		var at []int // the index of each in the batch
		for i, r := range batch {
			if k == nodes && de.large.running.has(r.At.ElementID) {
				out[i].Value.row = &DeletedRow{isLarge: true} // its locks would delay the batch
				continue
			}
			now, at = append(now, r), append(at, i)
		}
		order := sortedOrder(now, func(r Delete) string { return r.At.ElementID })
		row := func(i int) map[string]any { return de.Judged.DeleteRow(now[i]) }
		for i, o := range de.Judged.runInOrder(ctx, DeleteOf(k, nil), order, row) {
			row := DecodeDeleted(o.Value.Tuple)
			out[at[i]] = coalesce.Outcome[deleteResult]{Value: deleteResult{row, o.Value.mark}, Err: o.Err}
			if row != nil && row.isLarge {
				de.large.running.announce(now[i].At.ElementID)
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
	ctx context.Context, w RowWrite, order []int, row func(i int) map[string]any,
) []coalesce.Outcome[RowResult] {
	w.Rows = make(bolt.BatchRows, len(order))
	for at, i := range order {
		w.Rows[at] = row(i)
	}
	got := rr.Run(rr.client.WithBatchLimit(ctx), w)
	back := make([]RowResult, len(order))
	for at, i := range order {
		back[i] = got[at]
	}
	return toOutcomes(back)
}

// toOutcomes wraps the results of a batch.
func toOutcomes(all []RowResult) []coalesce.Outcome[RowResult] {
	out := make([]coalesce.Outcome[RowResult], len(all))
	for i, a := range all {
		out[i] = coalesce.Outcome[RowResult]{Value: a, Err: a.Err}
	}
	return out
}

func failAll[R any](out []coalesce.Outcome[R], err error) []coalesce.Outcome[R] {
	for i := range out {
		out[i].Err = err
	}
	return out
}
