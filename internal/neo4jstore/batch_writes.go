package neo4jstore

import (
	"context"
	"errors"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// batchRows are the rows of a batch statement, one map for each call.
type batchRows []map[string]any

// list is the rows as a parameter of a statement.
func (r batchRows) list() []any { return batched([]map[string]any(r)) }

// batched is a list as a parameter of a batch statement, $rows[0]: the only element of another list. The database plans a statement again
// if a list parameter has another order of magnitude, and this one always has one element.
func batched[T any](list []T) []any { return []any{list} }

// runner is client.read or client.write.
type runner func(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error)

// runTuples runs a statement that collects its rows into one list, or a few.
func (s *Store) runTuples(ctx context.Context, run runner, text cypher.Text, params map[string]any) ([]tuple, error) {
	records, err := run(ctx, text, params)
	if err != nil {
		return nil, err
	}
	return collectTuples(records), nil
}

func collectTuples(records []*neo4j.Record) []tuple {
	var out []tuple
	for _, r := range records {
		for _, row := range column[[]any](r, "rows") {
			t, _ := row.([]any)
			out = append(out, t)
		}
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
	tuple tuple
	mark  graph.Bookmarks // of its transaction
	err   error
}

// errRunAlone is the error of every row of a batch that reached the batch's time limit: nothing was done, and each caller runs its own row.
var errRunAlone = errors.New("the batch took too long for its rows to stay together")

// runBatchOnce runs one write statement over many rows, in one transaction. If the transaction fails, its halves are run separately, so
// that in the end only the invalid rows fail. If it reaches the batch's time limit, all rows fail with errRunAlone, so that a row that
// waits for a lock or is expensive does not delay others. A lost connection fails all rows with unknownOutcome.
func (s *Store) runBatchOnce(ctx context.Context, text cypher.Text, all batchRows, more map[string]any) []rowResult {
	out := make([]rowResult, len(all))
	s.runBatchHalves(ctx, text, all, more, out)
	return out
}

func (s *Store) runBatchHalves(ctx context.Context, text cypher.Text, all batchRows, more map[string]any, out []rowResult) {
	if len(all) == 1 {
		ctx = withoutBatchLimit(ctx)
	}
	params := map[string]any{"rows": all.list()}
	for name, value := range more {
		params[name] = value
	}
	var mark graph.BookmarkRecorder
	tuples, err := s.runTuples(graph.WithBookmarkRecorder(ctx, &mark), s.client.write, text, params)
	var unknown unknownOutcome
	switch {
	case err == nil:
		for _, t := range tuples {
			out[t.integer(0)].tuple, out[t.integer(0)].mark = t, mark.Latest()
		}
	case len(all) == 1 || !isServerError(err) || errors.As(err, &unknown) || outOfMemory(err):
		for i := range out {
			out[i].err = err
		}
	case isTimeout(err) && hasBatchLimit(ctx):
		for i := range out {
			out[i].err = errRunAlone
		}
	default:
		half := len(all) / 2
		s.runBatchHalves(ctx, text, all[:half], more, out[:half])
		s.runBatchHalves(ctx, text, all[half:], more, out[half:])
	}
}

// isEntityDeleted says whether a statement failed because an entity was deleted concurrently: run again, it does not find the entity.
func isEntityDeleted(err error) bool {
	switch code(err) {
	case "Neo.ClientError.Statement.EntityNotFound", "Neo.TransientError.Transaction.Outdated":
		return true
	default:
		return false
	}
}

// runBatch runs a batch, and retries separately each row whose entity was deleted concurrently.
func (s *Store) runBatch(ctx context.Context, text cypher.Text, all batchRows, more map[string]any) []rowResult {
	out := s.runBatchOnce(ctx, text, all, more)
	for i := range out {
		if isEntityDeleted(out[i].err) {
			out[i] = s.runBatchOnce(ctx, text, all[i:i+1], more)[0]
		}
	}
	return out
}
