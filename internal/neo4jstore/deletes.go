package neo4jstore

import (
	"context"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// entityDeleter deletes nodes and edges one by one.
type entityDeleter struct {
	*writeCore
	large *largeDeleter

	queues kindPair[*writeQueue[remove, deleteResult]]
}

func newEntityDeleter(core *writeCore) *entityDeleter {
	de := &entityDeleter{writeCore: core, large: &largeDeleter{writeCore: core}}
	de.large.queue = de.large.newQueue()
	de.queues = kindPair[*writeQueue[remove, deleteResult]]{nodes: de.newQueue(nodes), edges: de.newQueue(edges)}
	return de
}

// close finishes the running deletes.
func (de *entityDeleter) close() {
	de.large.queue.queue.Close()
	de.queues.nodes.queue.Close()
	de.queues.edges.queue.Close()
}

// remove is a delete that depends only on the number of edges.
type remove struct {
	at       reference
	maxEdges any   // of a node; nil for any number
	large    int64 // a node of a higher degree is not deleted; its result has its degree
	by       author
}

// deleteResult is the result of a delete in a batch.
type deleteResult struct {
	row  *deletedRow // nil if there is no such entity
	mark graph.Bookmarks
}

func (r deleteResult) isFound() bool              { return r.row != nil }
func (r deleteResult) bookmarks() graph.Bookmarks { return r.mark }

func (cr *changeRecorder) deleteRow(r remove) map[string]any {
	row := map[string]any{"element": r.at.elementID, "id": r.at.ownParam(), "max_edges": r.maxEdges, "large": r.large}
	if cr.audit.Records(audit.Edge) {
		row["edge_line"] = neo4jaudit.Prefix(r.by.Actor)
	}
	return cr.withAuthor(r.by, r.at.id(), nil, row)
}

// deleteEntity removes an entity. Of concurrent deletes one succeeds.
func (de *entityDeleter) deleteEntity(ctx context.Context, k kind, id string, r graph.Removal) (graph.Deletion, error) {
	deletion := graph.Deletion{ID: id}
	m, err := de.reads.catalog.Get(ctx)
	if err != nil {
		return deletion, err
	}
	err = de.reads.withResolvedID(ctx, k, id, neo4jview.NewDeleteCheck(ctx, k), func(at reference) (bool, error) {
		deletion.ID = at.id()
		row, err := de.deleteAt(ctx, m, k, at, r)
		if err != nil || row == nil {
			return false, err
		}
		if !row.deleted {
			return false, hasEdgesError(r)
		}
		deletion.DeletedEdges = row.edges
		de.reads.idCacheOf(k).drop(deletion.ID)
		return true, nil
	})
	return deletion, err
}

// deleteAt deletes an entity; the result is nil if there is none.
func (de *entityDeleter) deleteAt(ctx context.Context, m *managedTypes, k kind, at reference, r graph.Removal) (*deletedRow, error) {
	row := remove{at: at, maxEdges: de.maxEdgesOf(r), large: maxBatchedDegree, by: authorFrom(ctx)}
	var result *deletedRow
	var err error
	if r.If.Present() || !rules.ViewOf(ctx).AllowsAll(rules.Delete) {
		result, err = de.judged.judgedDelete(ctx, m, k, row, r)
	} else {
		var a deleteResult
		a, err = retryIdempotent(func() (deleteResult, error) { return submit(ctx, *de.queues.of(k), row) })
		result = a.row
	}
	if err != nil || result == nil || !result.isLarge {
		return result, err
	}
	return de.large.deleteLarge(ctx, row, r)
}

// judgedDelete deletes an entity after judging its content under its lock; the result is nil if there is none.
func (jw *judgedWriter) judgedDelete(ctx context.Context, m *managedTypes, k kind, row remove, r graph.Removal) (*deletedRow, error) {
	change := judgedChange{row.at, graph.Change{If: r.If}, jw.deleteRow(row)}
	result := jw.writeOne(ctx, judging{m: m, k: k, deletes: true}, change)
	return decodeDeleted(result.tuple), result.err
}

// maxEdgesOf is how many edges a delete may remove with the node; nil for any number.
func (de *entityDeleter) maxEdgesOf(r graph.Removal) any {
	switch {
	case r.Detach == nil:
		return de.config.MaxDetach
	case *r.Detach:
		return nil
	default:
		return int64(0)
	}
}

func hasEdgesError(r graph.Removal) error {
	if r.Detach == nil {
		return fault.New(fault.Conflict, "The node has more edges than a delete removes without detach=true",
			fault.Detail{Field: "detach", Message: "true deletes the node with all its edges"})
	}
	return fault.New(fault.Conflict, "The node still has edges",
		fault.Detail{Field: "detach", Message: "false refuses while the node has edges; delete them first or leave detach out"})
}

// refusedEdges counts, by the index of the node, the edges of nodes that the user does not see or may not delete.
func refusedEdges(ctx context.Context, tx *bolt.Transaction, elementIDs []string) (map[int]int64, error) {
	refused := map[int]int64{}
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Delete) {
		return refused, nil
	}
	text, params := neo4jview.RefusedEdgesStatement(ctx, v)
	params["elements"] = elementIDs
	rows, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
	for _, row := range rows {
		refused[int(row.Integer(rowColumn))] = row.Integer(degreeColumn)
	}
	return refused, err
}
