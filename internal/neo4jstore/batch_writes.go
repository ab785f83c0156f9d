package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// createBatch returns what the queue of creates runs on a batch.
func (cr *entityCreator) createBatch(k kind, keyed bool) func(context.Context, []create) []coalesce.Outcome[rowResult] {
	statement := statementsOf[k].create
	if keyed {
		statement = statementsOf[k].createKeyed
	}
	text := cr.texts.textOf(statement)
	return func(ctx context.Context, batch []create) []coalesce.Outcome[rowResult] {
		order := sortedOrder(batch, func(c create) string { return c.key + c.source.elementID + c.target.elementID })
		params, err := cr.changes.batchParams(ctx, batchChange{action: audit.Create, kind: k})
		if err != nil {
			return failAll(make([]coalesce.Outcome[rowResult], len(batch)), err)
		}
		if keyed {
			now := time.Now()
			params["now"], params["expires"] = now.UnixMilli(), now.Add(keyLifetime).UnixMilli()
		}
		return cr.runner.runInOrder(ctx, batchStatement{text: text}, order, func(i int) map[string]any {
			return cr.changes.withAuthor(batch[i].by, batch[i].id, nil, batch[i].row(k, keyed))
		}, params)
	}
}

// updateBatch returns what the queue of updates runs on a batch.
func (up *entityUpdater) updateBatch(k kind) func(context.Context, []update) []coalesce.Outcome[rowResult] {
	// An update's result is the complete entity, whatever the size of the change.
	run := batchStatement{text: up.texts.textOf(statementsOf[k].update), maxBytes: up.config.MaxPageBytes}
	return func(ctx context.Context, batch []update) []coalesce.Outcome[rowResult] {
		order := sortedOrder(batch, func(u update) string { return u.at.elementID })
		checked := up.reads.types.CurrentTypes().CheckedOnChange(k)
		params, err := up.changes.batchParams(ctx, batchChange{action: audit.Update, kind: k, checked: checked})
		if err != nil {
			return failAll(make([]coalesce.Outcome[rowResult], len(batch)), err)
		}
		return up.runner.runInOrder(ctx, run, order, func(i int) map[string]any {
			return up.changes.updateRow(batch[i])
		}, params)
	}
}

// deleteBatch returns what the queue of deletes runs on a batch.
func (de *entityDeleter) deleteBatch(k kind) func(context.Context, []remove) []coalesce.Outcome[deleteResult] {
	text := de.texts.textOf(statementsOf[k].remove)
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
		params, err := de.changes.batchParams(ctx, batchChange{action: audit.Delete, kind: k})
		if err != nil {
			return failAll(out, err)
		}
		order := sortedOrder(now, func(r remove) string { return r.at.elementID })
		row := func(i int) map[string]any { return de.changes.deleteRow(now[i]) }
		for i, o := range de.runner.runInOrder(ctx, batchStatement{text: text}, order, row, params) {
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

// batchRunner runs write statements over many rows.
type batchRunner struct{ client *bolt.Client }

// runInOrder runs a batch's rows in an order and returns the results in the batch's order.
func (br *batchRunner) runInOrder(
	ctx context.Context, q batchStatement, order []int, row func(i int) map[string]any, params map[string]any,
) []coalesce.Outcome[rowResult] {
	all := make(bolt.BatchRows, len(order))
	for at, i := range order {
		all[at] = row(i)
	}
	got := br.runBatch(br.client.WithBatchLimit(ctx), q, all, params)
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

// rowResult is the result of one row of a batch: its tuple, nil if the statement returned none, or an error.
type rowResult struct {
	tuple  bolt.Tuple
	unread bool            // the tuple has no properties, because the results before it used up the batch's bytes
	mark   graph.Bookmarks // of its transaction
	err    error
}

func (r rowResult) isFound() bool              { return r.tuple != nil }
func (r rowResult) bookmarks() graph.Bookmarks { return r.mark }

// batchStatement is a statement that writes the rows of a batch.
type batchStatement struct {
	text     cypher.Text
	maxBytes int64 // of results that are kept; 0: all are, because they are as large as the requests
}

// batchResults keeps the results of one run of a batch, up to its bytes.
type batchResults struct {
	maxBytes, bytes int64
	kept            []rowResult
}

func (b *batchResults) begin() { b.bytes, b.kept = 0, nil }

func (b *batchResults) add(r *bolt.Record) {
	for _, row := range bolt.Column[[]any](r, "rows") {
		t, _ := row.([]any)
		result := rowResult{tuple: t}
		if b.maxBytes > 0 {
			b.bytes += bolt.SizeOfRow(t)
			if result.unread = b.bytes > b.maxBytes && len(b.kept) > 0 && !needsValidation(t); result.unread {
				result.tuple = withoutContent(t)
			}
		}
		b.kept = append(b.kept, result)
	}
}

// errRunAlone is the error of every row of a batch that reached the batch's time limit: nothing was done, and each caller runs its own row.
var errRunAlone = errors.New("the batch took too long for its rows to stay together")

// runBatchOnce runs one write statement over many rows, in one transaction. If the transaction fails, its halves are run separately, so
// that in the end only the invalid rows fail. If it reaches the batch's time limit, all rows fail with errRunAlone, so that a row that
// waits for a lock or is expensive does not delay others. A lost connection fails all rows with unknownOutcome.
func (br *batchRunner) runBatchOnce(ctx context.Context, q batchStatement, all bolt.BatchRows, params map[string]any) []rowResult {
	out := make([]rowResult, len(all))
	br.runBatchHalves(ctx, q, all, params, out)
	return out
}

func (br *batchRunner) runBatchHalves(ctx context.Context, q batchStatement, all bolt.BatchRows, params map[string]any, out []rowResult) {
	if len(all) == 1 {
		ctx = bolt.WithoutBatchLimit(ctx)
	}
	var mark graph.BookmarkRecorder
	results := batchResults{maxBytes: q.maxBytes}
	err := br.client.WriteRecords(graph.WithBookmarkRecorder(ctx, &mark), q.text, withRows(params, all), results.begin, results.add)
	switch {
	case err == nil:
		for _, r := range results.kept {
			r.mark = mark.Latest()
			out[r.tuple.Integer(rowColumn)] = r
		}
	case len(all) == 1 || !bolt.IsServerError(err) || bolt.IsOutcomeUnknown(err) || bolt.IsOutOfMemory(err):
		for i := range out {
			out[i].err = err
		}
	case bolt.IsTimeout(err) && bolt.HasBatchLimit(ctx):
		for i := range out {
			out[i].err = errRunAlone
		}
	default:
		half := len(all) / 2
		br.runBatchHalves(ctx, q, all[:half], params, out[:half])
		br.runBatchHalves(ctx, q, all[half:], params, out[half:])
	}
}

// runBatch runs a batch, and retries separately each row whose entity was deleted concurrently.
func (br *batchRunner) runBatch(ctx context.Context, q batchStatement, all bolt.BatchRows, params map[string]any) []rowResult {
	out := br.runBatchOnce(ctx, q, all, params)
	for i := range out {
		if bolt.IsEntityDeleted(out[i].err) {
			out[i] = br.runBatchOnce(ctx, q, all[i:i+1], params)[0]
		}
	}
	return out
}

// isRowError reports whether an error is caused by the row, rather than by the database's state.
func isRowError(err error) bool {
	switch fault.CodeOf(bolt.Translate(err)) {
	case fault.DatabaseUnavailable, fault.DatabaseTimeout, fault.Internal:
		return false
	default:
		return true
	}
}
