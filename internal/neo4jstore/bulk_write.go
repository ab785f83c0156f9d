package neo4jstore

import (
	"context"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/rules"
)

// createLines creates the entities of some lines in one transaction, or in several if one of the lines is invalid.
func (i *importer) createLines(ctx context.Context, k kind, all []*importLine) error {
	if len(all) == 0 {
		return nil
	}
	text := i.texts.textOf(statementsOf[k].createAny)
	if k == edges {
		slices.SortStableFunc(all, func(a, b *importLine) int {
			return strings.Compare(a.ends[0].elementID+a.ends[1].elementID, b.ends[0].elementID+b.ends[1].elementID)
		})
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		row, err := i.row(ctx, k, it)
		if err != nil {
			return err
		}
		batch[n] = row
	}
	for n, a := range i.createWithRetry(ctx, k, text, all, batch) {
		it := all[n]
		switch {
		case a.err != nil && !isRowError(a.err):
			return a.err
		case a.err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.err, k, i.config.IDProperty, it.properties)))
		default:
			i.addCreated(k, it, decodeCreated(k, a.tuple))
		}
	}
	return nil
}

// addCreated records the result of a line that created an entity, or of an edge whose ends were not found.
func (i *importer) addCreated(k kind, it *importLine, row createdRow) {
	if row.elementID == "" {
		it.fail(missingBulkEndsError(it.line.Edge, !row.source, !row.target))
		return
	}
	it.result.Done = graph.BulkCreated
	i.created[k].add(row.elementID)
	if k == nodes {
		i.rememberNode(it, reference{elementID: row.elementID, own: it.own})
	}
}

// row is a line in the form that its statement takes, with the id that the entity will have.
func (i *importer) row(ctx context.Context, k kind, it *importLine) (map[string]any, error) {
	properties := make(map[string]any, len(it.properties)+1)
	for key, value := range it.properties {
		properties[key] = bolt.ToDriver(value)
	}
	if len(it.types) > 0 {
		it.own = it.id
		if it.id == "" || isElementID(k, it.id) {
			id, err := graph.NewID(graph.TypeName(it.types[0]))
			if err != nil {
				return nil, fault.Wrap(err, fault.Internal, "Internal error")
			}
			it.own = id
		}
		properties[i.config.IDProperty] = it.own
	}
	c := create{id: it.own, properties: properties, by: authorFrom(ctx)}
	if k == edges {
		c.typ, c.source, c.target = graph.TypeName(it.types[0]), it.ends[0], it.ends[1]
	}
	return i.changes.createAnyRow(k, c, it.types), nil
}

// createWithRetry runs a batch of creates. After a lost connection it looks up the batch's ids: because the batch is one transaction,
// either all or none exist. While the database is unreachable it retries, as bolt.ThroughOutage says.
func (i *importer) createWithRetry(ctx context.Context, k kind, text cypher.Text, all []*importLine, batch bolt.BatchRows) []rowResult {
	for retries := bolt.ThroughOutage.Begin(); ; {
		params, err := i.changes.batchParams(ctx, batchChange{action: audit.Create, kind: k, named: neo4jaudit.MaxNamedCreates})
		if err != nil {
			return failRows(len(batch), err)
		}
		answers := i.runner.runBatch(ctx, batchStatement{text: text}, batch, params)
		lost := slices.IndexFunc(answers, func(a rowResult) bool {
			return bolt.IsOutcomeUnknown(a.err) || fault.CodeOf(bolt.Translate(a.err)) == fault.DatabaseUnavailable
		})
		if lost < 0 || anyCreated(answers) || !retries.Again(ctx) {
			return answers
		}
		if bolt.IsOutcomeUnknown(answers[lost].err) && (!i.recoverOutcome(ctx, k, all, answers, retries) || anyCreated(answers)) {
			return answers
		}
	}
}

// failRows is the result of a batch whose rows all failed.
func failRows(n int, err error) []rowResult {
	out := make([]rowResult, n)
	for i := range out {
		out[i].err = err
	}
	return out
}

func anyCreated(answers []rowResult) bool {
	return slices.ContainsFunc(answers, func(a rowResult) bool { return a.tuple != nil })
}

