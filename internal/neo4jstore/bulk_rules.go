package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// Each line of an import is authorized as its single request is. An id that belongs to an entity which does not exist for the user is
// answered as one that is taken: with CONFLICT, after the line was checked as a create.

// existsForUser says for entities, by element id, whether they exist for the user of an import: they are visible, or may be edited.
func (i *importer) existsForUser(ctx context.Context, k kind, found map[string]*entityRecord) (map[string]bool, error) {
	v := rules.ViewOf(ctx)
	exists := map[string]bool{}
	var elementIDs []string
	for _, e := range found {
		if !exists[e.elementID] {
			exists[e.elementID] = true
			elementIDs = append(elementIDs, e.elementID)
		}
	}
	if i.on == graph.OnConflictError || v.AllowsAll(rules.Read) || i.on == graph.OnConflictMerge && v.AllowsAll(rules.Edit) {
		return exists, nil
	}
	clear(exists)
	return exists, i.forEachContent(ctx, k, elementIDs, func(e *entityRecord, now neo4jview.Content) {
		editable := i.on == graph.OnConflictMerge && !neo4jview.IsOutOfView(v, rules.Edit, k, now.SeesEnds) &&
			neo4jview.RightsOf(v, rules.Edit, k, e.names, now.Properties).Granted()
		exists[e.elementID] = now.Visible || editable
	})
}

// forEachContent reads entities by element id, one record at a time, with what the user sees of them.
func (i *importer) forEachContent(ctx context.Context, k kind, elementIDs []string, use func(*entityRecord, neo4jview.Content)) error {
	if len(elementIDs) == 0 {
		return nil
	}
	m, err := i.reads.catalog.Get(ctx)
	if err != nil {
		return err
	}
	ends := endsForView(ctx, k, len(elementIDs))
	text, params := i.texts.elementsText(k, ends), ends.addParams(elementParams(elementIDs, rowsPerPart))
	return i.elements.forEachRow(ctx, text, params, func(t bolt.Tuple) error {
		e := elementWithEnds(k, t)
		now, err := i.reads.readContent(ctx, m, k, e)
		if err == nil {
			use(e, now)
		}
		return err
	})
}

// authorizeCreates fails the lines that would create an entity which no grant of the user allows.
func (i *importer) authorizeCreates(ctx context.Context, k kind, all []*importLine, isNew func(*importLine) bool) {
	if rules.ViewOf(ctx).AllowsAll(rules.Create) {
		return
	}
	for _, it := range all {
		if !it.isPending() || !isNew(it) {
			continue
		}
		err := neo4jview.CheckCreate(ctx, k, it.types, it.properties)
		if err == nil && k == nodes {
			err = neo4jview.ValidateNewNode(ctx, i.types, it.types, it.properties)
		}
		if err != nil {
			it.fail(err)
		}
	}
}

// hideEnds returns the element ids of the ends of new edges that the user must see and does not see.
func (i *importer) hideEnds(ctx context.Context, all []*importLine) (map[string]bool, error) {
	if !neo4jview.RequiresVisibleNewEnds(ctx) {
		return nil, nil
	}
	hidden := map[string]bool{}
	var elementIDs []string
	for _, it := range all {
		for _, end := range it.ends {
			_, known := hidden[end.elementID]
			seen, isAssumed := i.isAssumed(end.elementID)
			if end.elementID == "" || known {
				continue
			}
			hidden[end.elementID] = !seen
			if !isAssumed {
				elementIDs = append(elementIDs, end.elementID)
			}
		}
	}
	return hidden, i.forEachContent(ctx, nodes, elementIDs,
		func(e *entityRecord, now neo4jview.Content) { hidden[e.elementID] = !now.Visible })
}

// mergesPerTransaction is how many entities are locked and checked in one transaction, whose contents are in memory together.
const mergesPerTransaction = 64

// mergeAuthorized sets the properties of some lines on entities that are checked under their locks. If a line fails in the database, each
// line has a separate transaction.
func (i *importer) mergeAuthorized(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) []rowResult {
	var results []rowResult
	for some := range slices.Chunk(all, mergesPerTransaction) {
		got, err := i.mergeTogether(ctx, k, some, held)
		if err != nil {
			for n, it := range some {
				got[n] = i.mergeValidated(ctx, k, it, held[it.id])
			}
		}
		results = append(results, got...)
	}
	return results
}

func (i *importer) mergeTogether(
	ctx context.Context, k kind, some []*importLine, held map[string]*entityRecord,
) (results []rowResult, err error) {
	m, err := i.reads.catalog.Get(ctx)
	if err != nil {
		return failRows(len(some), err), err
	}
	elementIDs := make([]string, len(some))
	for n, it := range some {
		elementIDs[n] = held[it.id].elementID
	}
	err = i.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		results = make([]rowResult, len(some))
		text, params := i.texts.lockStatement(ctx, k, elementIDs)
		locked, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
		if err != nil {
			return err
		}
		var rows bolt.BatchRows
		var merged []int
		for _, t := range locked {
			n := int(t.Integer(rowColumn))
			at := i.referenceOf(k, some[n], held[some[n].id])
			found, err := i.authorizeMerge(ctx, m, k, at, some[n], elementWithEnds(k, t))
			switch {
			case err != nil && !isRowError(err):
				return err
			case err != nil:
				results[n].err = err
			case found:
				rows, merged = append(rows, i.changes.updateRow(update{at, some[n].properties, authorFrom(ctx)})), append(merged, n)
			}
		}
		return i.updateMerged(ctx, tx, k, rows, func(row int, t bolt.Tuple) { results[merged[row]].tuple = t })
	})
	return results, err
}

