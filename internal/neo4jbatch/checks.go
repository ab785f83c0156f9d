package neo4jbatch

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

// checkNewEdges checks new edges whose ends earlier operations have created, changed or deleted. Like checkContents it returns the
// operations before the first that fails.
func (bt *batchTransaction) checkNewEdges(ctx context.Context, group []*operation) ([]*operation, error) {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Create) {
		return group, nil
	}
	for n, o := range group {
		if !o.endStates.isLate() {
			continue
		}
		missing := o.endStates.deleted
		for i, changed := range o.endStates.changed {
			if changed != nil {
				end := bt.results[changed.index].Node
				missing[i] = missing[i] || end == nil || !v.NodeRights(rules.Read, end.Labels, end.Properties).Granted()
			}
		}
		if missing[0] || missing[1] {
			return group[:n], bt.set.missingFault(bt.all, &missingError{o.index, graph.NoSuchEnds(missing[0], missing[1])})
		}
		if err := o.newEntity().Judge(ctx, bt.types); err != nil {
			return group[:n], bt.all.operationFault(o.index, err)
		}
	}
	return group, nil
}

// checkContents reads the entities of some operations under their locks, and checks what depends on their content. It returns the
// operations before the first that fails, and its failure: an earlier one may fail in the statement that follows.
func (bt *batchTransaction) checkContents(ctx context.Context, group []*operation, isChecked func(*operation) bool) ([]*operation, error) {
	var checked []*operation
	var changes []neo4jentity.JudgedChange
	for _, o := range group {
		if isChecked(o) {
			checked, changes = append(checked, o), append(changes, neo4jentity.JudgedChange{At: o.entity(), Change: o.change()})
		}
	}
	if len(checked) == 0 {
		return group, nil
	}
	j, passed := neo4jentity.Judging{Managed: bt.m, Types: bt.types, Kind: group[0].k, Deletes: group[0].Op.Deletes(), Bytes: &bt.bytes}, 0
	var failure error
	err := bt.writes.Judged.Judge(ctx, bt.tx.Transaction, j, changes, func(i int, l *neo4jentity.LockedEntity, err error) error {
		if failure = bt.failureOf(checked[i], l, err); failure == nil {
			passed++
		}
		return failure
	})
	switch {
	case failure != nil:
		return group[:slices.Index(group, checked[passed])], failure
	case err != nil:
		return nil, err
	default:
		return group, nil
	}
}

// failureOf is the failure of an operation with its entity, from its judgement; nil if it may be applied.
func (bt *batchTransaction) failureOf(o *operation, l *neo4jentity.LockedEntity, err error) error {
	switch {
	case l == nil:
		return &missingError{o.index, graph.NoSuchEntity(o.k)}
	case err == nil:
		o.seesEnds = l.Now.SeesEnds
		return nil
	case fault.CodeOf(err) == fault.NotFound: // as if it were missing
		return bt.set.missingFault(bt.all, &missingError{o.index, err})
	default:
		return bt.all.operationFault(o.index, err)
	}
}

// checkDegrees bounds the edges that the batch deletes together with nodes, since all are in one transaction. Like checkContents it
// returns the operations before the first that fails.
func (bt *batchTransaction) checkDegrees(ctx context.Context, group []*operation) ([]*operation, error) {
	elements := make([]string, len(group))
	for i, o := range group {
		elements[i] = o.entity().ElementID
	}
	found, err := neo4jentity.RunRows(ctx, bt.tx.Transaction, len(group), cypher.NodeDegrees.Text(nil), map[string]any{"elements": elements})
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, r := range bt.results {
		total += r.DeletedEdges
	}
	for i, o := range group {
		if found[i] == nil {
			continue // deleting it will fail
		}
		if total += found[i].Integer(neo4jentity.DegreeColumn); total > graph.MaxBatchEdges {
			return group[:i], bt.all.operationFault(o.index, graph.TooManyBatchEdges())
		}
	}
	return group, nil
}
