package neo4jstore

import (
	"context"
	"errors"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// rowWrite is a statement that changes entities of one kind, with a row for each. Every change of an entity is one: rowRunner.run writes it
// in a separate transaction, with those of other callers or not, and rowRunner.runIn in a transaction of its caller.
type rowWrite struct {
	k         kind
	statement cypher.Statement
	action    audit.Action
	rows      bolt.BatchRows
	checked   []string       // of an update: the types whose declarations must be checked before; not nil
	named     int            // of an import: how many of its rows have audit lines; 0 for all
	more      map[string]any // parameters of the statement besides
	maxBytes  int64          // of results that run keeps; 0: all, because they are as large as the requests
}

// createOf creates entities; a node may have several labels, or none.
func createOf(k kind, rows bolt.BatchRows) rowWrite {
	return rowWrite{k: k, statement: statementsOf[k].createAny, action: audit.Create, rows: rows}
}

// updateOf changes entities whose declarations are checked already.
func updateOf(k kind, rows bolt.BatchRows) rowWrite {
	return rowWrite{k: k, statement: statementsOf[k].update, action: audit.Update, rows: rows, checked: []string{}}
}

func deleteOf(k kind, rows bolt.BatchRows) rowWrite {
	return rowWrite{k: k, statement: statementsOf[k].remove, action: audit.Delete, rows: rows}
}

// rowRunner runs writes, and makes their rows.
type rowRunner struct {
	*changeRecorder
	client *bolt.Client
	texts  *statementTexts
}

// run runs a write in a separate transaction, and retries alone each row whose entity was deleted concurrently. If the transaction
// fails, its halves are run separately, so that in the end only the invalid rows fail. If it reaches the batch's time limit, all rows fail
// with errRunAlone, so that a row that waits for a lock or is expensive does not delay others. A lost connection fails all rows with
// an unknown outcome.
func (rr *rowRunner) run(ctx context.Context, w rowWrite) []rowResult {
	out := make([]rowResult, len(w.rows))
	params, err := rr.params(ctx, w)
	if err != nil {
		failRows(out, err)
		return out
	}
	q := batchStatement{text: rr.texts.textOf(w.statement), params: params, maxBytes: w.maxBytes}
	rr.runHalves(ctx, q, w.rows, out)
	for i := range out {
		if bolt.IsEntityDeleted(out[i].err) {
			out[i] = rowResult{}
			rr.runHalves(ctx, q, w.rows[i:i+1], out[i:i+1])
		}
	}
	return out
}

// batchStatement is the statement of a write, with its parameters but for the rows.
type batchStatement struct {
	text     cypher.Text
	params   map[string]any
	maxBytes int64
}

func (rr *rowRunner) runHalves(ctx context.Context, q batchStatement, all bolt.BatchRows, out []rowResult) {
	if len(all) == 1 {
		ctx = bolt.WithoutBatchLimit(ctx)
	}
	var mark graph.BookmarkRecorder
	results := batchResults{maxBytes: q.maxBytes}
	err := rr.client.WriteRecords(graph.WithBookmarkRecorder(ctx, &mark), q.text, withRows(q.params, all), results.begin, results.add)
	switch {
	case err == nil:
		for _, r := range results.kept {
			r.mark = mark.Latest()
			out[r.tuple.Integer(rowColumn)] = r
		}
	case len(all) == 1 || !bolt.IsServerError(err) || bolt.IsOutcomeUnknown(err) || bolt.IsOutOfMemory(err):
		failRows(out, err)
	case bolt.IsTimeout(err) && bolt.HasBatchLimit(ctx):
		failRows(out, errRunAlone)
	default:
		half := len(all) / 2
		rr.runHalves(ctx, q, all[:half], out[:half])
		rr.runHalves(ctx, q, all[half:], out[half:])
	}
}

func failRows(out []rowResult, err error) {
	for i := range out {
		out[i].err = err
	}
}

// runIn runs a write in a transaction of its caller, and returns the result of each row: nil if it has none.
func (rr *rowRunner) runIn(ctx context.Context, tx *bolt.Transaction, w rowWrite) ([]bolt.Tuple, error) {
	params, err := rr.params(ctx, w)
	if err != nil {
		return nil, err
	}
	return runRows(ctx, tx, len(w.rows), rr.texts.textOf(w.statement), withRows(params, w.rows))
}

// runRows runs a statement in a transaction and returns the result of each row: nil if it has none.
func runRows(ctx context.Context, tx *bolt.Transaction, rows int, text cypher.Text, params map[string]any) ([]bolt.Tuple, error) {
	tuples, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
	if err != nil {
		return nil, err
	}
	found := make([]bolt.Tuple, rows)
	for _, row := range tuples {
		found[row.Integer(rowColumn)] = row
	}
	return found, nil
}

// rowResult is the result of one row of a batch: its tuple, nil if the statement returned none, or an error.
type rowResult struct {
	tuple  bolt.Tuple
	unread bool            // the tuple has no properties, because the results before it used up the batch's bytes
	mark   graph.Bookmarks // of its transaction
	err    error
	// endValues are those of an edge that was judged: see entityRecord.
	endValues []any
}

func (r rowResult) isFound() bool              { return r.tuple != nil }
func (r rowResult) bookmarks() graph.Bookmarks { return r.mark }

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
