package neo4jjournal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

func personState(id string) journal.State {
	return journal.State{ID: id, Labels: []string{"Person"}, Properties: graph.Properties{}}
}

// An undo restores an edge only between nodes that exist, or that it restores as well.
func TestUndoRestoresNoEdgeWithoutItsEnds(t *testing.T) {
	deleted := func(id, target string) journal.Record {
		return journal.Record{ID: "2", Action: journal.Delete, Kind: graph.EdgeKind, Entity: id, Image: journal.State{
			ID: id, Labels: []string{"KNOWS"}, SourceID: "ann", TargetID: target, Properties: graph.Properties{},
		}}
	}
	selected := &undoSelection{records: []journal.Record{
		deleted("attached", "ben"), deleted("detached", "gone"), deleted("restored", "eve"),
		{ID: "1", Action: journal.Delete, Kind: graph.NodeKind, Entity: "eve", Image: personState("eve")},
	}}
	locked := newLockedEntities(&neo4jentity.ManagedTypes{})
	for _, id := range []string{"ann", "ben"} {
		locked.elements[journal.Entity{Kind: graph.NodeKind, ID: id}] = "4:x:1"
	}
	plan := newUndoPlan(selected, locked, &stateReader{types: undeclared})
	require.Equal(t, []journal.Conflict{{ID: "detached", Message: "its end gone does not exist"}}, plan.Conflicts)
	var restored []string
	for _, v := range plan.selectReversals(graph.EdgeKind, false, true) {
		restored = append(restored, v.Entity.ID)
	}
	require.Equal(t, []string{"attached", "restored"}, restored)
}

// An undo of the creation of a node keeps it if it has edges that the undo does not delete.
func TestUndoKeepsNodesWithLaterEdges(t *testing.T) {
	loop := journal.State{ID: "loop", Labels: []string{"KNOWS"}, SourceID: "ann", TargetID: "ann", Properties: graph.Properties{}}
	ann, ben := personState("ann"), personState("ben")
	selected := &undoSelection{records: []journal.Record{
		{ID: "3", Action: journal.Create, Kind: graph.EdgeKind, Entity: "loop", Image: loop},
		{ID: "2", Action: journal.Create, Kind: graph.NodeKind, Entity: "ben", Image: ben},
		{ID: "1", Action: journal.Create, Kind: graph.NodeKind, Entity: "ann", Image: ann},
	}}
	locked := newLockedEntities(&neo4jentity.ManagedTypes{})
	locked.live = map[journal.Entity]*journal.State{
		{Kind: graph.EdgeKind, ID: "loop"}: &loop, {Kind: graph.NodeKind, ID: "ann"}: &ann, {Kind: graph.NodeKind, ID: "ben"}: &ben,
	}
	locked.degrees = map[journal.Entity]int64{{Kind: graph.NodeKind, ID: "ann"}: 1, {Kind: graph.NodeKind, ID: "ben"}: 1}
	plan := newUndoPlan(selected, locked, &stateReader{types: undeclared})
	require.Len(t, plan.Conflicts, 1)
	require.Equal(t, "ben", plan.Conflicts[0].ID)
	require.Len(t, plan.selectReversals(graph.NodeKind, true, false), 1, "ann's only edge is her loop, which is deleted before her")
}
