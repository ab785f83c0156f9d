package neo4jbulk

import (
	"context"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// bulkEndResolver finds the ends of the edges that an import writes.
type bulkEndResolver struct {
	*importCore
	lines *lineFinder
}

// resolveEnds finds the ends of edges: among the nodes of earlier lines, or else in the database.
func (be *bulkEndResolver) resolveEnds(ctx context.Context, all []*importLine) error {
	var asked []neo4jentity.SoughtID
	for _, it := range all {
		for n, end := range bulkEnds(it.line.Edge) {
			at, known := be.earlier.lookUpEnd(end, it.line.Number)
			it.ends[n] = at
			if !known && end.Ref == "" {
				asked = append(asked, neo4jentity.SoughtID{ID: end.ID})
			}
		}
	}
	var known neo4jentity.Knows
	if neo4jview.RequiresVisibleNewEnds(ctx) {
		known = neo4jentity.Sees
	}
	found, shared, err := be.lines.findNotCreated(ctx, graph.NodeKind, asked, known)
	if err != nil {
		return err
	}
	m, err := be.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	for _, it := range all {
		for n, end := range bulkEnds(it.line.Edge) {
			if e := found[end.ID]; it.ends[n].ElementID == "" && end.Ref == "" && e != nil {
				it.ends[n] = m.ReferenceOf(graph.NodeKind, e, be.config.IDProperty)
			}
		}
	}
	hidden, err := be.hideEnds(ctx, all)
	if err != nil {
		return err
	}
	for _, it := range all {
		var missing [2]bool
		for n, end := range it.ends {
			missing[n] = end.ElementID == "" || hidden[end.ElementID]
		}
		switch f := it.sharedEnd(shared); {
		case f != nil:
			it.fail(f)
		case missing[0] || missing[1]:
			it.fail(missingBulkEndsError(it.line.Edge, missing[0], missing[1]))
		}
	}
	return nil
}

// sharedEnd is the fault of an end that was looked up and is not one node.
func (it *importLine) sharedEnd(shared map[string]error) error {
	for n, end := range bulkEnds(it.line.Edge) {
		if f := shared[end.ID]; f != nil && it.ends[n].ElementID == "" && end.Ref == "" {
			return f
		}
	}
	return nil
}

func bulkEnds(e *graph.BulkEdge) [2]graph.BulkEnd { return [2]graph.BulkEnd{e.Source, e.Target} }

// hideEnds returns the element ids of the ends of new edges that the user must see and does not see.
func (be *bulkEndResolver) hideEnds(ctx context.Context, all []*importLine) (map[string]bool, error) {
	if !neo4jview.RequiresVisibleNewEnds(ctx) {
		return nil, nil
	}
	hidden := map[string]bool{}
	var elementIDs []string
	for _, it := range all {
		for _, end := range it.ends {
			_, known := hidden[end.ElementID]
			seen, isAssumed := be.earlier.isAssumed(end.ElementID)
			if end.ElementID == "" || known {
				continue
			}
			hidden[end.ElementID] = !seen
			if !isAssumed {
				elementIDs = append(elementIDs, end.ElementID)
			}
		}
	}
	return hidden, be.lines.forEachContent(ctx, graph.NodeKind, elementIDs,
		func(e *neo4jentity.Record, now neo4jview.Content) { hidden[e.ElementID] = !now.Visible })
}

// endLabels reads the labels of the ends of new edges, by element id, if a declaration restricts them.
func (be *bulkEndResolver) endLabels(ctx context.Context, k graph.Kind, all []*importLine) (map[string][]string, error) {
	var asked []string
	for _, it := range all {
		if k == graph.EdgeKind && it.isPending() && it.declared.NeedsEnds(it.types[0]) {
			asked = append(asked, it.ends[0].ElementID, it.ends[1].ElementID)
		}
	}
	return be.reads.Elements.LabelsOf(ctx, asked)
}

// missingBulkEndsError names the missing ends of a line.
func missingBulkEndsError(e *graph.BulkEdge, source, target bool) error {
	var faults []*fault.Error
	for n, missing := range [2]bool{source, target} {
		if !missing {
			continue
		}
		field := [2]string{"source", "target"}[n]
		if bulkEnds(e)[n].Ref != "" {
			faults = append(faults, fault.Invalid(field+"_ref", "no earlier line has created a node with this ref"))
		} else {
			faults = append(faults, fault.Invalid(field+"_id", "there is no such node"))
		}
	}
	return fault.Merge(faults...)
}
