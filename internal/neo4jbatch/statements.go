package neo4jbatch

import (
	"context"
	"math"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// batchTransaction is one attempt of a batch's transaction: it checks the operations in the state that those before have left, and applies
// them.
type batchTransaction struct {
	*batchRun
	tx groupTransaction
}

func (bt *batchTransaction) createEntities(ctx context.Context, group []*operation) (failure error) {
	k := group[0].k
	if k == graph.EdgeKind {
		if group, failure = bt.checkNewEdges(ctx, group); len(group) == 0 {
			return failure
		}
	}
	rows := make(bolt.BatchRows, len(group))
	for i, o := range group {
		o.created.Source, o.created.Target, o.created.By = o.end(0), o.end(1), bt.by
		rows[i] = bt.writes.Judged.CreateAnyRow(k, o.created, o.AllLabels())
	}
	found, err := bt.writes.Judged.RunIn(ctx, bt.tx.Transaction, neo4jentity.CreateOf(k, rows))
	if err != nil {
		return err
	}
	for i, o := range group {
		row := neo4jentity.DecodeCreated(k, found[i])
		if row.ElementID == "" {
			return &missingError{o.index, graph.NoSuchEnds(!row.Source, !row.Target)}
		}
		o.at = neo4jentity.Reference{ElementID: row.ElementID, Own: o.created.ID}
		r, stored := &bt.results[o.index], graph.Stored(o.Properties)
		if r.ID = o.at.ID(); k == graph.EdgeKind {
			r.Edge = &graph.Edge{ID: r.ID, Type: string(o.Type), SourceID: o.end(0).ID(), TargetID: o.end(1).ID(), Properties: stored}
			continue
		}
		labels := o.AllLabels()
		r.Node = &graph.Node{ID: r.ID, Type: bt.reads.Types.CurrentTypes().NodeType(labels), Labels: labels, Properties: stored}
	}
	return failure
}

func (bt *batchTransaction) updateEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	isChecked := func(o *operation) bool { return bt.writes.DependsOnContent(o.change()) || needsContent(ctx, o) }
	if len(bt.types.CheckedOnChange(k)) > 0 {
		isChecked = func(*operation) bool { return true }
	}
	valid, failure := bt.checkContents(ctx, group, isChecked)
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = bt.writes.Judged.UpdateRow(neo4jentity.Update{At: o.entity(), Properties: o.Properties, By: bt.by})
	}
	// checkContents has validated those that must be.
	found, err := bt.writes.Judged.RunIn(ctx, bt.tx.Transaction, neo4jentity.UpdateOf(k, rows))
	if err != nil {
		return err
	}
	for i, o := range valid {
		if found[i] == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		if err := bt.bytes.Take(ctx, bolt.SizeOfRow(found[i])); err != nil {
			return err
		}
		e := neo4jentity.ElementOf(k, found[i])
		if k == graph.EdgeKind && len(neo4jview.EndKeys(ctx)) == 0 {
			o.seesEnds, err = bt.reads.SeesEnds(ctx, bt.m, e) // by the labels of the ends
			if err != nil {
				return err
			}
		}
		if err := bt.setUpdated(ctx, o, e); err != nil {
			return err
		}
	}
	return failure
}

func (bt *batchTransaction) setUpdated(ctx context.Context, o *operation, e *neo4jentity.Record) error {
	r := &bt.results[o.index]
	if o.k == graph.EdgeKind {
		edge, err := bt.reads.DecodeEdge(ctx, bt.m, e)
		r.ID, r.Edge = edge.ID, &edge
		return err
	}
	node, err := bt.reads.DecodeNode(ctx, bt.m, e)
	r.ID, r.Node = node.ID, &node
	return err
}

// change is the change of an update or delete, as of a single request.
func (o *operation) change() graph.Change {
	return graph.Change{Properties: o.Properties, If: o.If, Unchanged: o.Unchanged}
}

func (bt *batchTransaction) deleteEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	valid, failure := bt.checkContents(ctx, group, func(o *operation) bool { return o.If.Present() || needsContent(ctx, o) })
	if k == graph.NodeKind && len(valid) > 0 {
		var over error
		if valid, over = bt.checkDegrees(ctx, valid); over != nil {
			failure = over
		}
	}
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = bt.writes.Judged.DeleteRow(neo4jentity.Delete{At: o.entity(), MaxEdges: bt.maxEdgesOf(o), Large: math.MaxInt64, By: bt.by})
	}
	found, err := bt.writes.Judged.RunIn(ctx, bt.tx.Transaction, neo4jentity.DeleteOf(k, rows))
	if err != nil {
		return err
	}
	for i, o := range valid {
		row := neo4jentity.DecodeDeleted(found[i])
		if row == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		switch limit, isLimited := bt.writes.MaxEdgesOf(o.removal()).(int64); {
		case !row.Deleted && (!isLimited || row.Edges <= limit): // attached since the transaction has begun
			return bt.set.fail(changeset.Conflict{Operation: o.index, ID: o.entity().ID(), Message: changeset.Attached})
		case !row.Deleted:
			return bt.all.operationFault(o.index, neo4jentity.HasEdgesError(o.removal()))
		}
		bt.results[o.index].ID, bt.results[o.index].DeletedEdges = o.entity().ID(), row.Edges
	}
	return failure
}

// maxEdgesOf is how many edges an operation may delete with its node; nil for any number.
func (bt *batchTransaction) maxEdgesOf(o *operation) any {
	limit := bt.writes.MaxEdgesOf(o.removal())
	if bt.set == nil || o.Op != graph.OpDeleteNode || bt.set.Read.BaseOf(o.index).Edges == nil || o.definition != nil {
		return limit
	}
	if given, isLimited := limit.(int64); isLimited {
		return min(given, o.maxEdges)
	}
	return o.maxEdges
}

func (o *operation) removal() graph.Removal { return graph.Removal{If: o.If, Detach: o.Detach} }
