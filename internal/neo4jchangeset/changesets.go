// Package neo4jchangeset stores change sets, compares their operations with the graph and decides about them without running them. It reads
// and changes the graph only by the contracts of internal/graph, so it knows nothing of how entities are stored.
package neo4jchangeset

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/typedjson"
)

// Store stores change sets and applies them. It is safe for concurrent use. It reads the graph only by graph.NodeStore and graph.EdgeStore
// and changes it only by Batches.
type Store struct{ Config }

// Config is what a Store needs. All of it is required.
type Config struct {
	Client  *bolt.Client
	Audit   *neo4jaudit.Store
	Types   *neo4jschema.TypeStore
	Nodes   graph.NodeStore
	Edges   graph.EdgeStore
	Batches Batches

	IDProperty   string        // the property of the ids
	MaxDetach    int64         // edges that a delete of a node removes without detach=true
	MaxPageBytes int64         // of a page of a list
	MaxBytes     int64         // of the open and approved change sets of one user
	Keep         time.Duration // of those that are closed
	// ReadBounded runs a statement and passes each row on, until the rows have maxBytes; full reports that there are more.
	ReadBounded func(
		ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64, begin func(), each func(*bolt.Record) error,
	) (full bool, err error)
}

// Batches applies operations.
type Batches interface {
	graph.BatchStore
	// ApplyChangeSet applies the operations of a change set in one transaction, which changes its status, and returns the set as it is then.
	// A *changeset.ConflictError: an entity is not what the operations were based on. Otherwise the errors are those of Apply.
	ApplyChangeSet(ctx context.Context, r Run, operations []graph.Operation) (changeset.Set, error)
}

// Run is the change set whose operations a batch applies.
type Run struct {
	Read  changeset.Set // as the caller read it
	After changeset.Set // as it will be
	// Update stores the set as it is after the batch, in its transaction. write identifies the call, however often the transaction is
	// repeated.
	Update func(ctx context.Context, tx *bolt.Transaction, set changeset.Set, write string) error
}

var _ changeset.Store = (*Store)(nil)

// changeSetOverhead is what a change set counts besides its texts, in bytes, so that there cannot be many empty ones.
const changeSetOverhead = 1024

// sizeOf is what a change set counts against Config.MaxBytes. Its comments are bounded by their number.
func sizeOf(s changeset.Set) int64 {
	size := len(s.Operations) + len(s.Title) + len(s.Description) + changeSetOverhead
	for _, base := range s.Bases {
		size += len(base)
	}
	return int64(size)
}

// Propose stores a new change set: see changeset.Store.
func (c *Store) Propose(
	ctx context.Context, set changeset.Set, operations []graph.Operation, key *graph.IdempotencyKey,
) (proposed changeset.Set, replayed bool, err error) {
	set, err = set.Record(changeset.Event{At: currentTime(), User: set.Author, Action: changeset.Propose})
	if err != nil {
		return set, false, err
	}
	if set.ID, err = graph.NewID("ChangeSet"); err != nil {
		return set, false, fault.Wrap(err, fault.Internal, "Internal error")
	}
	set.CreatedAt = set.UpdatedAt
	if err := c.setOperations(ctx, &set, operations); err != nil {
		return set, false, err
	}
	params := changeSetAudit(ctx, c.Audit, audit.Propose, set)
	params["id"], params["row"] = set.ID, encodeNewSet(set)
	id := set.ID
	err = transactChangeSet(ctx, c.Client, func(ctx context.Context, tx *bolt.Transaction) error {
		var err error
		if id, err = claimKey(ctx, tx, key, set.ID); err != nil || id != set.ID {
			return err
		}
		if err := c.enforceSizeLimit(ctx, tx, set); err != nil {
			return err
		}
		_, err = tx.RunStatement(ctx, cypher.ChangeSetCreate.Text(nil), params)
		return err
	})
	if err != nil || id == set.ID {
		return set, false, err
	}
	set, err = c.ChangeSet(ctx, id)
	return set, true, err
}

