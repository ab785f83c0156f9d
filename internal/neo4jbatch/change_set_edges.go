package neo4jbatch

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
)

// compareEdges compares the edges of nodes that the operations of a change set delete, which are locked, with those that went with them
// when this was proposed. A node that has others is a conflict.
func (bt *batchTransaction) compareEdges(ctx context.Context) (conflicts []changeset.Conflict, err error) {
	var deletes []*operation
	var bases []*changeset.EdgeSet
	var elements []string
	for _, o := range bt.all {
		base := bt.set.Read.BaseOf(o.index).Edges
		if o.Op == graph.OpDeleteNode && o.definition == nil && o.failure == nil && base != nil {
			deletes, bases, elements = append(deletes, o), append(bases, base), append(elements, o.at.ElementID)
		}
	}
	if len(deletes) == 0 {
		return nil, nil
	}
	params := map[string]any{"elements": elements, "limit": graph.MaxBatchEdges + 1}
	text := cypher.EdgesOfNodes.Text(cypher.Slots{"id": bt.texts.IDName})
	rows, err := bolt.CollectTuples(bt.tx.RunStatement(ctx, text, params))
	if err != nil {
		return nil, err
	}
	counts, attached := make([]int64, len(deletes)), make([]bool, len(deletes))
	for _, row := range rows {
		i := row.Integer(neo4jentity.RowColumn)
		at := neo4jentity.Reference{ElementID: row.Text(1), Own: bt.m.OwnID(graph.EdgeKind, []string{row.Text(2)}, row[3])}
		counts[i]++
		attached[i] = attached[i] || !bases[i].Has(at.ID())
	}
	for i, o := range deletes {
		o.maxEdges = counts[i] + bt.countOwnEdges(o)
		if attached[i] || len(rows) > graph.MaxBatchEdges {
			conflicts = append(conflicts, changeset.Conflict{Operation: o.index, ID: o.at.ID(), Message: changeset.Attached})
		}
	}
	return conflicts, nil
}

// countOwnEdges is how many edges the operations themselves attach to a node before they delete it.
func (bt *batchTransaction) countOwnEdges(deletion *operation) (n int64) {
	for _, o := range bt.all[:deletion.index] {
		if o.Op == graph.OpCreateEdge && slices.ContainsFunc([]int{0, 1}, func(i int) bool {
			return o.ends[i] == nil && o.sourceAndTarget[i].ElementID == deletion.at.ElementID
		}) {
			n++
		}
	}
	return n
}
