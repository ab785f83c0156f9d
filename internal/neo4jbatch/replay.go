package neo4jbatch

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// maxParallelReads bounds the concurrent reads of one replay.
const maxParallelReads = 64

// encodeResults are the results as the idempotency record stores them: of each operation the id, a tab and the number of deleted edges.
// An id may contain a tab, a number does not.
func encodeResults(results []graph.OperationResult) []string {
	texts := make([]string, len(results))
	for i, r := range results {
		texts[i] = r.ID + "\t" + strconv.FormatInt(r.DeletedEdges, 10)
	}
	return texts
}

func decodeResult(text string) (id string, deletedEdges int64) {
	cut := max(strings.LastIndexByte(text, '\t'), 0)
	deletedEdges, _ = strconv.ParseInt(strings.TrimPrefix(text[cut:], "\t"), 10, 64)
	return text[:cut], deletedEdges
}

// readReplay are the results of an earlier batch with the same Idempotency-Key and content, with the entities as they are now.
func (b *batchRun) readReplay(ctx context.Context) ([]graph.OperationResult, error) {
	if len(b.replayed) != len(b.all) {
		return nil, fault.New(fault.Internal, "Internal error")
	}
	results := make([]graph.OperationResult, len(b.all))
	var reads errgroup.Group
	reads.SetLimit(maxParallelReads)
	for i, o := range b.all {
		r := &results[i]
		r.Op, r.Ref = o.Op, o.Ref
		r.ID, r.DeletedEdges = decodeResult(b.replayed[i])
		if o.Op.Deletes() {
			continue
		}
		reads.Go(func() error { return b.readReplayed(ctx, o.k, r) })
	}
	return results, reads.Wait()
}

// readReplayed reads the entity of a result, unless it has been deleted since.
func (b *batchRun) readReplayed(ctx context.Context, k graph.Kind, r *graph.OperationResult) error {
	if k == graph.EdgeKind {
		e, err := b.reads.ReadReplayedEdge(ctx, r.ID)
		if err == nil {
			r.Edge = &e
		}
		return fault.Ignore(err, fault.NotFound)
	}
	n, err := b.reads.Node(rules.WithoutView(ctx), r.ID)
	if err == nil {
		n = neo4jview.ShowWrittenNode(ctx, n)
		r.Node = &n
	}
	return fault.Ignore(err, fault.NotFound)
}
