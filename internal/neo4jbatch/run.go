package neo4jbatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// groupTransaction is a transaction that can also run a statement with a row for each operation of a group.
type groupTransaction struct{ *bolt.Transaction }

// maxGroup bounds the rows of one statement.
const maxGroup = 1000

// runTransaction runs all operations in one transaction. A dry run fails with ErrDryRun in the end.
func (b *batchRun) runTransaction(ctx context.Context) error {
	return b.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		b.reset(ctx)
		attempt := &batchTransaction{b, groupTransaction{tx}}
		if !b.dryRun {
			if err := b.begin(ctx, attempt.tx); err != nil || !b.claimed {
				return err
			}
		}
		if err := attempt.beginChangeSet(ctx); err != nil {
			return err
		}
		groups, moved := b.grouper.groups()
		for _, group := range groups {
			if err := attempt.runGroup(ctx, group.operations); err != nil {
				var missing *missingError
				if moved && (bolt.IsRowError(err) || errors.As(err, &missing)) {
					b.grouper.inOrder = true
					return errSplit
				}
				return err
			}
		}
		if err := attempt.orderLabels(ctx); err != nil {
			return err
		}
		if b.dryRun {
			return neo4jentity.ErrDryRun
		}
		if err := attempt.endChangeSet(ctx); err != nil {
			return err
		}
		return b.end(ctx, attempt.tx)
	})
}

// reset discards what an earlier attempt has found.
func (b *batchRun) reset(ctx context.Context) {
	b.bytes.Release(ctx)
	b.claimed = false
	b.results = make([]graph.OperationResult, len(b.all))
	for i, o := range b.all {
		b.results[i] = graph.OperationResult{Op: o.Op, Ref: o.Ref}
	}
}

// begin locks the batch's idempotency record. It sets claimed if the operations are to be applied; otherwise an earlier attempt, or an
// earlier batch with the same Idempotency-Key, has applied them.
func (b *batchRun) begin(ctx context.Context, tx groupTransaction) error {
	now, r := time.Now(), b.record
	found, err := tx.readRecord(ctx, cypher.BatchBegin.Text(nil), map[string]any{
		"key": r.key, "id": r.id, "fingerprint": r.fingerprint, "now": now.UnixMilli(), "expires": now.Add(r.lifetime).UnixMilli(),
	})
	switch {
	case err != nil:
		return err
	case bolt.Column[bool](found, "first"):
		b.claimed = true
	case bolt.Column[string](found, "id") == r.id:
		b.applied = b.unconfirmed
	case bolt.Column[string](found, "fingerprint") != r.fingerprint:
		return graph.IdempotencyKeyReused()
	default:
		b.replayed = bolt.AsTexts(bolt.Column[[]any](found, "results"))
	}
	return nil
}

// operationGroup are operations that one statement applies: of one name, on different entities.
type operationGroup struct {
	operations []*operation
	identities map[string]bool
}

// operationGrouper decides which operations one statement applies.
type operationGrouper struct {
	all     operationList
	seesAll bool         // the user sees the whole graph
	alone   map[int]bool // operations whose statement has no other row, because it failed with several
	inOrder bool         // no operation is moved before others, to find out which one fails first
}

// groups splits the operations into groups. moved reports whether one was moved before others; see findGroup.
func (og *operationGrouper) groups() (groups []*operationGroup, moved bool) {
	for _, o := range og.all {
		g := og.findGroup(groups, o)
		if g == nil {
			g = &operationGroup{identities: map[string]bool{}}
			groups = append(groups, g)
		}
		moved = moved || g != groups[len(groups)-1]
		g.operations = append(g.operations, o)
		if identity := o.identity(); identity != "" {
			g.identities[identity] = true
		}
	}
	return groups, moved
}

