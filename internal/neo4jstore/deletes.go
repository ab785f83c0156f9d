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
	within   *typeBatch // contains the type of an entity whose element id is not known; else nil
	position int        // of the type in it
	maxEdges any        // of a node; nil for any number
	large    int64      // a node of a higher degree is not deleted; its result has its degree
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
	if r.within != nil {
		row["element"], row["type"] = nil, r.position
	}
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
	row, err := de.deleteSought(ctx, m, k, id, r)
	if err == nil && row == nil {
		err = de.reads.withResolvedID(ctx, k, id, neo4jview.NewDeleteCheck(ctx, k), func(at reference) (bool, error) {
			deletion.ID = at.id()
			row, err = de.deleteAt(ctx, m, k, at, r)
			return row != nil, err
		})
	}
	switch {
	case err != nil:
		return deletion, bolt.Translate(err)
	case !row.deleted:
		return deletion, hasEdgesError(r)
	}
	deletion.DeletedEdges = row.edges
	de.reads.idCacheOf(k).drop(deletion.ID)
	return deletion, nil
}

// deleteSought deletes an entity whose element id is not known, in the one type that its id hints at, by a statement that looks it up
// itself. The result is nil if the entity is not there, is large, or must be read before: then it is to be resolved first.
func (de *entityDeleter) deleteSought(ctx context.Context, m *managedTypes, k kind, id string, r graph.Removal) (*deletedRow, error) {
	if isJudgedDelete(ctx, r) {
		return nil, nil
	}
	within, position := de.reads.batchOf(m, k, id)
	if within == nil || !within.remove.isCached() {
		return nil, nil
	}
	row := de.newRemove(ctx, reference{own: id}, r)
	row.within, row.position = within, position
	result, err := de.deleteQueued(ctx, k, row)
	if err == nil && result != nil && result.isLarge {
		result = nil
	}
	return result, err
}

// isJudgedDelete reports whether a delete depends on the content of its entity.
func isJudgedDelete(ctx context.Context, r graph.Removal) bool {
	return r.If.Present() || !rules.ViewOf(ctx).AllowsAll(rules.Delete)
}

func (de *entityDeleter) newRemove(ctx context.Context, at reference, r graph.Removal) remove {
	return remove{at: at, maxEdges: de.maxEdgesOf(r), large: maxBatchedDegree, by: authorFrom(ctx)}
}

func (de *entityDeleter) deleteQueued(ctx context.Context, k kind, row remove) (*deletedRow, error) {
	a, err := retryIdempotent(func() (deleteResult, error) { return submit(ctx, *de.queues.of(k), row) })
	return a.row, err
}

// deleteAt deletes an entity; the result is nil if there is none.
func (de *entityDeleter) deleteAt(ctx context.Context, m *managedTypes, k kind, at reference, r graph.Removal) (*deletedRow, error) {
	row := de.newRemove(ctx, at, r)
	var result *deletedRow
	var err error
	if isJudgedDelete(ctx, r) {
		result, err = de.judged.judgedDelete(ctx, m, k, row, r)
	} else {
		result, err = de.deleteQueued(ctx, k, row)
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
