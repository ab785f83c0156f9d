package neo4jentity

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

	queues kindPair[*writeQueue[Delete, deleteResult]]
}

func newEntityDeleter(core *writeCore) *entityDeleter {
	de := &entityDeleter{writeCore: core, large: &largeDeleter{writeCore: core}}
	de.large.queue = de.large.newQueue()
	de.queues = kindPair[*writeQueue[Delete, deleteResult]]{nodes: de.newQueue(nodes), edges: de.newQueue(edges)}
	return de
}

// close finishes the running deletes.
func (de *entityDeleter) close() {
	de.large.queue.queue.Close()
	de.queues.nodes.queue.Close()
	de.queues.edges.queue.Close()
}

// Delete is a delete that depends only on the number of edges.
type Delete struct {
	At       Reference
	MaxEdges any   // of a node; nil for any number
	Large    int64 // a node of a higher degree is not deleted; its result has its degree
	By       Author
}

// deleteResult is the result of a delete in a batch.
type deleteResult struct {
	row  *DeletedRow // nil if there is no such entity
	mark graph.Bookmarks
}

func (r deleteResult) isFound() bool              { return r.row != nil }
func (r deleteResult) bookmarks() graph.Bookmarks { return r.mark }

// DeleteRow is the row of a delete in its statement.
func (cr *changeRecorder) DeleteRow(r Delete) map[string]any {
	row := map[string]any{"element": r.At.ElementID, "id": r.At.ownParam(), "max_edges": r.MaxEdges, "large": r.Large}
	if cr.audit.Records(audit.Edge) {
		row["edge_line"] = neo4jaudit.Prefix(r.By.Actor)
	}
	return cr.WithAuthor(r.By, r.At.ID(), nil, row)
}

// deleteEntity removes an entity. Of concurrent deletes one succeeds.
func (de *entityDeleter) deleteEntity(ctx context.Context, k kind, id string, r graph.Removal) (graph.Deletion, error) {
	deletion := graph.Deletion{ID: id}
	m, err := de.reads.Catalog.Get(ctx)
	if err != nil {
		return deletion, err
	}
	err = de.reads.withResolvedID(ctx, k, id, neo4jview.NewDeleteCheck(ctx, k), func(at Reference) (bool, error) {
		deletion.ID = at.ID()
		row, err := de.deleteAt(ctx, m, k, at, r)
		if err != nil || row == nil {
			return false, err
		}
		if !row.Deleted {
			return false, HasEdgesError(r)
		}
		deletion.DeletedEdges = row.Edges
		de.reads.IDCacheOf(k).Drop(deletion.ID)
		return true, nil
	})
	return deletion, err
}

// deleteAt deletes an entity; the result is nil if there is none.
func (de *entityDeleter) deleteAt(ctx context.Context, m *ManagedTypes, k kind, at Reference, r graph.Removal) (*DeletedRow, error) {
	row := Delete{At: at, MaxEdges: de.MaxEdgesOf(r), Large: maxBatchedDegree, By: AuthorFrom(ctx)}
	var result *DeletedRow
	var err error
	if r.If.Present() || !rules.ViewOf(ctx).AllowsAll(rules.Delete) {
		result, err = de.Judged.judgedDelete(ctx, m, k, row, r)
	} else {
		var a deleteResult
		a, err = retryIdempotent(func() (deleteResult, error) { return submit(ctx, *de.queues.Of(k), row) })
		result = a.row
	}
	if err != nil || result == nil || !result.isLarge {
		return result, err
	}
	return de.large.deleteLarge(ctx, row, r)
}

// judgedDelete deletes an entity after judging its content under its lock; the result is nil if there is none.
func (jw *JudgedWriter) judgedDelete(ctx context.Context, m *ManagedTypes, k kind, row Delete, r graph.Removal) (*DeletedRow, error) {
	change := JudgedChange{row.At, graph.Change{If: r.If}, jw.DeleteRow(row)}
	result := jw.WriteOne(ctx, Judging{Managed: m, Kind: k, Deletes: true}, change)
	return DecodeDeleted(result.Tuple), result.Err
}

// MaxEdgesOf is how many edges a delete may remove with the node; nil for any number.
func (de *entityDeleter) MaxEdgesOf(r graph.Removal) any {
	switch {
	case r.Detach == nil:
		return de.config.MaxDetach
	case *r.Detach:
		return nil
	default:
		return int64(0)
	}
}

// HasEdgesError refuses the removal of a node that has edges: CONFLICT.
func HasEdgesError(r graph.Removal) error {
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
		refused[int(row.Integer(RowColumn))] = row.Integer(DegreeColumn)
	}
	return refused, err
}