// authorizeMerge checks the change of a line to an entity that is locked; found is false if it is not the one that the line names any more.
func (i *importer) authorizeMerge(
	ctx context.Context, m *managedTypes, k kind, at reference, it *importLine, e *entityRecord,
) (found bool, err error) {
	if at.own != "" && m.ownID(k, e.names, e.properties[i.config.IDProperty]) != at.own {
		return false, nil
	}
	managed := slices.ContainsFunc(e.names, m.of(k).has)
	now, err := i.reads.readContent(ctx, m, k, e)
	if err != nil {
		return false, err
	}
	if err := neo4jview.CheckEdit(ctx, k, e.names, now, it.properties); err != nil {
		return false, err
	}
	if err := i.updates.checkChange(graph.Change{Properties: it.properties}, at, managed, now); err != nil {
		return false, err
	}
	ends := declared.Ends{Source: bolt.AsTexts(e.source.labels), Target: bolt.AsTexts(e.target.labels)}
	after := graph.ApplyChange(now.Properties, it.properties)
	err = neo4jview.ValidateChange(ctx, i.types, k, e.names, now.Properties, after, ends)
	return true, neo4jview.HideDetails(ctx, err, k, e.names, after, it.properties)
}

// updateMerged writes the changes of checked lines.
func (i *importer) updateMerged(ctx context.Context, tx *bolt.Transaction, k kind, rows bolt.BatchRows, use func(int, bolt.Tuple)) error {
	if len(rows) == 0 {
		return nil
	}
	params, err := i.changes.batchParams(ctx, batchChange{action: audit.Update, kind: k, named: len(rows), checked: []string{}})
	if err != nil {
		return err
	}
	tuples, err := bolt.CollectTuples(tx.RunStatement(ctx, i.texts.textOf(statementsOf[k].update), withRows(params, rows)))
	for _, t := range tuples {
		use(int(t.Integer(rowColumn)), t)
	}
	return err
}

// firstAssumed is greater than the number of any node in a database.
const firstAssumed = 1 << 62

// isAssumed reports whether an element id is that of a node which the import would have created, and whether the user would see it.
func (i *importer) isAssumed(elementID string) (seen, isAssumed bool) {
	number, err := keyset.NumberOf(elementID)
	if err != nil || number < firstAssumed {
		return false, false
	}
	return i.assumed[number-firstAssumed], true
}

// assumeCreated treats lines as if they had created their entities.
func (i *importer) assumeCreated(ctx context.Context, k kind, all []*importLine) {
	for _, it := range all {
		it.result.Done = graph.BulkCreated
		if k == nodes {
			at := reference{elementID: cmp.Or(i.refs.prefix, "4:assumed:") + strconv.FormatUint(uint64(firstAssumed+len(i.assumed)), 10)}
			i.assumed = append(i.assumed, neo4jview.RightsOf(rules.ViewOf(ctx), rules.Read, k, it.types, graph.Stored(it.properties)).Granted())
			i.rememberNode(it, at)
		}
	}
}

// checkMerges checks lines that would change entities.
func (i *importer) checkMerges(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) error {
	lines, elementIDs := map[string]*importLine{}, make([]string, len(all))
	for n, it := range all {
		it.result.Done = graph.BulkUpdated
		elementIDs[n] = held[it.id].elementID
		lines[elementIDs[n]] = it
	}
	if rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return nil
	}
	return i.forEachContent(ctx, k, elementIDs, func(e *entityRecord, now neo4jview.Content) {
		it := lines[e.elementID]
		if err := neo4jview.CheckEdit(ctx, k, e.names, now, it.properties); err != nil {
			it.result.Done = 0
			it.fail(err)
		}
	})
}

// idTaken is the fault of a line whose id belongs to an entity.
func idTaken(k kind) error {
	return fault.New(fault.Conflict, "This id exists already", fault.Detail{Field: "id", Message: "belongs to " + kindWithArticle(k)})
}

// endLabels reads the labels of the ends of new edges, by element id, if a declaration restricts them.
func (i *importer) endLabels(ctx context.Context, k kind, all []*importLine) (map[string][]string, error) {
	labels := map[string][]string{}
	if k == nodes {
		return labels, nil
	}
	var asked []string
	for _, it := range all {
		if it.isPending() && i.types.NeedsEnds(it.types[0]) {
			for _, end := range it.ends {
				if _, known := labels[end.elementID]; !known {
					labels[end.elementID] = nil
					asked = append(asked, end.elementID)
				}
			}
		}
	}
	if len(asked) == 0 {
		return labels, nil
	}
	err := i.elements.forEachReference(ctx, nodes, cypher.NodesByElement.Text(nil), elementParams(asked, rowsPerPart),
		func(_ int64, e *entityRecord) {
			labels[e.elementID] = e.names
		})
	return labels, err
}

// validateNew validates a line for a new entity against its declaration.
func (i *importer) validateNew(ctx context.Context, k kind, it *importLine, ends map[string][]string) error {
	if k == nodes {
		return neo4jview.ValidateNewNode(ctx, i.types, it.types, it.properties)
	}
	labels := declared.Ends{Source: ends[it.ends[0].elementID], Target: ends[it.ends[1].elementID]}
	return i.types.ValidateNewEdge(it.types[0], it.properties, labels)
}
