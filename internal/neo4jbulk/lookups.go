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

// findExisting looks up which of the lines' ids exist already.
func (lf *lineFinder) findExisting(ctx context.Context, k graph.Kind, all []*importLine) (map[string]*neo4jentity.Record, error) {
	var ids []neo4jentity.SoughtID
	for _, it := range all {
		if it.id != "" && it.isPending() {
			ids = append(ids, neo4jentity.SoughtID{ID: it.id, Likely: it.types})
		}
	}
	return lf.findNotCreated(ctx, k, ids)
}

// findNotCreated looks ids up, without the entities that this import has created itself when the id is an element id.
func (lf *lineFinder) findNotCreated(
	ctx context.Context, k graph.Kind, ids []neo4jentity.SoughtID,
) (map[string]*neo4jentity.Record, error) {
	found, err := lf.reads.FindByIDs(ctx, k, ids)
	for id, e := range found {
		if neo4jentity.IsElementID(k, id) && e.ElementID == id && lf.earlier.created[k].has(id) {
			delete(found, id)
		}
	}
	return found, err
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
		editable := lf.on == graph.OnConflictMerge && !neo4jview.IsOutOfView(v, rules.Edit, k, now.SeesEnds) &&
			neo4jview.RightsOf(v, rules.Edit, k, e.Names, now.Properties).Granted()
		exists[e.ElementID] = now.Visible || editable
	})
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
