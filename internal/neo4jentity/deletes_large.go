package neo4jentity

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
)

const (
	// maxBatchedDegree is the highest degree of a node that is deleted in a batch.
	maxBatchedDegree = 200
	// EdgesPerDelete bounds a transaction that deletes edges of a node of a higher degree, and with it the time for which other
	// transactions wait for its locks.
	EdgesPerDelete = 1000
	// MaxNamedEdges bounds the edges of such a node that have separate entries in the audit; the rest are counted.
	MaxNamedEdges = 200
	// largeDeleteLanes is how many such nodes are deleted concurrently.
	largeDeleteLanes = 2
	// progressMargin is how long before a request's deadline an unfinished delete stops, to report its progress.
	progressMargin = 3 * bolt.DeadlineMargin
)

// largeDeleter deletes nodes of many edges, each alone.
type largeDeleter struct {
	*writeCore

	running runningDeletes
	queue   *writeQueue[largeDelete, deleteResult]
}

// largeDelete is a delete of a node that runs alone: first its edges in bounded transactions, then the node.
type largeDelete struct {
	row      Delete
	r        graph.Removal
	deadline time.Time // when the delete must stop
}

// runningDeletes are the element ids of running large deletes. Another delete of such a node waits in the large queue, not in a batch.
// Otherwise it could find the node with its last few edges and delete it, and the delete that removed most of the edges would find nothing.
// Its zero value is ready for use.
type runningDeletes struct {
	mu        sync.Mutex
	running   map[string]int
	announced map[string]time.Time // of elements whose large delete is about to start
}

// announceTTL is how long an element counts as being deleted before its large delete has started: the caller may have left.
const announceTTL = 5 * time.Second

// announce says that a large delete of an element is about to start.
func (d *runningDeletes) announce(element string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(d.announced, func(_ string, until time.Time) bool { return until.Before(now) })
	if d.announced == nil {
		d.announced = map[string]time.Time{}
	}
	d.announced[element] = now.Add(announceTTL)
}

func (d *runningDeletes) begin(element string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running == nil {
		d.running = map[string]int{}
	}
	d.running[element]++
}

func (d *runningDeletes) end(element string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running[element]--; d.running[element] == 0 {
		delete(d.running, element)
		delete(d.announced, element)
	}
}

func (d *runningDeletes) has(element string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running[element] > 0 || time.Now().Before(d.announced[element])
}

// deleteLarge queues a large delete. Two of one node run one after the other: the second finds nothing.
func (ld *largeDeleter) deleteLarge(ctx context.Context, row Delete, r graph.Removal) (*DeletedRow, error) {
	ld.running.begin(row.At.ElementID)
	defer ld.running.end(row.At.ElementID)
	due := time.Now().Add(ld.client.QueryTimeout())
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(due) {
		due = deadline
	}
	a, err := submit(ctx, ld.queue, largeDelete{row, r, due.Add(-progressMargin)})
	return a.row, err
}

func (ld *largeDeleter) newQueue() *writeQueue[largeDelete, deleteResult] {
	o := queueOptions(ld.client, ld.config, "large deletes", largeDeleteLanes, 1, func(d largeDelete) string { return d.row.At.ElementID })
	o.Linger = 0
	return newWriteQueue(o, func(ctx context.Context, one []largeDelete) []coalesce.Outcome[deleteResult] {
		var mark graph.BookmarkRecorder
		row, err := ld.runLargeDelete(graph.WithBookmarkRecorder(ctx, &mark), one[0])
		return []coalesce.Outcome[deleteResult]{{Value: deleteResult{row, mark.Latest()}, Err: err}}
	})
}

// runLargeDelete deletes a node's edges and then the node. If it fails, the deleted edges remain deleted: the request can be repeated and
// continues.
func (ld *largeDeleter) runLargeDelete(ctx context.Context, d largeDelete) (*DeletedRow, error) {
	m, err := ld.reads.Catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithDeadline(ctx, d.deadline)
	defer cancel()
	if within, err := ld.isWithinEdgeLimit(limited, d.row); err != nil || !within {
		return &DeletedRow{}, err
	}
	progress := edgeProgress{named: MaxNamedEdges}
	for took := time.Duration(0); ; {
		if time.Until(d.deadline) < 2*took { // another transaction would probably not end in time, and its outcome would be unknown
			return nil, progress.partialFault(fault.New(fault.DatabaseTimeout, "There was not enough time to delete all edges of the node"))
		}
		began := time.Now()
		found, err := ld.deleteEdgesOf(limited, m, d.row, &progress)
		took = time.Since(began)
		if err != nil {
			return nil, progress.partialFault(err)
		}
		if !found {
			return nil, nil
		}
		if progress.more {
			continue
		}
		row, err := ld.deleteNodeAlone(limited, m, d, progress.left+maxBatchedDegree)
		switch {
		case err != nil:
			return nil, progress.partialFault(err)
		case row == nil:
			return nil, nil
		case !row.isLarge:
			row.Edges += progress.deleted
			return row, nil
		}
	}
}

