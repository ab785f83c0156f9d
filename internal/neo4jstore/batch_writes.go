package neo4jstore

import (
	"context"
	"errors"

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
	tuple bolt.Tuple
	mark  graph.Bookmarks // of its transaction
	err   error
}

// errRunAlone is the error of every row of a batch that reached the batch's time limit: nothing was done, and each caller runs its own row.
var errRunAlone = errors.New("the batch took too long for its rows to stay together")

// runBatchOnce runs one write statement over many rows, in one transaction. If the transaction fails, its halves are run separately, so
// that in the end only the invalid rows fail. If it reaches the batch's time limit, all rows fail with errRunAlone, so that a row that
// waits for a lock or is expensive does not delay others. A lost connection fails all rows with unknownOutcome.
func (s *Store) runBatchOnce(ctx context.Context, text cypher.Text, all bolt.BatchRows, more map[string]any) []rowResult {
	out := make([]rowResult, len(all))
	s.runBatchHalves(ctx, text, all, more, out)
	return out
}

func (s *Store) runBatchHalves(ctx context.Context, text cypher.Text, all bolt.BatchRows, more map[string]any, out []rowResult) {
	if len(all) == 1 {
		ctx = bolt.WithoutBatchLimit(ctx)
	}
	params := map[string]any{"rows": all.List()}
	for name, value := range more {
		params[name] = value
	}
	var mark graph.BookmarkRecorder
	tuples, err := bolt.CollectTuples(s.client.Write(graph.WithBookmarkRecorder(ctx, &mark), text, params))
	switch {
	case err == nil:
		for _, t := range tuples {
			out[t.Integer(0)].tuple, out[t.Integer(0)].mark = t, mark.Latest()
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
		s.runBatchHalves(ctx, text, all[:half], more, out[:half])
		s.runBatchHalves(ctx, text, all[half:], more, out[half:])
	}
}

// runBatch runs a batch, and retries separately each row whose entity was deleted concurrently.
func (s *Store) runBatch(ctx context.Context, text cypher.Text, all bolt.BatchRows, more map[string]any) []rowResult {
	out := s.runBatchOnce(ctx, text, all, more)
	for i := range out {
		if bolt.IsEntityDeleted(out[i].err) {
			out[i] = s.runBatchOnce(ctx, text, all[i:i+1], more)[0]
		}
	}
	return out
}
