package neo4jentity

import (
	"context"
	"errors"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// RowWrite is a statement that changes entities of one kind, with a row for each. Every change of an entity is one: rowRunner.Run writes it
// in a separate transaction, with those of other callers or not, and rowRunner.RunIn in a transaction of its caller.
type RowWrite struct {
	Kind      kind
	Statement cypher.Statement
	Action    audit.Action
	Rows      bolt.BatchRows
	Checked   []string       // of an update: the types whose declarations must be checked before; not nil
	Named     int            // of an import: how many of its rows have audit lines; 0 for all
	more      map[string]any // parameters of the statement besides
	MaxBytes  int64          // of results that run keeps; 0: all, because they are as large as the requests
}

// CreateOf creates entities; a node may have several labels, or none.
func CreateOf(k kind, rows bolt.BatchRows) RowWrite {
	return RowWrite{Kind: k, Statement: StatementsOf[k].createAny, Action: audit.Create, Rows: rows}
}

// UpdateOf changes entities whose declarations are checked already.
func UpdateOf(k kind, rows bolt.BatchRows) RowWrite {
	return RowWrite{Kind: k, Statement: StatementsOf[k].update, Action: audit.Update, Rows: rows, Checked: []string{}}
}

// DeleteOf deletes the entities of rows.
func DeleteOf(k kind, rows bolt.BatchRows) RowWrite {
	return RowWrite{Kind: k, Statement: StatementsOf[k].Remove, Action: audit.Delete, Rows: rows}
}

// rowRunner runs writes, and makes their rows.
type rowRunner struct {
	*changeRecorder
	client *bolt.Client
	texts  *Texts
}

// Run runs a write in a separate transaction, and retries alone each row whose entity was deleted concurrently. If the transaction
// fails, its halves are run separately, so that in the end only the invalid rows fail. If it reaches the batch's time limit, all rows fail
// with errRunAlone, so that a row that waits for a lock or is expensive does not delay others. A lost connection fails all rows with
// an unknown outcome.
func (rr *rowRunner) Run(ctx context.Context, w RowWrite) []RowResult {
	out := make([]RowResult, len(w.Rows))
	params, err := rr.Params(ctx, w)
	if err != nil {
		failRows(out, err)
		return out
	}
	q := batchStatement{text: rr.texts.TextOf(w.Statement), params: params, maxBytes: w.MaxBytes}
	rr.runHalves(ctx, q, w.Rows, out)
	for i := range out {
		if bolt.IsEntityDeleted(out[i].Err) {
			out[i] = RowResult{}
			rr.runHalves(ctx, q, w.Rows[i:i+1], out[i:i+1])
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

func (rr *rowRunner) runHalves(ctx context.Context, q batchStatement, all bolt.BatchRows, out []RowResult) {
	if len(all) == 1 {
		ctx = bolt.WithoutBatchLimit(ctx)
	}
	var mark graph.BookmarkRecorder
	results := batchResults{maxBytes: q.maxBytes}
	err := rr.client.WriteRecords(graph.WithBookmarkRecorder(ctx, &mark), q.text, WithRows(q.params, all), results.begin, results.add)
	switch {
	case err == nil:
		for _, r := range results.kept {
			r.mark = mark.Latest()
			out[r.Tuple.Integer(RowColumn)] = r
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

func failRows(out []RowResult, err error) {
	for i := range out {
		out[i].Err = err
	}
}

// RunIn runs a write in a transaction of its caller, and returns the result of each row: nil if it has none.
func (rr *rowRunner) RunIn(ctx context.Context, tx *bolt.Transaction, w RowWrite) ([]bolt.Tuple, error) {
	params, err := rr.Params(ctx, w)
	if err != nil {
		return nil, err
	}
	return RunRows(ctx, tx, len(w.Rows), rr.texts.TextOf(w.Statement), WithRows(params, w.Rows))
}

// RunRows runs a statement in a transaction and returns the result of each row: nil if it has none.
func RunRows(ctx context.Context, tx *bolt.Transaction, rows int, text cypher.Text, params map[string]any) ([]bolt.Tuple, error) {
	tuples, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
	if err != nil {
		return nil, err
	}
	found := make([]bolt.Tuple, rows)
	for _, row := range tuples {
		found[row.Integer(RowColumn)] = row
	}
	return found, nil
}

// RowResult is the result of one row of a batch: its tuple, nil if the statement returned none, or an error.
type RowResult struct {
	Tuple  bolt.Tuple
	unread bool            // the tuple has no properties, because the results before it used up the batch's bytes
	mark   graph.Bookmarks // of its transaction
	Err    error
	// endValues are those of an edge that was judged: see Record.
	endValues []any
}

func (r RowResult) isFound() bool              { return r.Tuple != nil }
func (r RowResult) bookmarks() graph.Bookmarks { return r.mark }

// batchResults keeps the results of one run of a batch, up to its bytes.
type batchResults struct {
	maxBytes, bytes int64
	kept            []RowResult
}

func (b *batchResults) begin() { b.bytes, b.kept = 0, nil }

func (b *batchResults) add(r *bolt.Record) {
	for _, row := range bolt.Column[[]any](r, "rows") {
		t, _ := row.([]any)
		result := RowResult{Tuple: t}
		if b.maxBytes > 0 {
			b.bytes += bolt.SizeOfRow(t)
			if result.unread = b.bytes > b.maxBytes && len(b.kept) > 0 && !NeedsValidation(t); result.unread {
				result.Tuple = withoutContent(t)
			}
		}
		b.kept = append(b.kept, result)
	}
}

// errRunAlone is the error of every row of a batch that reached the batch's time limit: nothing was done, and each caller runs its own row.
var errRunAlone = errors.New("the batch took too long for its rows to stay together")