// isWithinEdgeLimit reports whether a node has no more visible edges than its delete may remove.
func (ld *largeDeleter) isWithinEdgeLimit(ctx context.Context, row Delete) (bool, error) {
	maxEdges, bounded := row.MaxEdges.(int64)
	if !bounded {
		return true, nil
	}
	records, err := ld.client.ReadLatest(ctx, cypher.CountEdgesOfNode.Text(cypher.Slots{"id": ld.Judged.texts.IDName}), map[string]any{
		"element": row.At.ElementID, "id": row.At.ownParam(), "limit": maxEdges + 1,
	})
	if err != nil || len(records) == 0 {
		return true, err // a missing node is detected later
	}
	return bolt.Column[int64](records[0], "edges") <= maxEdges, nil
}

// edgeProgress is the progress of a large delete.
type edgeProgress struct {
	deleted, left int64
	named         int64 // edges that may still have separate entries in the audit
	more          bool  // the last transaction reached its limit
	lost          bool  // the outcome of the last transaction is unknown
}

// partialFault is the fault of a delete that stopped before its end.
func (p *edgeProgress) partialFault(err error) error {
	f := fault.As(bolt.Translate(err))
	if p.deleted == 0 {
		return f
	}
	progress := fmt.Sprintf("%d edges are deleted, about %d are left; the node is there. Send the request again to go on", p.deleted, p.left)
	details := append([]fault.Detail{{Field: "deleted_edges", Message: progress}}, f.Details...)
	return fault.Wrap(err, f.Code, f.Message, details...).RetryAfter(max(f.After, bolt.RetryAfterOutage))
}

// deleteEdgesOf deletes some edges of a node in a separate transaction.
func (ld *largeDeleter) deleteEdgesOf(ctx context.Context, m *ManagedTypes, row Delete, p *edgeProgress) (found bool, err error) {
	by := row.By.Actor
	params, err := ld.Judged.Params(ctx, RowWrite{Kind: edges, Action: audit.Delete})
	if err != nil {
		return false, err
	}
	for name, value := range map[string]any{
		"element": row.At.ElementID, "id": row.At.ownParam(), "limit": int64(EdgesPerDelete), "named": p.named, "managed": m.Of(edges).Names,
		"line": neo4jaudit.Prefix(by), "rest": neo4jaudit.Line(by, row.At.ID(), nil, ""),
		"change": ld.Judged.journalRow(row.By, row.At.ID(), nil),
	} {
		params[name] = value
	}
	var records []*bolt.Record
	for try := 0; ; try++ {
		records, err = ld.client.Write(ctx, cypher.DeleteEdgesOfNode.Text(cypher.Slots{"id": ld.Judged.texts.IDName}), params)
		switch lost := bolt.IsOutcomeUnknown(err); {
		case lost && try < 3 && ctx.Err() == nil:
			p.lost = true // deleting more is correct whatever the outcome
		case bolt.IsEntityDeleted(err) && ctx.Err() == nil:
		default:
			if err != nil || len(records) == 0 {
				return false, err
			}
			p.add(records[0])
			return true, nil
		}
	}
}

func (p *edgeProgress) add(r *bolt.Record) {
	before, deleted := bolt.Column[int64](r, "before"), bolt.Column[int64](r, "deleted")
	if p.lost && p.left > before {
		p.deleted += p.left - before // the transaction whose outcome was lost was committed
	}
	p.deleted += deleted
	p.named = max(0, p.named-deleted)
	p.left, p.lost, p.more = bolt.Column[int64](r, "left"), false, deleted == EdgesPerDelete
}

// deleteNodeAlone deletes the node itself, in a transaction that no other delete shares.
func (ld *largeDeleter) deleteNodeAlone(ctx context.Context, m *ManagedTypes, d largeDelete, large int64) (*DeletedRow, error) {
	row := d.row
	row.Large, row.MaxEdges = large, nil
	if d.r.If.Present() {
		return ld.Judged.judgedDelete(ctx, m, nodes, row, d.r)
	}
	a, err := retryIdempotent(func() (RowResult, error) {
		a := ld.Judged.Run(ctx, DeleteOf(nodes, bolt.BatchRows{ld.Judged.DeleteRow(row)}))[0]
		return a, a.Err
	})
	return DecodeDeleted(a.Tuple), err
}
