package neo4jbatch

import (
	"context"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// Each operation of a batch is authorized as its single request is: creates by what they ask for, updates and deletes under the locks of
// their entities, in the state that the operations before have left.

// newEdgeEnds is what is known of the ends of a new edge, source and target, before the transaction.
type newEdgeEnds struct {
	missing, hidden [2]bool
	// changed are the last operations before that create or update the ends; their results decide whether the user sees the ends.
	changed [2]*operation
	deleted [2]bool // by operations before
}

// isLate reports whether the edge is checked in the transaction, because operations before concern its ends.
func (j newEdgeEnds) isLate() bool {
	return j.changed[0] != nil || j.changed[1] != nil || j.deleted[0] || j.deleted[1]
}

// authorizeCreates makes it the failure of a create that an end is missing, or is hidden and not changed by an earlier operation, or that
// no grant allows it.
func (pr batchPreparer) authorizeCreates(ctx context.Context) {
	changed, deleted := map[string]*operation{}, map[string]bool{}
	for _, o := range pr.all {
		switch o.Op {
		case graph.OpDeleteNode:
			deleted[o.identity()] = true
		case graph.OpCreateNode:
			changed[o.asDefinition()] = o
		case graph.OpUpdateNode:
			changed[o.identity()] = o
		case graph.OpCreateEdge:
			o.checkEnds(changed, deleted)
		}
		if o.Op.Creates() && o.failure == nil && !o.endStates.isLate() {
			o.failure = o.newEntity().Authorize(ctx)
		}
	}
}

// newEntity is the entity that an operation creates.
func (o *operation) newEntity() neo4jentity.EntityToCreate {
	n := neo4jentity.EntityToCreate{Kind: o.k, Names: []string{string(o.Type)}, Properties: o.Properties, Ends: o.endLabels}
	if o.k == graph.NodeKind {
		n.Names = o.AllLabels()
	}
	return n
}

func (o *operation) checkEnds(changed map[string]*operation, deleted map[string]bool) {
	j := &o.endStates
	for i := range o.ends {
		key := o.sourceAndTarget[i].ElementID
		if o.ends[i] != nil {
			key = o.ends[i].asDefinition()
		}
		j.changed[i], j.deleted[i] = changed[key], deleted[key]
		j.missing[i] = j.missing[i] || j.hidden[i] && j.changed[i] == nil
	}
	if o.failure == nil && (j.missing[0] || j.missing[1]) {
		o.failure = graph.NoSuchEnds(j.missing[0], j.missing[1])
	}
}

// authorizeEarly checks updates and deletes before names and types are added, so that an entity that the user does not see leaves as little
// behind as one that does not exist. It leaves out what earlier operations may change.
func (pr batchPreparer) authorizeEarly(ctx context.Context, m *neo4jentity.ManagedTypes) error {
	changed, nodesChanged := map[string]bool{}, false
	var checks errgroup.Group
	checks.SetLimit(neo4jentity.MaxParallelResolves)
	for _, o := range pr.all {
		if o.Op.Creates() {
			continue
		}
		id := o.identity()
		if o.failure == nil && o.definition == nil && needsContent(ctx, o) && !changed[id] && (o.k == graph.NodeKind || !nodesChanged) {
			checks.Go(func() error { return pr.authorizeByCurrentContent(ctx, m, o) })
		}
		changed[id], nodesChanged = true, nodesChanged || o.k == graph.NodeKind
	}
	return bolt.Translate(checks.Wait())
}

func (pr batchPreparer) authorizeByCurrentContent(ctx context.Context, m *neo4jentity.ManagedTypes, o *operation) error {
	e, err := pr.reads.Elements.Queues.Of(o.k).GetByElementID(ctx, o.at.ElementID, neo4jentity.EndNeedsOf(ctx, false))
	if err != nil || e == nil {
		return err // a missing one is found under its lock
	}
	now, err := pr.reads.ReadContent(ctx, m, o.k, e)
	if err != nil {
		return err
	}
	if o.Op.Deletes() {
		o.failure = neo4jview.CheckDelete(ctx, o.k, e.Names, now, 0)
	} else {
		o.failure = neo4jview.CheckEdit(ctx, o.k, e.Names, now, o.Properties)
	}
	return nil
}

// needsContent reports whether an update or delete is authorized by the content of its entity.
func needsContent(ctx context.Context, o *operation) bool {
	v := rules.ViewOf(ctx)
	if o.Op.Deletes() {
		return !v.AllowsAll(rules.Delete)
	}
	return !v.AllowsAll(rules.Edit) || o.k == graph.EdgeKind && len(neo4jview.EndKeys(ctx)) > 0 // the answer shows the edge only with its ends
}

// showResults removes from the results what the user may not see.
func (b *batchRun) showResults(ctx context.Context) {
	if b.seesAll {
		return
	}
	for i, o := range b.all {
		r := &b.results[i]
		switch {
		case r.Node != nil:
			n := neo4jview.ShowWrittenNode(ctx, *r.Node)
			r.Node = &n
		case r.Edge != nil:
			seesEnds := o.seesEnds
			if o.Op.Creates() {
				seesEnds = neo4jview.SeesNewEnds(ctx)
			}
			e := neo4jview.ShowWrittenEdge(ctx, *r.Edge, seesEnds)
			r.Edge = &e
		}
	}
}
