package neo4jstore

import (
	"context"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// resolveEnds finds the ends of edges: among the nodes of earlier lines, or else in the database.
func (i *importer) resolveEnds(ctx context.Context, all []*importLine) error {
	var asked []string
	for _, it := range all {
		for n, end := range bulkEnds(it.line.Edge) {
			at, known := i.lookUpEnd(end, it.line.Number)
			it.ends[n] = at
			if !known && end.Ref == "" {
				asked = append(asked, end.ID)
			}
		}
	}
	found, err := i.findNotCreated(ctx, nodes, asked)
	if err != nil {
		return err
	}
	m, err := i.reads.catalog.Get(ctx)
	if err != nil {
		return err
	}
	for _, it := range all {
		for n, end := range bulkEnds(it.line.Edge) {
			if e := found[end.ID]; it.ends[n].elementID == "" && end.Ref == "" && e != nil {
				it.ends[n] = reference{elementID: e.elementID, own: m.ownID(nodes, e.names, e.properties[i.config.IDProperty])}
			}
		}
	}
	hidden, err := i.hideEnds(ctx, all)
	if err != nil {
		return err
	}
	for _, it := range all {
		var missing [2]bool
		for n, end := range it.ends {
			missing[n] = end.elementID == "" || hidden[end.elementID]
		}
		if missing[0] || missing[1] {
			it.fail(missingBulkEndsError(it.line.Edge, missing[0], missing[1]))
		}
	}
	return nil
}

func bulkEnds(e *graph.BulkEdge) [2]graph.BulkEnd { return [2]graph.BulkEnd{e.Source, e.Target} }

// lookUpEnd returns a node that an earlier line has created or found.
func (i *importer) lookUpEnd(end graph.BulkEnd, before int64) (reference, bool) {
	key := i.refs.idKey(end.ID)
	if end.Ref != "" {
		key = i.refs.refKey(end.Ref)
	}
	at, line, known := i.refs.get(key)
	if !known || line > before {
		return reference{}, false
	}
	return at, true
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
