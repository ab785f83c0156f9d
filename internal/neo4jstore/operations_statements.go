package neo4jstore

import (
	"context"
	"math"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

func (t batchTransaction) createNodes(ctx context.Context, group []*operation) error {
	rows := make(bolt.BatchRows, len(group))
	for i, o := range group {
		o.created.by = t.by
		rows[i] = t.changes.createAnyRow(nodes, o.created, o.labels())
	}
	params, err := t.changes.batchParams(ctx, batchChange{action: audit.Create, kind: nodes})
	if err != nil {
		return err
	}
	found, err := t.runRows(ctx, group, t.texts.textOf(statementsOf[nodes].createAny), withRows(params, rows))
	if err != nil {
		return err
	}
	for i, o := range group {
		o.at = reference{elementID: decodeCreated(nodes, found[i]).elementID, own: o.created.id}
		labels := o.labels()
		t.setResult(o, o.at.id(), func(r *graph.OperationResult) {
			typ := t.reads.types.CurrentTypes().NodeType(labels)
			r.Node = &graph.Node{ID: r.ID, Type: typ, Labels: labels, Properties: graph.Stored(o.Properties)}
		})
	}
	return nil
}

func (t batchTransaction) setResult(o *operation, id string, set func(r *graph.OperationResult)) {
	r := &t.results[o.index]
	r.ID = id
	set(r)
}

func (t batchTransaction) createEdges(ctx context.Context, group []*operation) error {
	group, failure := t.checkNewEdges(ctx, group)
	if len(group) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(group))
	for i, o := range group {
		o.created.source, o.created.target, o.created.by = o.end(0), o.end(1), t.by
		rows[i] = t.changes.createAnyRow(edges, o.created, nil)
	}
	params, err := t.changes.batchParams(ctx, batchChange{action: audit.Create, kind: edges})
	if err != nil {
		return err
	}
	found, err := t.runRows(ctx, group, t.texts.textOf(statementsOf[edges].createAny), withRows(params, rows))
	if err != nil {
		return err
	}
	for i, o := range group {
		row := decodeCreated(edges, found[i])
		if row.elementID == "" {
			return &missingError{o.index, missingEnds(!row.source, !row.target)}
		}
		o.at = reference{elementID: row.elementID, own: o.created.id}
		t.setResult(o, o.at.id(), func(r *graph.OperationResult) {
			r.Edge = &graph.Edge{
				ID: r.ID, Type: string(o.Type), SourceID: o.end(0).id(), TargetID: o.end(1).id(), Properties: graph.Stored(o.Properties),
			}
		})
	}
	return failure
}

func (t batchTransaction) updateEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	isChecked := func(o *operation) bool { return t.writes.dependsOnContent(o.change()) || needsContent(ctx, o) }
	if len(t.types.CheckedOnChange(k)) > 0 {
		isChecked = func(*operation) bool { return true }
	}
	valid, failure := t.checkContents(ctx, group, isChecked)
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = t.changes.updateRow(update{o.entity(), o.Properties, t.by})
	}
	// checkContents has validated those that must be.
	params, err := t.changes.batchParams(ctx, batchChange{action: audit.Update, kind: k, checked: []string{}})
	if err != nil {
		return err
	}
	found, err := t.runRows(ctx, valid, t.texts.textOf(statementsOf[k].update), withRows(params, rows))
	if err != nil {
		return err
	}
	for i, o := range valid {
		if found[i] == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		if err := t.takeBytes(ctx, bolt.SizeOfRow(found[i])); err != nil {
			return err
		}
		e := elementOf(k, found[i])
		if k == edges && len(neo4jview.EndKeys(ctx)) == 0 {
			o.seesEnds, err = t.reads.seesEnds(ctx, t.m, e) // by the labels of the ends
			if err != nil {
				return err
			}
		}
		if err := t.setUpdated(ctx, o, e); err != nil {
			return err
		}
	}
	return failure
}

func (t batchTransaction) setUpdated(ctx context.Context, o *operation, e *entityRecord) error {
	if o.k == edges {
		edge, err := t.reads.edge(ctx, t.m, e)
		t.setResult(o, edge.ID, func(r *graph.OperationResult) { r.Edge = &edge })
		return err
	}
	node, err := t.reads.node(ctx, t.m, e)
	t.setResult(o, node.ID, func(r *graph.OperationResult) { r.Node = &node })
	return err
}

// change is the change of an update or delete, as of a single request.
func (o *operation) change() graph.Change {
	return graph.Change{Properties: o.Properties, If: o.If, Unchanged: o.Unchanged}
}

