package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

// undoWriter makes the changes of a plan in the undo's transaction.
type undoWriter struct {
	*undoer
	tx   *bolt.Transaction
	plan *undoPlan

	elements map[journal.Entity]string // element ids of live entities; those of restored ones are added
	newIDs   map[string]string         // by the old one, of restored entities without their own id
}

// write makes the changes of the plan. Deletes come first and creates last, because a value that must be unique is free again only after
// its holder is gone or has another one; edges are deleted before their nodes, and created after them.
func (w *undoWriter) write(ctx context.Context) error {
	for _, step := range []struct {
		run func(context.Context, graph.Kind) error
		k   graph.Kind
	}{
		{w.delete, graph.EdgeKind},
		{w.delete, graph.NodeKind},
		{w.revert, graph.NodeKind},
		{w.revert, graph.EdgeKind},
		{w.restore, graph.NodeKind},
		{w.restore, graph.EdgeKind},
	} {
		if err := step.run(ctx, step.k); err != nil {
			return err
		}
	}
	return nil
}

// runRows runs a statement over rows in the undo's transaction, in parts, and calls each with the index and the bolt.Tuple of each result.
func (w *undoWriter) runRows(
	ctx context.Context,
	statement cypher.Statement,
	action audit.Action,
	k graph.Kind,
	rows []map[string]any,
	each func(int, bolt.Tuple),
) error {
	done := 0
	for some := range slices.Chunk(rows, undoRows) {
		tuples, err := w.writes.RunIn(ctx, w.tx, neo4jentity.RowWrite{Kind: k, Statement: statement, Action: action, Rows: some})
		if err != nil {
			return err
		}
		for i, t := range tuples {
			if t == nil {
				return fault.New(fault.Conflict, "Another request changed the same entities; try again")
			}
			each(done+i, t)
		}
		done += len(some)
	}
	return nil
}

func (w *undoWriter) restore(ctx context.Context, k graph.Kind) error {
	all := w.plan.selectReversals(k, false, true)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		record, err := w.records.elementOf(ctx, v.Record.ID)
		if err != nil {
			return err
		}
		deletion, err := w.records.elementOf(ctx, v.Newest.ID)
		if err != nil {
			return err
		}
		id := v.Entity.ID
		if neo4jentity.IsElementID(k, id) {
			id = "" // it gets a new one
		}
		row := map[string]any{"record": record, "deletion": deletion, "labels": v.Target.Labels}
		if k == graph.EdgeKind {
			row["type"] = v.Target.Labels[0]
			ends := w.plan.locked.named.ends(v.Target)
			row["source"], row["target"] = w.elements[ends[0]], w.elements[ends[1]]
		}
		rows[i] = w.writes.WithAuthor(neo4jentity.AuthorFrom(ctx), id, nil, row)
	}
	return w.runRows(ctx, neo4jentity.StatementsOf[k].Restore, audit.Create, k, rows, func(i int, t bolt.Tuple) {
		v := all[i]
		w.elements[v.Entity] = t.Text(neo4jentity.ElementIDColumn)
		if neo4jentity.IsElementID(k, v.Entity.ID) {
			w.newIDs[v.Entity.ID] = t.Text(neo4jentity.ElementIDColumn)
		}
		w.reads.IDCacheOf(k).Drop(v.Entity.ID)
	})
}

func (w *undoWriter) revert(ctx context.Context, k graph.Kind) error {
	all := w.plan.selectReversals(k, true, true)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		record, err := w.records.elementOf(ctx, v.Record.ID)
		if err != nil {
			return err
		}
		row := map[string]any{"element": w.elements[v.Entity], "record": record}
		rows[i] = w.writes.WithAuthor(neo4jentity.AuthorFrom(ctx), v.Entity.ID, diffProperties(v.Live.Properties, v.Target.Properties), row)
	}
	return w.runRows(ctx, neo4jentity.StatementsOf[k].Revert, audit.Update, k, rows, func(int, bolt.Tuple) {})
}

// diffProperties is the change that leads from one content to another.
func diffProperties(from, to graph.Properties) graph.Properties {
	set := graph.Properties{}
	for key, value := range to {
		if old, exists := from[key]; !exists || !graph.EqualValues(old, value) {
			set[key] = value
		}
	}
	for key := range from {
		if _, exists := to[key]; !exists {
			set[key] = nil
		}
	}
	return set
}

func (w *undoWriter) delete(ctx context.Context, k graph.Kind) error {
	all := w.plan.selectReversals(k, true, false)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		at := neo4jentity.Reference{ElementID: w.elements[v.Entity]}
		if !neo4jentity.IsElementID(k, v.Entity.ID) {
			at.Own = v.Entity.ID
		}
		rows[i] = w.writes.DeleteRow(neo4jentity.Delete{At: at, MaxEdges: int64(0), By: neo4jentity.AuthorFrom(ctx)})
	}
	attached := false
	err := w.runRows(ctx, neo4jentity.StatementsOf[k].Remove, audit.Delete, k, rows, func(i int, t bolt.Tuple) {
		attached = attached || !neo4jentity.DecodeDeleted(t).Deleted
		w.reads.IDCacheOf(k).Drop(all[i].Entity.ID)
	})
	if err == nil && attached {
		return fault.New(fault.Conflict, "Another request attached an edge to a node; try again")
	}
	return err
}
