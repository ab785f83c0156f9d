// Package neo4jbatch runs batches of operations, each in one transaction, also those of change sets.
package neo4jbatch

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

// operation is one operation of a batch, with what its statement needs.
type operation struct {
	graph.Operation
	index int
	k     graph.Kind
	// definition is the earlier operation that creates the entity of an update or delete; nil if it is in the database before the batch.
	definition *operation
	ends       [2]*operation // the same for the ends of a new edge
	// at is the entity: resolved before the transaction, or created in it. sourceAndTarget are the ends of a new edge in the database.
	at              neo4jentity.Reference
	sourceAndTarget [2]neo4jentity.Reference
	created         neo4jentity.Create // of a create: its id and properties
	endStates       newEdgeEnds
	seesEnds        bool          // of an edge that was changed: the user sees both ends
	maxEdges        int64         // of a node that a change set deletes: the edges that may go with it
	endLabels       declared.Ends // of a new edge
	// failure is known before the transaction: an entity that the operation names does not exist. The operations before it are applied
	// first, because one of them may fail.
	failure error
}

// Batches applies batches of operations. It is safe for concurrent use.
type Batches struct {
	client *bolt.Client
	config *neo4jentity.Config
	texts  *neo4jentity.Texts
	reads  *neo4jentity.Reader
	writes *neo4jentity.Writer
}

var _ graph.BatchStore = (*Batches)(nil)

// New creates what runs batches.
func New(core *neo4jentity.Core) *Batches {
	return &Batches{client: core.Client, config: core.Config, texts: core.Texts, reads: core.Reads, writes: core.Writes}
}

// batchRun is one call of Apply.
type batchRun struct {
	*Batches
	all     operationList
	grouper *operationGrouper
	by      neo4jentity.Author
	dryRun  bool
	m       *neo4jentity.ManagedTypes
	types   *declared.Types
	record  idempotencyRecord
	set     *changeSetRun // nil unless the operations are those of a change set
	seesAll bool          // the user sees the whole graph
	bytes   neo4jentity.AttemptBytes
	results []graph.OperationResult
	// claimed means that the attempt has locked its idempotency record and found no earlier attempt. applied are the results of an
	// attempt that turned out to be committed, replayed what an earlier batch with the same Idempotency-Key has stored.
	claimed  bool
	applied  []graph.OperationResult
	replayed []string
	// unconfirmed are the results of the last attempt whose commit was not confirmed.
	unconfirmed []graph.OperationResult
}

// idempotencyRecord identifies a batch in the database, so that it is never applied twice. Without an Idempotency-Key the key is random.
type idempotencyRecord struct {
	key, id, fingerprint string
	given                bool // by the client
	lifetime             time.Duration
}

// recordLifetime is how long the record of a batch without an Idempotency-Key is kept: far longer than the batch is repeated.
const recordLifetime = time.Hour

// errSplit means that a statement with several rows failed because of one of them, or that operations were moved before others and one
// failed. The transaction is repeated with separate statements for these rows, or in order, to find out which operation fails first.
var errSplit = errors.New("one of several rows failed")

// missingError means that the entity of an operation, or an end, was not found in the transaction.
type missingError struct {
	index int
	cause error
}

func (e *missingError) Error() string { return e.cause.Error() }

// Apply applies operations: see graph.BatchStore.
func (b *Batches) Apply(ctx context.Context, operations []graph.Operation, o graph.BatchOptions) (graph.BatchOutcome, error) {
	return b.applyOperations(ctx, operations, o, nil)
}

// applyOperations applies the operations of a batch, or of a change set.
func (b *Batches) applyOperations(
	ctx context.Context, operations []graph.Operation, o graph.BatchOptions, set *changeSetRun,
) (graph.BatchOutcome, error) {
	ctx, cancel := context.WithTimeout(ctx, b.client.QueryTimeout())
	defer cancel()
	types, err := b.reads.Types.TypesForWrite(ctx)
	if err != nil {
		return graph.BatchOutcome{}, err
	}
	all, seesAll := newOperationList(operations), rules.ViewOf(ctx).ShowsAll()
	run := &batchRun{
		Batches: b, all: all, by: neo4jentity.AuthorFrom(ctx), dryRun: o.DryRun, types: types, record: newIdempotencyRecord(o.Key), set: set,
		seesAll: seesAll, grouper: &operationGrouper{all: all, seesAll: seesAll, alone: map[int]bool{}},
	}
	if err = run.prepare(ctx); err == nil {
		err = run.apply(ctx)
	}
	if err != nil {
		return graph.BatchOutcome{}, run.withAllInvalid(ctx, err)
	}
	switch {
	case run.replayed != nil:
		results, err := run.readReplay(ctx)
		return graph.BatchOutcome{Results: results, Replayed: true}, err
	case run.applied != nil:
		run.results = run.applied
	}
	if !run.dryRun {
		run.updateIDCaches()
	}
	run.showResults(ctx)
	return graph.BatchOutcome{Results: run.results}, nil
}