// checkContents reads the entities of some operations under their locks, and checks what depends on their content. It returns the
// operations before the first that fails, and its failure: an earlier one may fail in the statement that follows.
func (t batchTransaction) checkContents(ctx context.Context, group []*operation, isChecked func(*operation) bool) ([]*operation, error) {
	var checked []*operation
	var elements []string
	for _, o := range group {
		if isChecked(o) {
			checked, elements = append(checked, o), append(elements, o.entity().elementID)
		}
	}
	if len(checked) == 0 {
		return group, nil
	}
	text, params := t.texts.lockStatement(ctx, group[0].k, elements)
	found, err := t.runRows(ctx, checked, text, params)
	if err != nil {
		return nil, err
	}
	var refused map[int]int64
	if group[0].Op == graph.OpDeleteNode {
		if refused, err = refusedEdges(ctx, t.tx, elements); err != nil {
			return nil, err
		}
	}
	for i, o := range checked {
		if err := t.checkContent(ctx, o, found[i], refused[i]); err != nil {
			return group[:slices.Index(group, o)], err
		}
	}
	return group, nil
}

// checkContent checks an update or a delete against its entity, which is locked. refused is the result of refusedEdges.
func (t batchTransaction) checkContent(ctx context.Context, o *operation, row bolt.Tuple, refused int64) error {
	if row == nil {
		return &missingError{o.index, graph.NoSuchEntity(o.k)}
	}
	e, at := elementWithEnds(o.k, row), o.entity()
	if t.m.ownID(o.k, e.names, e.properties[t.config.IDProperty]) != at.own {
		return &missingError{o.index, graph.NoSuchEntity(o.k)}
	}
	if err := t.takeBytes(ctx, bolt.SizeOfRow(row)); err != nil {
		return err
	}
	managed := slices.ContainsFunc(e.names, t.m.of(o.k).has)
	now, err := t.reads.readContent(ctx, t.m, o.k, e)
	if err != nil {
		return err
	}
	o.seesEnds = now.SeesEnds
	if err := t.checkRules(ctx, o, e, now, refused); err != nil {
		return err
	}
	if err := t.writes.checkChange(o.change(), at, managed, now); err != nil {
		return t.operationFault(o.index, err)
	}
	if isDelete(o.Op) {
		return nil
	}
	ends := declared.Ends{Source: bolt.AsTexts(e.source.labels), Target: bolt.AsTexts(e.target.labels)}
	after := graph.ApplyChange(now.Properties, o.Properties)
	if err := neo4jview.ValidateChange(ctx, t.types, o.k, e.names, now.Properties, after, ends); err != nil {
		return t.operationFault(o.index, neo4jview.HideDetails(ctx, err, o.k, e.names, after, o.Properties))
	}
	return nil
}

func (t batchTransaction) deleteEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	valid, failure := t.checkContents(ctx, group, func(o *operation) bool { return o.If.Present() || needsContent(ctx, o) })
	if k == nodes && len(valid) > 0 {
		var over error
		if valid, over = t.checkDegrees(ctx, valid); over != nil {
			failure = over
		}
	}
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = t.changes.deleteRow(remove{at: o.entity(), maxEdges: t.writes.maxEdgesOf(o.removal()), large: math.MaxInt64, by: t.by})
	}
	params, err := t.changes.batchParams(ctx, batchChange{action: audit.Delete, kind: k})
	if err != nil {
		return err
	}
	found, err := t.runRows(ctx, valid, t.texts.textOf(statementsOf[k].remove), withRows(params, rows))
	if err != nil {
		return err
	}
	for i, o := range valid {
		row := decodeDeleted(found[i])
		if row == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		if !row.deleted {
			return t.operationFault(o.index, hasEdgesError(o.removal()))
		}
		t.setResult(o, o.entity().id(), func(r *graph.OperationResult) { r.DeletedEdges = row.edges })
	}
	return failure
}

func (o *operation) removal() graph.Removal { return graph.Removal{If: o.If, Detach: o.Detach} }

// checkDegrees bounds the edges that the batch deletes together with nodes, since all are in one transaction. Like checkContents it
// returns the operations before the first that fails.
func (t batchTransaction) checkDegrees(ctx context.Context, group []*operation) ([]*operation, error) {
	elements := make([]string, len(group))
	for i, o := range group {
		elements[i] = o.entity().elementID
	}
	found, err := t.runRows(ctx, group, cypher.NodeDegrees.Text(nil), map[string]any{"elements": elements})
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, r := range t.results {
		total += r.DeletedEdges
	}
	for i, o := range group {
		if found[i] == nil {
			continue // deleting it will fail
		}
		if total += found[i].Integer(degreeColumn); total > graph.MaxBatchEdges {
			return group[:i], t.operationFault(o.index, tooManyBatchEdges())
		}
	}
	return group, nil
}

func tooManyBatchEdges() error {
	return fault.New(fault.Conflict, "The batch would delete too many edges together with nodes", fault.Detail{
		Field: "id",
		Message: "one batch may delete " + strconv.Itoa(graph.MaxBatchEdges) +
			" edges together with nodes; delete the node in a separate request",
	})
}