// recoverOutcome looks up what a batch with an unknown outcome has created. It reports whether the outcome could be determined.
func (i *importer) recoverOutcome(ctx context.Context, k kind, all []*importLine, answers []rowResult, retries *bolt.Retries) bool {
	ids := make([]string, 0, len(all))
	for _, it := range all {
		if it.own == "" {
			return false // a node without a type cannot be looked up
		}
		ids = append(ids, it.own)
	}
	for {
		found, err := i.reads.findByIDs(ctx, k, ids)
		if err == nil {
			for n, it := range all {
				if e := found[it.own]; e != nil {
					answers[n] = rowResult{tuple: encodeCreated(k, n, e.elementID)}
				}
			}
			return true
		}
		if !retries.Again(ctx) {
			return false
		}
	}
}

// mergeLines sets the properties of lines whose ids exist already.
func (i *importer) mergeLines(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *importLine) int { return strings.Compare(held[a.id].elementID, held[b.id].elementID) })
	answers, err := i.runMerges(ctx, k, all, held)
	if err != nil {
		return err
	}
	for n, a := range answers {
		switch it := all[n]; {
		case a.err != nil && !isRowError(a.err):
			return a.err
		case a.err != nil:
			it.fail(bolt.Translate(bolt.AttributeError(a.err, k, i.config.IDProperty, it.properties)))
		case a.tuple == nil:
			it.fail(fault.New(fault.Conflict, "Another request deleted or changed this entity at the same time; try again"))
		default:
			it.result.Done = graph.BulkUpdated
		}
	}
	return nil
}

// runMerges runs the updates of lines, and those again that must be validated first.
func (i *importer) runMerges(ctx context.Context, k kind, all []*importLine, held map[string]*entityRecord) ([]rowResult, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Edit) {
		return i.mergeAuthorized(ctx, k, all, held), nil
	}
	batch := make(bolt.BatchRows, len(all))
	for n, it := range all {
		at := i.referenceOf(k, it, held[it.id])
		batch[n] = i.changes.updateRow(update{at, it.properties, authorFrom(ctx)})
	}
	params, err := i.changes.batchParams(ctx, batchChange{action: audit.Update, kind: k, named: len(all), checked: i.types.CheckedOnChange(k)})
	if err != nil {
		return nil, err
	}
	// Of the results, which are complete entities, none is needed.
	answers := i.runner.runBatch(ctx, batchStatement{text: i.texts.textOf(statementsOf[k].update), maxBytes: 1}, batch, params)
	for n, a := range answers {
		if a.err == nil && a.tuple != nil && needsValidation(a.tuple) {
			answers[n] = i.mergeValidated(ctx, k, all[n], held[all[n].id])
		}
	}
	return answers, nil
}

// mergeValidated sets the properties of one line on an entity that must be validated first.
func (i *importer) mergeValidated(ctx context.Context, k kind, it *importLine, at *entityRecord) rowResult {
	m, err := i.reads.catalog.Get(ctx)
	if err != nil {
		return rowResult{err: err}
	}
	e, err := i.updates.validatedUpdate(ctx, m, i.types, k, i.referenceOf(k, it, at), graph.Change{Properties: it.properties})
	if e == nil {
		return rowResult{err: err}
	}
	return rowResult{tuple: bolt.Tuple{}, err: err}
}

// rejectDeletedIDs rejects lines that would give a new entity the id of a deleted one: references to the id mean the deleted entity.
func (i *importer) rejectDeletedIDs(ctx context.Context, k kind, all []*importLine, existing map[string]*entityRecord) error {
	byKey := map[string]*importLine{}
	var keys []string
	for _, it := range all {
		if it.line.UnusedID && it.isPending() && it.id != "" && existing[it.id] == nil && !isElementID(k, it.id) {
			key := entityKey(k, it.id)
			byKey[key], keys = it, append(keys, key)
		}
	}
	if len(keys) == 0 || !i.config.Journal {
		return nil
	}
	found, err := i.client.Read(ctx, cypher.JournalDeleted.Text(nil), map[string]any{"entities": keys})
	if err != nil || len(found) == 0 {
		return err
	}
	for _, key := range bolt.AsTexts(bolt.Column[[]any](found[0], "deleted")) {
		byKey[key].fail(fault.New(fault.Conflict, "This id belonged to a deleted entity",
			fault.Detail{Field: "id", Message: "leave it out for a new id; to use it again needs the permission edit"}))
	}
	return nil
}
