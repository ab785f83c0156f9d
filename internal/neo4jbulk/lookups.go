package neo4jbulk

import (
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// lineFinder finds the entities that the lines of an import name.
type lineFinder struct{ *importCore }

// findExisting looks up which of the lines' ids exist already. It fails the lines with an id of several entities that exist for the user.
func (lf *lineFinder) findExisting(ctx context.Context, k graph.Kind, all []*importLine) (map[string]*neo4jentity.Record, error) {
	var ids []neo4jentity.SoughtID
	for _, it := range all {
		if it.id != "" && it.isPending() {
			ids = append(ids, neo4jentity.SoughtID{ID: it.id, Types: it.types})
		}
	}
	known := func(names []string, now neo4jview.Content) bool {
		return lf.on == graph.OnConflictError || lf.existsAs(rules.ViewOf(ctx), k, names, now)
	}
	found, shared, err := lf.findNotCreated(ctx, k, ids, known)
	for _, it := range all {
		if f := shared[it.id]; f != nil && it.isPending() {
			it.fail(f)
		}
	}
	return found, err
}

// findNotCreated looks ids up, without the entities that this import has created itself when the id is an element id. shared are the faults
// of ids of several entities that the user knows.
func (lf *lineFinder) findNotCreated(
	ctx context.Context, k graph.Kind, ids []neo4jentity.SoughtID, known neo4jentity.Knows,
) (found map[string]*neo4jentity.Record, shared map[string]error, err error) {
	found, several, err := lf.reads.FindByIDs(ctx, k, ids)
	if err != nil {
		return nil, nil, err
	}
	for id, e := range found {
		if neo4jentity.IsElementID(k, id) && e.ElementID == id && lf.earlier.created[k].has(id) {
			delete(found, id)
		}
	}
	shared, err = lf.reads.FindEachKnown(ctx, k, several, known, found)
	return found, shared, err
}

// existsForUser says for entities, by element id, whether they exist for the user of an import: they are visible, or may be edited.
func (lf *lineFinder) existsForUser(ctx context.Context, k graph.Kind, found map[string]*neo4jentity.Record) (map[string]bool, error) {
	v := rules.ViewOf(ctx)
	exists := map[string]bool{}
	var elementIDs []string
	for _, e := range found {
		if !exists[e.ElementID] {
			exists[e.ElementID] = true
			elementIDs = append(elementIDs, e.ElementID)
		}
	}
	if lf.on == graph.OnConflictError || v.AllowsAll(rules.Read) || lf.on == graph.OnConflictMerge && v.AllowsAll(rules.Edit) {
		return exists, nil
	}
	clear(exists)
	return exists, lf.forEachContent(ctx, k, elementIDs, func(e *neo4jentity.Record, now neo4jview.Content) {
		exists[e.ElementID] = lf.existsAs(v, k, e.Names, now)
	})
}

// existsAs is existsForUser for one entity by its content.
func (lf *lineFinder) existsAs(v *rules.View, k graph.Kind, names []string, now neo4jview.Content) bool {
	if lf.on == graph.OnConflictMerge {
		return neo4jview.IsKnown(v, rules.Edit, k, names, now)
	}
	return now.Visible
}

// forEachContent reads of entities, by element id, only what decides whether the user sees them and may change them, since they may be
// large, and passes each with what the user sees of it.
func (lf *lineFinder) forEachContent(
	ctx context.Context, k graph.Kind, elementIDs []string, use func(*neo4jentity.Record, neo4jview.Content),
) error {
	if len(elementIDs) == 0 {
		return nil
	}
	m, err := lf.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	ends, keys := neo4jentity.EndsForView(ctx, k, len(elementIDs)), neo4jview.ConditionKeys(rules.ViewOf(ctx), k, rules.Read, rules.Edit)
	return lf.reads.Elements.ForEachReferred(ctx, k, elementIDs, ends, keys, func(e *neo4jentity.Record) error {
		now, err := lf.reads.ReadContent(ctx, m, k, e)
		if err == nil {
			use(e, now)
		}
		return err
	})
}