// findGroup is the group that an operation joins; nil for a new one. It is the last group, or for a create or update of a node the last
// group of nodes: the operations on edges after it neither affect the operation nor are affected by it, so that a list that alternates
// between nodes and their edges needs few statements. An update of a node affects which edges a user sees who does not see all.
func (og *operationGrouper) findGroup(groups []*operationGroup, o *operation) *operationGroup {
	for _, g := range slices.Backward(groups) {
		first := g.operations[0]
		switch {
		case og.mayShare(first, o) && len(g.operations) < maxGroup && !g.identities[o.identity()]:
			return g
		case og.inOrder || !og.mayMove(o) || first.k == graph.NodeKind || og.isAlone(first):
			return nil
		}
	}
	return nil
}

// mayMove reports whether an operation may be applied before operations on edges that precede it.
func (og *operationGrouper) mayMove(o *operation) bool {
	return o.Op == graph.OpCreateNode || o.Op == graph.OpUpdateNode && og.seesAll
}

// mayShare reports whether one statement may apply two operations.
func (og *operationGrouper) mayShare(first, o *operation) bool {
	return first.Op == o.Op && !og.isAlone(first) && !og.isAlone(o)
}

func (og *operationGrouper) isAlone(o *operation) bool { return o.failure != nil || og.alone[o.index] }

// identity is equal for operations that change the same entity; empty for creates.
func (o *operation) identity() string {
	switch {
	case o.Op.Creates():
		return ""
	case o.definition != nil:
		return o.definition.asDefinition()
	default:
		return o.at.ElementID
	}
}

// asDefinition is the identity of the operations that change what a create creates.
func (o *operation) asDefinition() string { return "operation " + strconv.Itoa(o.index) }

// runGroup applies the operations of one group.
func (bt *batchTransaction) runGroup(ctx context.Context, group []*operation) error {
	if first := group[0]; first.failure != nil {
		return bt.all.operationFault(first.index, first.failure)
	}
	var err error
	switch group[0].Op {
	case graph.OpCreateNode, graph.OpCreateEdge:
		err = bt.createEntities(ctx, group)
	case graph.OpUpdateNode, graph.OpUpdateEdge:
		err = bt.updateEntities(ctx, group)
	default:
		err = bt.deleteEntities(ctx, group)
	}
	var missing *missingError
	switch {
	case err == nil, errors.As(err, &missing), !bolt.IsServerError(err), bolt.IsEntityDeleted(err),
		bolt.IsRetryable(err), bolt.IsOutOfMemory(err), !bolt.IsRowError(err):
		return err
	case len(group) > 1:
		for _, o := range group {
			bt.grouper.alone[o.index] = true
		}
		return errSplit
	default:
		o := group[0]
		return bt.all.operationFault(o.index, bolt.AttributeError(err, o.k, bt.config.IDProperty, o.Properties))
	}
}

// readRecord runs a statement that returns one record.
func (tx groupTransaction) readRecord(ctx context.Context, text cypher.Text, params map[string]any) (*bolt.Record, error) {
	records, err := tx.RunStatement(ctx, text, params)
	if err != nil {
		return nil, err
	}
	if len(records) != 1 {
		return nil, fmt.Errorf("%s returned %d records instead of one", text.Statement(), len(records))
	}
	return records[0], nil
}

// end stores what a replay needs, if the client can repeat the batch.
func (b *batchRun) end(ctx context.Context, tx groupTransaction) error {
	if !b.record.given {
		return nil
	}
	params := map[string]any{"key": b.record.key, "results": encodeResults(b.results)}
	_, err := bolt.CollectTuples(tx.RunStatement(ctx, cypher.BatchEnd.Text(nil), params))
	return err
}

// orderLabels brings the labels of nodes into the order in which the database reports them once the transaction is committed.
func (bt *batchTransaction) orderLabels(ctx context.Context) error {
	if !slices.ContainsFunc(bt.results, func(r graph.OperationResult) bool { return r.Node != nil && len(r.Node.Labels) > 1 }) {
		return nil
	}
	names, err := neo4jschema.LabelsWithin(ctx, bt.tx.Transaction)
	if err != nil {
		return err
	}
	for i := range bt.results {
		n := bt.results[i].Node
		if n == nil || len(n.Labels) < 2 {
			continue
		}
		names.SortReported(n.Labels)
		n.Type = bt.reads.Types.CurrentTypes().NodeType(n.Labels)
	}
	return nil
}