// claimKey records under an Idempotency-Key the id of what the transaction creates, and returns the id that is recorded there: another one
// if an earlier request has used the key.
func claimKey(ctx context.Context, tx *bolt.Transaction, key *graph.IdempotencyKey, id string) (string, error) {
	if key == nil {
		return id, nil
	}
	at := time.Now()
	found, err := tx.RunStatement(ctx, cypher.BatchBegin.Text(nil), map[string]any{
		"key": key.Hash(), "id": id, "fingerprint": key.Fingerprint,
		"now": at.UnixMilli(), "expires": at.Add(graph.IdempotencyLifetime).UnixMilli(),
	})
	switch {
	case err != nil:
		return "", err
	case bolt.Column[string](found[0], "fingerprint") != key.Fingerprint:
		return "", graph.IdempotencyKeyReused()
	}
	return bolt.Column[string](found[0], "id"), nil
}

// setOperations sets the operations, with the ids and ETags that they are based on.
func (c *Store) setOperations(ctx context.Context, set *changeset.Set, operations []graph.Operation) error {
	based, bases, err := c.SetBases(ctx, operations)
	if err != nil {
		return bolt.Translate(err)
	}
	set.Bases = bases
	set.Operations, set.Count = string(typedjson.AppendOperations(nil, based)), len(based)
	return nil
}

// currentTime is the time of an event, to the precision that is stored.
func currentTime() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// changeSetAudit are the parameters by which a statement writes its change into the audit.
func changeSetAudit(ctx context.Context, log *neo4jaudit.Store, action audit.Action, set changeset.Set) map[string]any {
	return log.AdminParameters(ctx, action, audit.ChangeSet, set.ID, set.Title)
}

// transactChangeSet runs a transaction, and once more if its outcome is unknown: its statements recognize what they have written.
func transactChangeSet(ctx context.Context, client *bolt.Client, work func(context.Context, *bolt.Transaction) error) error {
	return bolt.Translate(bolt.RepeatUnknown(func() error { return client.RunTransaction(ctx, work) }))
}

// enforceSizeLimit checks that a change set fits among those of its author. If it does not otherwise, those that were rejected or withdrawn
// are removed.
func (c *Store) enforceSizeLimit(ctx context.Context, tx *bolt.Transaction, set changeset.Set) error {
	params := map[string]any{"author": set.Author.ID, "except": set.ID}
	found, err := tx.RunStatement(ctx, cypher.ChangeSetUsage.Text(nil), params)
	if err != nil || len(found) != 1 {
		return err
	}
	limit := c.MaxBytes
	pending := bolt.Column[int64](found[0], "pending") + sizeOf(set)
	switch {
	case pending > limit:
		return fault.New(fault.Conflict, "Your change sets are too large together; withdraw one or wait until one is decided",
			fault.Detail{Field: "operations", Message: "the open and approved change sets of one user may have " +
				strconv.Itoa(int(limit)) + " bytes, and would have " + strconv.Itoa(int(pending))})
	case pending+bolt.Column[int64](found[0], "closed") > limit:
		_, err = tx.RunStatement(ctx, cypher.ChangeSetDropClosed.Text(nil), map[string]any{"author": set.Author.ID})
	}
	return err
}

// Change records an event, and what an edit replaces: see changeset.Store.
func (c *Store) Change(
	ctx context.Context, read changeset.Set, e changeset.Event, edited changeset.Edited,
) (changeset.Set, error) {
	e.At = currentTime()
	set, err := read.Record(e)
	if err != nil {
		return set, err
	}
	if edited.Title != nil {
		set.Title = *edited.Title
	}
	if edited.Description != nil {
		set.Description = *edited.Description
	}
	if edited.Operations != nil {
		if err := c.setOperations(ctx, &set, edited.Operations); err != nil {
			return set, err
		}
	}
	write := rand.Text()
	return set, transactChangeSet(ctx, c.Client, func(ctx context.Context, tx *bolt.Transaction) error {
		if sizeOf(set) > sizeOf(read) {
			if err := c.enforceSizeLimit(ctx, tx, set); err != nil {
				return err
			}
		}
		return c.update(ctx, tx, set, write)
	})
}

