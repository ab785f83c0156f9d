package neo4jjournal

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// endsPerStatement is how many ends of edges one statement looks up.
const endsPerStatement = 1000

// visibleNodeReader finds which nodes a view shows: those that exist as they are now, and others by their last records.
type visibleNodeReader struct {
	config   *neo4jentity.Config
	reads    *neo4jentity.Reader
	elements *neo4jentity.ElementReader
	records  *recordReader
}

// soughtRecord is an entity that records name.
type soughtRecord struct {
	neo4jentity.SoughtID
	live    *neo4jentity.Record // nil if it does not exist, and if several may be it
	several bool                // which of them it is, the records do not tell
	visible bool                // as it is now
	last    lastRecord          // the zero value if it was not looked up, or none is kept
}

// exists reports whether there is such an entity.
func (n *soughtRecord) exists() bool { return n.live != nil || n.several }

// find looks nodes up, with a view also whether it shows them. Of those that do not exist, and with a view of those with an element id, it
// reads the last records. A node that was deleted and restored is found by the types of these.
func (vn *visibleNodeReader) find(ctx context.Context, view *rules.View, nodes []*soughtRecord) error {
	for some := range slices.Chunk(nodes, endsPerStatement) {
		if err := findLive(ctx, vn.reads, graph.NodeKind, some); err != nil {
			return err
		}
		if err := vn.findLastRecords(ctx, view, some); err != nil {
			return err
		}
		var restored []*soughtRecord
		for _, n := range some {
			if n.Only && !n.exists() && n.last.id != "" && !n.last.deleted {
				n.Types, n.Element = n.last.types, n.last.element
				restored = append(restored, n)
			}
		}
		if err := findLive(ctx, vn.reads, graph.NodeKind, restored); err != nil {
			return err
		}
		if err := vn.judge(ctx, view, some); err != nil {
			return err
		}
	}
	return nil
}

// findLive looks up which entities exist.
func findLive(ctx context.Context, reads *neo4jentity.Reader, k graph.Kind, all []*soughtRecord) error {
	ids := make([]neo4jentity.SoughtID, len(all))
	for i, s := range all {
		ids[i] = s.SoughtID
	}
	return reads.FindEach(ctx, k, ids, func(i int, e *neo4jentity.Record) { all[i].live, all[i].several = e, e == nil })
}

// judge says which of the nodes that exist a view shows.
func (vn *visibleNodeReader) judge(ctx context.Context, view *rules.View, nodes []*soughtRecord) error {
	if view == nil {
		return nil
	}
	m, err := vn.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	byElement := map[string][]*soughtRecord{}
	for _, n := range nodes {
		if n.live != nil {
			byElement[n.live.ElementID] = append(byElement[n.live.ElementID], n)
		}
	}
	keys, wanted := neo4jview.ConditionKeys(view, graph.NodeKind, rules.Read), slices.Sorted(maps.Keys(byElement))
	judge := func(e *neo4jentity.Record) error {
		now, err := vn.reads.DecodeNode(ctx, m, e)
		for _, n := range byElement[e.ElementID] {
			n.visible = err == nil && view.NodeRights(rules.Read, now.Labels, now.Properties).Granted()
		}
		return err
	}
	return vn.elements.ForEachReferred(ctx, graph.NodeKind, wanted, neo4jentity.EndColumns{}, keys, judge)
}

// lastRecord is what the last record of a node says.
type lastRecord struct {
	id      string
	element string
	types   []string
	deleted bool
	visible bool // in the state that the record left, or found if it is of a deletion
}

// findLastRecords reads the last records of nodes; for the conditions see find.
func (vn *visibleNodeReader) findLastRecords(ctx context.Context, view *rules.View, nodes []*soughtRecord) error {
	var wanted []*soughtRecord
	for _, n := range nodes {
		isElementID := neo4jentity.IsElementID(graph.NodeKind, n.ID)
		if len(n.Types) == 0 && (!n.exists() && !isElementID || view != nil && (!n.exists() || isElementID)) {
			wanted = append(wanted, n)
		}
	}
	for len(wanted) > 0 {
		full, err := vn.readLastRecords(ctx, view, wanted)
		if err != nil || !full {
			return err
		}
		wanted = slices.DeleteFunc(wanted, func(n *soughtRecord) bool { return n.last.id != "" })
	}
	return nil
}

// readLastRecords reads the last records of some nodes; full reports that there are more.
func (vn *visibleNodeReader) readLastRecords(ctx context.Context, view *rules.View, nodes []*soughtRecord) (full bool, err error) {
	ctx, release := withScratch(ctx)
	defer release()
	m, err := vn.reads.Catalog.Get(ctx)
	if err != nil {
		return false, err
	}
	wanted := make([][]any, len(nodes))
	for i, n := range nodes {
		wanted[i] = []any{neo4jentity.EntityKey(graph.NodeKind, n.ID), n.Element, i}
	}
	params := map[string]any{"rows": wanted, "managed": m.Nodes.Names, "oldest": oldestKept(vn.config.JournalKeep)}
	found, numbers, full, err := vn.records.readNumbered(ctx, cypher.JournalLast, params, max(vn.config.MaxPageBytes, 1))
	if err != nil {
		return false, err
	}
	for i := range found {
		r := &found[i]
		state := r.After()
		if state == nil {
			state = r.Before()
		}
		nodes[numbers[i]].last = lastRecord{
			id: r.ID, element: r.Element, types: newRecordOwner(m, r.Kind, r.Element, state.Labels).names, deleted: r.Action == journal.Delete,
			visible: view != nil && view.NodeRights(rules.Read, state.Labels, state.Properties).Granted(),
		}
	}
	return full, nil
}
