package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// undoPlan is what an undo does to the locked entities, without what the graph does not allow. What declared types do not allow is a fault
// of the whole undo: see validate.
type undoPlan struct {
	journal.Plan
	selected *undoSelection
	locked   lockedEntities
	entities *stateReader
}

// newUndoPlan plans the reversal of the selected changes on the locked entities.
func newUndoPlan(selected *undoSelection, locked lockedEntities, entities *stateReader) *undoPlan {
	p := &undoPlan{selected: selected, locked: locked, entities: entities}
	p.Plan = journal.PlanUndo(selected.records, locked.live, locked.named.of, selected.visibleState, entities.revision)
	p.dropImpossible(nil)
	return p
}

// dropImpossible drops what the graph does not allow, until nothing of the rest depends on what was dropped.
func (p *undoPlan) dropImpossible(claims []undoClaim) {
	for kept := -1; kept != len(p.Kept()); {
		kept = len(p.Kept())
		p.dropTaken(claims)
		p.dropDetached()
		p.dropAttached()
	}
}

// dropDetached drops edges to be restored of which an end does not exist.
func (p *undoPlan) dropDetached() {
	for _, v := range p.Kept() {
		if v.Entity.Kind != graph.EdgeKind || v.Live != nil || v.Target == nil {
			continue
		}
		for _, end := range p.locked.named.ends(v.Target) {
			final, known := p.Final(end)
			if known && final != nil || !known && p.locked.elements[end] != "" {
				continue
			}
			p.Drop(
				v.Entity,
				journal.Conflict{ID: v.Entity.ID, Expected: "", Found: "", Message: "its end " + end.ID + " does not exist"},
			)
			break
		}
	}
}

// dropAttached drops nodes to be deleted that have edges which are not deleted with them.
func (p *undoPlan) dropAttached() {
	removed := map[journal.Entity]int64{} // edges to be deleted, by an end; a self-loop counts once, as in the degree
	for _, v := range p.Kept() {
		if v.Entity.Kind == graph.EdgeKind && v.Live != nil && v.Target == nil {
			ends := p.locked.named.ends(v.Live)
			if removed[ends[0]]++; ends[1] != ends[0] {
				removed[ends[1]]++
			}
		}
	}
	for _, v := range p.Kept() {
		if v.Entity.Kind != graph.NodeKind || v.Live == nil || v.Target != nil {
			continue
		}
		if p.locked.degrees[v.Entity] > removed[v.Entity] {
			etag := p.entities.revision(graph.NodeKind, p.selected.visibleState(v.Newest, v.Live))
			p.Drop(
				v.Entity,
				journal.Conflict{ID: v.Entity.ID, Expected: etag, Found: etag, Message: "has edges that were attached since"},
			)
		}
	}
}

// validate applies the declared types to the new states.
func (p *undoPlan) validate(ctx context.Context, types *declared.Types) error {
	for _, v := range p.Kept() {
		if v.Target == nil {
			continue
		}
		var err error
		switch {
		case v.Live != nil:
			err = neo4jview.ValidateChange(ctx, types, v.Entity.Kind, v.Target.Labels, v.Live.Properties, v.Target.Properties, p.endLabels(v.Live))
		default:
			made := neo4jentity.EntityToCreate{
				Kind: v.Entity.Kind, Names: v.Target.Labels, Properties: v.Target.Properties, Ends: p.endLabels(v.Target),
			}
			err = made.Validate(types)
		}
		if err != nil {
			return p.selected.hideDetails(err, v)
		}
	}
	return nil
}

// expectedResult is the result of a dry run, which makes no changes and no new element ids.
func (p *undoPlan) expectedResult() journal.UndoResult {
	result := journal.UndoResult{
		Undone: p.Undone(), Skipped: append([]journal.Conflict{}, p.Conflicts...), Changes: []string{}, IDs: map[string]string{},
	}
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		for _, v := range p.selectReversals(k, false, true) {
			if neo4jentity.IsElementID(k, v.Entity.ID) {
				result.IDs[v.Entity.ID] = ""
			}
		}
	}
	return result
}

// selectReversals are the kept reversals of a kind by whether the entity exists and will exist.
func (p *undoPlan) selectReversals(k graph.Kind, lives, remains bool) []*journal.Reversal {
	return slices.DeleteFunc(p.Kept(), func(v *journal.Reversal) bool {
		return v.Entity.Kind != k || (v.Live != nil) != lives || (v.Target != nil) != remains
	})
}

// endLabels are the labels of the ends of an edge after the undo.
func (p *undoPlan) endLabels(s *journal.State) declared.Ends {
	labels := func(end journal.Entity) []string {
		if final, known := p.Final(end); known && final != nil {
			return final.Labels
		}
		return p.locked.labels[end]
	}
	ends := p.locked.named.ends(s)
	return declared.Ends{Source: labels(ends[0]), Target: labels(ends[1])}
}
