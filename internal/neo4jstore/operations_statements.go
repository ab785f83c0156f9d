package neo4jstore

import (
	"context"
	"math"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// operationWriter applies the operations of a batch in one attempt of its transaction.
type operationWriter struct {
	tx       groupTransaction
	config   *Config
	runner   *rowRunner
	records  *recordDecoder
	contents *contentReader
	updates  *entityUpdater
	deletes  *entityDeleter
	checks   *operationChecker
	grouper  *operationGrouper
	by       author
	m        *managedTypes
	types    *declared.Types
	all      operationList
	results  []graph.OperationResult // of this attempt
	bytes    *attemptBytes
}

func (b *batchRun) newOperationWriter(tx groupTransaction) *operationWriter {
	return &operationWriter{
		tx: tx, config: b.config, runner: b.runner, records: b.reads.recordDecoder, contents: b.reads.contentReader,
		updates: b.writes.entityUpdater, deletes: b.writes.entityDeleter, grouper: b.grouper, by: b.by,
		m: b.m, types: b.types, all: b.all, results: b.results, bytes: &b.bytes,
		checks: &operationChecker{
			tx: tx, judged: b.writes.judged, m: b.m, types: b.types, all: b.all, set: b.set, results: b.results, bytes: &b.bytes,
		},
	}
}

func (ow *operationWriter) createNodes(ctx context.Context, group []*operation) error {
	rows := make(bolt.BatchRows, len(group))
	for i, o := range group {
		o.created.by = ow.by
		rows[i] = ow.runner.createAnyRow(nodes, o.created, o.AllLabels())
	}
	found, err := ow.runner.runIn(ctx, ow.tx.Transaction, createOf(nodes, rows))
	if err != nil {
		return err
	}
	for i, o := range group {
		o.at = reference{elementID: decodeCreated(nodes, found[i]).elementID, own: o.created.id}
		labels := o.AllLabels()
		ow.setResult(o, o.at.id(), func(r *graph.OperationResult) {
			typ := ow.records.types.CurrentTypes().NodeType(labels)
			r.Node = &graph.Node{ID: r.ID, Type: typ, Labels: labels, Properties: graph.Stored(o.Properties)}
		})
	}
	return nil
}

func (ow *operationWriter) setResult(o *operation, id string, set func(r *graph.OperationResult)) {
	r := &ow.results[o.index]
	r.ID = id
	set(r)
}

func (ow *operationWriter) createEdges(ctx context.Context, group []*operation) error {
	group, failure := ow.checks.checkNewEdges(ctx, group)
	if len(group) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(group))
	for i, o := range group {
		o.created.source, o.created.target, o.created.by = o.end(0), o.end(1), ow.by
		rows[i] = ow.runner.createAnyRow(edges, o.created, nil)
	}
	found, err := ow.runner.runIn(ctx, ow.tx.Transaction, createOf(edges, rows))
	if err != nil {
		return err
	}
	for i, o := range group {
		row := decodeCreated(edges, found[i])
		if row.elementID == "" {
			return &missingError{o.index, graph.NoSuchEnds(!row.source, !row.target)}
		}
		o.at = reference{elementID: row.elementID, own: o.created.id}
		ow.setResult(o, o.at.id(), func(r *graph.OperationResult) {
			r.Edge = &graph.Edge{
				ID: r.ID, Type: string(o.Type), SourceID: o.end(0).id(), TargetID: o.end(1).id(), Properties: graph.Stored(o.Properties),
			}
		})
	}
	return failure
}

func (ow *operationWriter) updateEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	isChecked := func(o *operation) bool { return ow.updates.dependsOnContent(o.change()) || needsContent(ctx, o) }
	if len(ow.types.CheckedOnChange(k)) > 0 {
		isChecked = func(*operation) bool { return true }
	}
	valid, failure := ow.checks.checkContents(ctx, group, isChecked)
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = ow.runner.updateRow(update{o.entity(), o.Properties, ow.by})
	}
	found, err := ow.runner.runIn(ctx, ow.tx.Transaction, updateOf(k, rows)) // checkContents has validated those that must be
	if err != nil {
		return err
	}
	for i, o := range valid {
		if found[i] == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		if err := ow.bytes.take(ctx, bolt.SizeOfRow(found[i])); err != nil {
			return err
		}
		e := elementOf(k, found[i])
		if k == edges && len(neo4jview.EndKeys(ctx)) == 0 {
			o.seesEnds, err = ow.contents.seesEnds(ctx, ow.m, e) // by the labels of the ends
			if err != nil {
				return err
			}
		}
		if err := ow.setUpdated(ctx, o, e); err != nil {
			return err
		}
	}
	return failure
}

func (ow *operationWriter) setUpdated(ctx context.Context, o *operation, e *entityRecord) error {
	if o.k == edges {
		edge, err := ow.records.edge(ctx, ow.m, e)
		ow.setResult(o, edge.ID, func(r *graph.OperationResult) { r.Edge = &edge })
		return err
	}
	node, err := ow.records.node(ctx, ow.m, e)
	ow.setResult(o, node.ID, func(r *graph.OperationResult) { r.Node = &node })
	return err
}

// change is the change of an update or delete, as of a single request.
func (o *operation) change() graph.Change {
	return graph.Change{Properties: o.Properties, If: o.If, Unchanged: o.Unchanged}
}

func (ow *operationWriter) deleteEntities(ctx context.Context, group []*operation) error {
	k := group[0].k
	valid, failure := ow.checks.checkContents(ctx, group, func(o *operation) bool { return o.If.Present() || needsContent(ctx, o) })
	if k == nodes && len(valid) > 0 {
		var over error
		if valid, over = ow.checks.checkDegrees(ctx, valid); over != nil {
			failure = over
		}
	}
	if len(valid) == 0 {
		return failure
	}
	rows := make(bolt.BatchRows, len(valid))
	for i, o := range valid {
		rows[i] = ow.runner.deleteRow(remove{at: o.entity(), maxEdges: ow.maxEdgesOf(o), large: math.MaxInt64, by: ow.by})
	}
	found, err := ow.runner.runIn(ctx, ow.tx.Transaction, deleteOf(k, rows))
	if err != nil {
		return err
	}
	for i, o := range valid {
		row := decodeDeleted(found[i])
		if row == nil {
			return &missingError{o.index, graph.NoSuchEntity(k)}
		}
		switch limit, isLimited := ow.deletes.maxEdgesOf(o.removal()).(int64); {
		case !row.deleted && (!isLimited || row.edges <= limit): // attached since the transaction has begun
			return ow.checks.set.fail(changeset.Conflict{Operation: o.index, ID: o.entity().id(), Message: changeset.Attached})
		case !row.deleted:
			return ow.all.operationFault(o.index, hasEdgesError(o.removal()))
		}
		ow.setResult(o, o.entity().id(), func(r *graph.OperationResult) { r.DeletedEdges = row.edges })
	}
	return failure
}

// maxEdgesOf is how many edges an operation may delete with its node; nil for any number.
func (ow *operationWriter) maxEdgesOf(o *operation) any {
	limit := ow.deletes.maxEdgesOf(o.removal())
	if ow.checks.set == nil || o.Op != graph.OpDeleteNode || ow.checks.set.Read.BaseOf(o.index).Edges == nil || o.definition != nil {
		return limit
	}
	if given, isLimited := limit.(int64); isLimited {
		return min(given, o.maxEdges)
	}
	return o.maxEdges
}

func (o *operation) removal() graph.Removal { return graph.Removal{If: o.If, Detach: o.Detach} }
