package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// write makes the changes of the plan. Deletes come first and creates last, because a value that must be unique is free again only after
// its holder is gone or has another one; edges are deleted before their nodes, and created after them.
func (u *undo) write(ctx context.Context) error {
	for _, step := range []struct {
		run func(context.Context, kind) error
		k   kind
	}{{u.delete, edges}, {u.delete, nodes}, {u.revert, nodes}, {u.revert, edges}, {u.restore, nodes}, {u.restore, edges}} {
		if err := step.run(ctx, step.k); err != nil {
			return err
		}
	}
	return nil
}

// selectReversals are the kept reversals of a kind by whether the entity exists and will exist.
func (u *undo) selectReversals(k kind, lives, remains bool) []*journal.Reversal {
	return slices.DeleteFunc(u.plan.Kept(), func(v *journal.Reversal) bool {
		return v.Entity.Kind != k || (v.Live != nil) != lives || (v.Target != nil) != remains
	})
}

// runRows runs a statement over rows in the undo's transaction, in parts, and calls each with the index and the bolt.Tuple of each result.
func (u *undo) runRows(
	ctx context.Context,
	statement cypher.Statement,
	action audit.Action,
	k kind,
	rows []map[string]any,
	each func(int, bolt.Tuple),
) error {
	text := u.j.texts.textOf(statement)
	done := 0
	for some := range slices.Chunk(rows, undoRows) {
		params, err := u.j.changes.batchParams(ctx, batchChange{action: action, kind: k})
		if err != nil {
			return err
		}
		tuples, err := bolt.CollectTuples(u.tx.RunStatement(ctx, text, withRows(params, some)))
		if err != nil {
			return err
		}
		if len(tuples) != len(some) {
			return fault.New(fault.Conflict, "Another request changed the same entities; try again")
		}
		for _, t := range tuples {
			each(done+int(t.Integer(rowColumn)), t)
		}
		done += len(some)
	}
	return nil
}

func (u *undo) restore(ctx context.Context, k kind) error {
	all := u.selectReversals(k, false, true)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		record, err := u.j.elementOf(ctx, v.Record.ID)
		if err != nil {
			return err
		}
		deletion, err := u.j.elementOf(ctx, v.Newest.ID)
		if err != nil {
			return err
		}
		id := v.Entity.ID
		if isElementID(k, id) {
			id = "" // it gets a new one
		}
		row := map[string]any{"record": record, "deletion": deletion, "labels": v.Target.Labels}
		if k == edges {
			row["type"] = v.Target.Labels[0]
			row["source"] = u.elements[journal.Entity{Kind: graph.NodeKind, ID: v.Target.SourceID}]
			row["target"] = u.elements[journal.Entity{Kind: graph.NodeKind, ID: v.Target.TargetID}]
		}
		rows[i] = u.j.changes.withAuthor(authorFrom(ctx), id, nil, row)
	}
	return u.runRows(ctx, statementsOf[k].restore, audit.Create, k, rows, func(i int, t bolt.Tuple) {
		v := all[i]
		u.elements[v.Entity] = t.Text(elementIDColumn)
		if isElementID(k, v.Entity.ID) {
			u.result.IDs[v.Entity.ID] = t.Text(elementIDColumn)
		}
		u.j.reads.idCacheOf(k).drop(v.Entity.ID)
	})
}

func (u *undo) revert(ctx context.Context, k kind) error {
	all := u.selectReversals(k, true, true)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		record, err := u.j.elementOf(ctx, v.Record.ID)
		if err != nil {
			return err
		}
		row := map[string]any{"element": u.elements[v.Entity], "record": record}
		rows[i] = u.j.changes.withAuthor(authorFrom(ctx), v.Entity.ID, diffProperties(v.Live.Properties, v.Target.Properties), row)
	}
	return u.runRows(ctx, statementsOf[k].revert, audit.Update, k, rows, func(int, bolt.Tuple) {})
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

func (u *undo) delete(ctx context.Context, k kind) error {
	all := u.selectReversals(k, true, false)
	rows := make([]map[string]any, len(all))
	for i, v := range all {
		at := reference{elementID: u.elements[v.Entity]}
		if !isElementID(k, v.Entity.ID) {
			at.own = v.Entity.ID
		}
		rows[i] = u.j.changes.deleteRow(remove{at: at, maxEdges: int64(0), by: authorFrom(ctx)})
	}
	attached := false
	err := u.runRows(ctx, statementsOf[k].remove, audit.Delete, k, rows, func(i int, t bolt.Tuple) {
		attached = attached || !decodeDeleted(t).deleted
		u.j.reads.idCacheOf(k).drop(all[i].Entity.ID)
	})
	if err == nil && attached {
		return fault.New(fault.Conflict, "Another request attached an edge to a node; try again")
	}
	return err
}

// endLabels are the labels of the ends of an edge after the undo.
func (u *undo) endLabels(s *journal.State) declared.Ends {
	labels := func(id string) []string {
		if final, known := u.plan.Final(journal.Entity{Kind: graph.NodeKind, ID: id}); known && final != nil {
			return final.Labels
		}
		return u.labels[id]
	}
	return declared.Ends{Source: labels(s.SourceID), Target: labels(s.TargetID)}
}
