package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

// journalView filters recorded states by the view of a context's user; every read of the journal uses it. It applies the current rules, not
// those at the time of the change. An edge is visible only if both ends are: see findVisibleEnds. A nil journalView shows everything.
type journalView struct {
	view         *rules.View
	visibleNodes *visibleNodeReader
	ends         map[endOf]bool // whether the end is visible
}

// endOf is an end of a recorded edge, with its element id then. The record matters only if the id is an element id: see findVisibleEnds.
type endOf struct{ node, element, record string }

// endsOf are the keys of the ends of an edge in a record.
func endsOf(s *journal.State, record string) [2]endOf {
	ends := [2]endOf{{s.SourceID, s.EndElements[0], record}, {s.TargetID, s.EndElements[1], record}}
	for i := range ends {
		if !neo4jentity.IsElementID(graph.NodeKind, ends[i].node) {
			ends[i].record = ""
		}
	}
	return ends
}

// newJournalView returns the view of a context's user; nil if it shows everything.
func newJournalView(ctx context.Context, visibleNodes *visibleNodeReader) *journalView {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return nil
	}
	return &journalView{view: v, visibleNodes: visibleNodes, ends: map[endOf]bool{}}
}

// limitOf returns how many records one statement reads, after some: recordsPerRead if the view may hide some of them.
func (v *journalView) limitOf(limit, scanned int) int {
	if v == nil {
		return limit
	}
	return recordsPerRead(limit, scanned)
}

// rightsAt returns the user's rights to states of an entity. record is the id of the record that contains the states; for the entity as it
// is now, MaxChangeID.
func (v *journalView) rightsAt(record string) journal.View {
	return func(k graph.Kind, s *journal.State) journal.Rights {
		if k == graph.NodeKind {
			return v.view.NodeRights(rules.Read, s.Labels, s.Properties)
		}
		if len(s.Labels) == 0 || !v.seesEndsOf(s, record) {
			return rules.Rights{}
		}
		return v.view.EdgeRights(rules.Read, s.Labels[0], s.Properties)
	}
}

// showRecords returns each record as the user sees it, nil for one that the user does not see. All have Previous, if it is kept.
func (v *journalView) showRecords(ctx context.Context, records []journal.Record) ([]*journal.Record, error) {
	shown := make([]*journal.Record, len(records))
	if v == nil {
		for i := range records {
			if records[i].IsChange() {
				shown[i] = &records[i]
			}
		}
		return shown, nil
	}
	if err := v.findVisibleEnds(ctx, records); err != nil {
		return nil, err
	}
	for i := range records {
		if !records[i].IsChange() {
			continue
		}
		if seen, visible := records[i].In(v.rightsAt(records[i].ID)); visible {
			shown[i] = &seen
		}
	}
	return shown, nil
}

// shows reports whether the user sees a change.
func (v *journalView) shows(ctx context.Context, r *journal.Record) (bool, error) {
	shown, err := v.showRecords(ctx, []journal.Record{*r})
	return err == nil && shown[0] != nil, err
}

// state is what the user sees of a state that a record is about; nil if it is not visible.
func (v *journalView) state(ctx context.Context, k graph.Kind, record string, s *journal.State) (*journal.State, error) {
	if v == nil || s == nil {
		return s, nil
	}
	if err := v.findVisibleEnds(ctx, []journal.Record{{ID: record, Action: journal.Create, Kind: k, Image: *s}}); err != nil {
		return nil, err
	}
	return v.rightsAt(record).State(k, s), nil
}

// withScratch returns a context whose reads are no part of the answer: their bytes are released when release is called, once they have been
// checked.
func withScratch(ctx context.Context) (scratch context.Context, release func()) {
	b := graph.NewCountedBudget(ctx)
	return graph.WithByteBudget(ctx, b), func() { _ = b.Take(-b.Taken()) }
}

// findVisibleEnds finds which ends of edges are visible: a node that exists by what it is now, one that is deleted by its last record. An
// end that neither exists nor has a record is not visible. An element id may belong to a later node, because Neo4j uses element ids again:
// if the last record under it is of a deletion after the edge's own record, the end is the deleted node.
func (v *journalView) findVisibleEnds(ctx context.Context, records []journal.Record) error {
	var wanted []endOf
	for i := range records {
		record := &records[i]
		for _, r := range []*journal.Record{record, record.Previous} {
			if r == nil || r.Kind != graph.EdgeKind {
				continue
			}
			for _, end := range endsOf(&r.Image, record.ID) {
				if _, known := v.ends[end]; !known {
					v.ends[end] = v.seesAllNodes()
					wanted = append(wanted, end)
				}
			}
		}
	}
	if len(wanted) == 0 || v.seesAllNodes() {
		return nil
	}
	var nodes []*soughtRecord
	nodeOf := map[endOf]*soughtRecord{}
	for _, end := range wanted {
		if end.record = ""; nodeOf[end] == nil {
			nodeOf[end] = &soughtRecord{SoughtID: neo4jentity.SoughtID{ID: end.node, Element: end.element, Only: end.element != ""}}
			nodes = append(nodes, nodeOf[end])
		}
	}
	if err := v.visibleNodes.find(ctx, v.view, nodes); err != nil {
		return bolt.Translate(err)
	}
	for _, end := range wanted {
		n := nodeOf[endOf{end.node, end.element, ""}]
		if v.ends[end] = n.visible; n.last.id != "" && (!n.exists() || n.last.deleted && n.last.id > end.record) {
			v.ends[end] = n.last.visible
		}
	}
	return nil
}

// seesAllNodes reports whether a grant holds for every node in every state.
func (v *journalView) seesAllNodes() bool {
	return slices.ContainsFunc(v.view.Scopes(rules.Read, graph.NodeKind), rules.Scope.HasAll)
}

// seesEndsOf reports whether the ends of an edge in a record are visible. They have been checked.
func (v *journalView) seesEndsOf(s *journal.State, record string) bool {
	ends := endsOf(s, record)
	return v.ends[ends[0]] && v.ends[ends[1]]
}