func newIdempotencyRecord(key *graph.IdempotencyKey) idempotencyRecord {
	r := idempotencyRecord{id: rand.Text(), key: rand.Text(), lifetime: recordLifetime}
	if key != nil {
		r.key, r.fingerprint, r.given, r.lifetime = key.Hash(), key.Fingerprint, true, graph.IdempotencyLifetime
	}
	return r
}

// maxRestarts bounds how often a batch is repeated because an entity was deleted concurrently.
const maxRestarts = 3

// apply runs the transaction, and repeats it if that can change its outcome. Each repetition begins with the idempotency record, so that
// the operations are applied once.
func (b *batchRun) apply(ctx context.Context) error {
	unconfirmed, resolvedAgain, restarts := false, false, 0
	for retries := bolt.UntilAnswered.Begin(); ; {
		err := b.runTransaction(ctx)
		var missing *missingError
		switch {
		case err == nil, errors.Is(err, neo4jentity.ErrDryRun):
			return nil
		case bolt.IsOutcomeUnknown(err):
			unconfirmed, b.unconfirmed = true, b.results
			if retries.Again(ctx) {
				continue
			}
			return bolt.Translate(err)
		case unconfirmed && !b.claimed: // the record was not read: the outcome of the earlier attempt remains unknown
			if (bolt.IsConnectionLost(err) || bolt.IsNotSent(err)) && !bolt.IsClosing(err) && retries.Again(ctx) {
				continue
			}
			return bolt.Translate(bolt.WithUnknownOutcome(err))
		case errors.Is(err, errSplit):
			continue
		case errors.As(err, &missing):
			if resolvedAgain {
				return b.set.missingFault(b.all, missing)
			}
			resolvedAgain = true
			batchPreparer{b}.dropCachedIDs()
			if err := (batchPreparer{b}).resolve(ctx); err != nil {
				return bolt.Translate(err)
			}
		case bolt.IsEntityDeleted(err) && restarts < maxRestarts:
			restarts++
		default:
			return bolt.Translate(err)
		}
	}
}

// operationFault is the fault of a batch that failed because of one operation.
func (ol operationList) operationFault(index int, err error) error {
	f := graph.OperationFault(index, ol[index].Op, bolt.Translate(err))
	if f.Code == fault.Validation && ol[index].failure != nil { // missing ends: those of later operations as well
		for _, o := range ol[index+1:] {
			if fault.CodeOf(o.failure) == fault.Validation {
				f.Details = append(f.Details, graph.OperationFault(o.index, o.Op, o.failure).Details...)
			}
		}
	}
	return f
}

// mergeOperationFaults reports VALIDATION_ERRORs of several operations together; nil if there is none.
func (ol operationList) mergeOperationFaults(faults map[int]error) error {
	var details []fault.Detail
	for _, o := range ol {
		if err := faults[o.index]; err != nil {
			details = append(details, graph.OperationFault(o.index, o.Op, err).Details...)
		}
	}
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "Invalid input", details...)
}

// updateIDCaches makes the ids of created entities known, and those of deleted ones unknown.
func (b *batchRun) updateIDCaches() {
	for _, o := range b.all {
		switch {
		case o.Op.Deletes():
			b.reads.IDCacheOf(o.k).Drop(o.entity().ID())
		case o.Op.Creates() && graph.HintsAt(o.at.Own, o.Type):
			b.reads.IDCacheOf(o.k).Put(o.at.Own, o.at.ElementID)
		}
	}
}

// entity is the entity of an operation: the one that it creates or that it names.
func (o *operation) entity() neo4jentity.Reference {
	if o.definition != nil {
		return o.definition.at
	}
	return o.at
}

// end is an end of a new edge.
func (o *operation) end(i int) neo4jentity.Reference {
	if o.ends[i] != nil {
		return o.ends[i].at
	}
	return o.sourceAndTarget[i]
}
