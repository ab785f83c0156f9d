package neo4jstore

import (
	"context"
	"errors"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

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
				result.tuple = slices.Clone(t)
				result.tuple[contentColumn] = map[string]any{}
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
func (s *Store) runBatchOnce(ctx context.Context, q batchStatement, all bolt.BatchRows, more map[string]any) []rowResult {
	out := make([]rowResult, len(all))
	s.runBatchHalves(ctx, q, all, more, out)
	return out
}

func (s *Store) runBatchHalves(ctx context.Context, q batchStatement, all bolt.BatchRows, more map[string]any, out []rowResult) {
	if len(all) == 1 {
		ctx = bolt.WithoutBatchLimit(ctx)
	}
	params := map[string]any{"rows": all.List()}
	for name, value := range more {
		params[name] = value
	}
	var mark graph.BookmarkRecorder
	results := batchResults{maxBytes: q.maxBytes}
	err := s.client.WriteRecords(graph.WithBookmarkRecorder(ctx, &mark), q.text, params, results.begin, results.add)
	switch {
	case err == nil:
		for _, r := range results.kept {
			r.mark = mark.Latest()
			out[r.tuple.Integer(0)] = r
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
		s.runBatchHalves(ctx, q, all[:half], more, out[:half])
		s.runBatchHalves(ctx, q, all[half:], more, out[half:])
	}
}

// runBatch runs a batch, and retries separately each row whose entity was deleted concurrently.
func (s *Store) runBatch(ctx context.Context, q batchStatement, all bolt.BatchRows, more map[string]any) []rowResult {
	out := s.runBatchOnce(ctx, q, all, more)
	for i := range out {
		if bolt.IsEntityDeleted(out[i].err) {
			out[i] = s.runBatchOnce(ctx, q, all[i:i+1], more)[0]
		}
	}
	return out
}
