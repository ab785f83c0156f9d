package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// lineFinder finds the entities that the lines of an import name.
type lineFinder struct{ *importCore }

// findExisting looks up which of the lines' ids exist already.
func (lf *lineFinder) findExisting(ctx context.Context, k kind, all []*importLine) (map[string]*entityRecord, error) {
	var ids []soughtID
	for _, it := range all {
		if it.id != "" && it.isPending() {
			ids = append(ids, soughtID{it.id, it.types})
		}
	}
	return lf.findNotCreated(ctx, k, ids)
}

// findNotCreated looks ids up, without the entities that this import has created itself when the id is an element id.
func (lf *lineFinder) findNotCreated(ctx context.Context, k kind, ids []soughtID) (map[string]*entityRecord, error) {
	found, err := lf.reads.findByIDs(ctx, k, ids)
	for id, e := range found {
		if isElementID(k, id) && e.elementID == id && lf.earlier.created[k].has(id) {
			delete(found, id)
		}
	}
	return found, err
}

// existsForUser says for entities, by element id, whether they exist for the user of an import: they are visible, or may be edited.
func (lf *lineFinder) existsForUser(ctx context.Context, k kind, found map[string]*entityRecord) (map[string]bool, error) {
	v := rules.ViewOf(ctx)
	exists := map[string]bool{}
	var elementIDs []string
	for _, e := range found {
		if !exists[e.elementID] {
			exists[e.elementID] = true
			elementIDs = append(elementIDs, e.elementID)
		}
	}
	if lf.on == graph.OnConflictError || v.AllowsAll(rules.Read) || lf.on == graph.OnConflictMerge && v.AllowsAll(rules.Edit) {
		return exists, nil
	}
	clear(exists)
	return exists, lf.forEachContent(ctx, k, elementIDs, func(e *entityRecord, now neo4jview.Content) {
		editable := lf.on == graph.OnConflictMerge && !neo4jview.IsOutOfView(v, rules.Edit, k, now.SeesEnds) &&
			neo4jview.RightsOf(v, rules.Edit, k, e.names, now.Properties).Granted()
		exists[e.elementID] = now.Visible || editable
	})
}

// forEachContent reads entities by element id, one record at a time, with what the user sees of them.
func (lf *lineFinder) forEachContent(ctx context.Context, k kind, elementIDs []string, use func(*entityRecord, neo4jview.Content)) error {
	if len(elementIDs) == 0 {
		return nil
	}
	m, err := lf.reads.catalog.Get(ctx)
	if err != nil {
		return err
	}
	ends := endsForView(ctx, k, len(elementIDs))
	text, params := lf.texts.elementsText(k, ends), ends.addParams(elementParams(elementIDs, rowsPerPart))
	return lf.reads.elements.forEachRow(ctx, text, params, func(t bolt.Tuple) error {
		e := elementWithEnds(k, t)
		now, err := lf.reads.readContent(ctx, m, k, e)
		if err == nil {
			use(e, now)
		}
		return err
	})
}