// update writes a change set over the version before it. write identifies this call, however often its transaction is repeated. CONFLICT:
// the change set has another version.
func (c *Store) update(ctx context.Context, tx *bolt.Transaction, set changeset.Set, write string) error {
	params := changeSetAudit(ctx, c.Audit, auditActions[set.Events[len(set.Events)-1].Action], set)
	params["id"], params["version"], params["set"], params["write"] = set.ID, set.Version-1, encodeSet(set), write
	found, err := tx.RunStatement(ctx, cypher.ChangeSetUpdate.Text(nil), params)
	if err != nil {
		return err
	}
	if len(found) != 1 || !bolt.Column[bool](found[0], "written") {
		return changeset.ErrChanged()
	}
	return nil
}

var auditActions = map[changeset.Action]audit.Action{
	changeset.Edit: audit.Update, changeset.Approve: audit.Approve, changeset.Reject: audit.Reject,
	changeset.Withdraw: audit.Withdraw, changeset.Apply: audit.Apply,
}

// Comment adds a comment: see changeset.Store.
func (c *Store) Comment(ctx context.Context, id string, remark changeset.Comment) (changeset.Comment, error) {
	remark.ID, remark.At = rand.Text(), currentTime()
	params := changeSetAudit(ctx, c.Audit, audit.Comment, changeset.Set{ID: id})
	params["id"], params["user"], params["comment"] = id, remark.User.ID, encodeJSON(remark)
	params["max"], params["max_of_user"] = changeset.MaxComments, changeset.MaxCommentsPerUser
	return remark, transactChangeSet(ctx, c.Client, func(ctx context.Context, tx *bolt.Transaction) error {
		found, err := tx.RunStatement(ctx, cypher.ChangeSetComment.Text(nil), params)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return changeset.ErrNotFound()
		case !bolt.Column[bool](found[0], "added"):
			return fault.New(fault.Conflict, "The change set has too many comments: it may have "+strconv.Itoa(changeset.MaxComments)+
				", of one user "+strconv.Itoa(changeset.MaxCommentsPerUser))
		}
		return nil
	})
}

// changeSetPurgeBatch bounds how many change sets one transaction removes: each may be large.
const changeSetPurgeBatch = 100

// Purge removes change sets that were closed long ago.
func (c *Store) Purge(ctx context.Context) error {
	before := time.Now().Add(-c.Keep).UnixMilli()
	for {
		found, err := c.Client.Write(ctx, cypher.ChangeSetPurge.Text(nil), map[string]any{"before": before, "limit": changeSetPurgeBatch})
		if err != nil {
			return err
		}
		if removed, err := bolt.SingleInteger(found, "removed"); err != nil || removed < changeSetPurgeBatch {
			return err
		}
	}
}

// Apply applies a change set: see changeset.Store.
func (c *Store) Apply(
	ctx context.Context, read changeset.Set, e changeset.Event, operations []graph.Operation,
) (changeset.Set, error) {
	e.At = currentTime()
	after, err := read.Record(e)
	if err != nil {
		return read, err
	}
	applied, err := c.Batches.ApplyChangeSet(ctx, Run{Read: read, After: after, Update: c.update}, operations)
	if err != nil {
		return read, err
	}
	return applied, nil
}

// Authorize checks that the user may do all operations: see changeset.Store.
func (c *Store) Authorize(ctx context.Context, operations []graph.Operation) error {
	_, err := c.Batches.Apply(ctx, graph.WithoutPreconditions(operations), graph.BatchOptions{DryRun: true})
	if err == nil || !bolt.IsRowError(err) {
		return err
	}
	return errNotAuthorized(err)
}

// errNotAuthorized is the error of an approval by grants, from that of the operations.
func errNotAuthorized(err error) error {
	if fault.CodeOf(err) == fault.PermissionDenied {
		return err
	}
	// What does not exist for the user, and what would fail for another reason, cannot be checked.
	return fault.Wrap(err, fault.PermissionDenied, "Permission denied: not all operations are allowed to this user, or they cannot be applied",
		fault.As(err).Details...)
}
