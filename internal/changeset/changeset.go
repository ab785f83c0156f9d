// Package changeset manages proposals: the operations of a batch, kept until somebody else approves them. It decides who may do what with
// one in which status, and computes what it would change.
package changeset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Limits on the texts of a change set, in bytes, and on its comments.
const (
	MaxTitle           = 200
	MaxDescription     = 10_000
	MaxComment         = 4096
	MaxComments        = 200
	MaxCommentsPerUser = 50
	// maxEvents bounds the events of one change set. Consecutive edits are one event.
	maxEvents = 200
)

// User is somebody who does something with a change set.
type User struct {
	ID   string `json:"user_id"`
	Name string `json:"user"`
	// MakerID is the id of the administrator who made the service token that this user is; empty for others. It is never shown.
	MakerID string `json:"maker_id,omitempty"`
}

// isSamePerson reports whether two users may be one person: the same user, a service token and who made it, or two service tokens of one
// administrator, who knows their secrets.
func (u User) isSamePerson(other User) bool { return u.person() == other.person() }

func (u User) person() string { return cmp.Or(u.MakerID, u.ID) }

// Event is what somebody did with a change set, besides commenting.
type Event struct {
	At time.Time `json:"at"`
	User
	Action Action `json:"action"`
}

// Comment is a remark on a change set.
type Comment struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	User
	Text string `json:"text"`
}

// Set is a change set.
type Set struct {
	ID          string
	Title       string
	Description string
	Status      Status
	// Version grows with each edit and each change of the status, but not with a comment.
	Version              int64
	Author               User
	CreatedAt, UpdatedAt time.Time
	// Operations are the operations as typedjson.AppendOperations writes them: ids are those of the entities, and each update and delete of
	// an entity that existed has the ETag that it was based on, as if_match. Count is their number.
	Operations string
	Count      int
	// Bases are, by operation, the ETags of the whole entities that updates and deletes were based on, if the author does not see all of
	// the graph; empty for none. They are never shown: if_match is about what the author sees.
	Bases    []string
	Events   []Event   // oldest first
	Comments []Comment // oldest first
	Changes  []string  // ids of the recorded changes of an applied one, in the order in which they were made
}

// Revision is the ETag of the change set as a client sees it. It counts the comments, because they are only added: were a comment edited or
// removed, Version would have to grow.
func (s *Set) Revision() graph.Revision {
	return graph.Revision(fmt.Sprintf("%d.%d", s.Version, len(s.Comments)))
}

// Record returns the change set after an event. CONFLICT: its status does not allow the action, or it has too many events.
func (s Set) Record(e Event) (Set, error) {
	status, err := s.Status.After(e.Action)
	if err != nil {
		return s, err
	}
	events := s.Events[:len(s.Events):len(s.Events)]
	last := len(events) - 1
	switch {
	case e.Action == Edit && last >= 0 && events[last].Action == Edit:
		events = append(events[:last:last], e)
	case e.Action == Edit && len(events) >= maxEvents:
		return s, fault.New(fault.Conflict, "The change set was approved and edited too often; withdraw it and propose another one")
	default:
		events = append(events, e)
	}
	s.Events, s.Status, s.UpdatedAt = events, status, e.At
	s.Version++
	return s, nil
}

// Edited are the members that an edit replaces; nil members stay.
type Edited struct {
	Title, Description *string
	Operations         []graph.Operation
}

// Checked is what Store.Check says of operations.
type Checked struct {
	Failed  int              // the operation with the error
	Decided []rules.Decision // the permission or the grants that allow the last operation; empty after an error
	// EdgesLeftOut reports that edges of a node that a single request deletes may not have been judged: they are more than
	// graph.MaxBatchEdges.
	EdgesLeftOut bool
}

// Store stores change sets. Besides the codes named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
// Operations must have passed graph.CheckRefs.
type Store interface {
	// Propose stores a new change set with a title, a description, an author and operations. With a key that an earlier request has used
	// it returns the change set of that request, as it is now, and replayed. CONFLICT: the author's change sets would exceed the limit on
	// stored bytes. IDEMPOTENCY_KEY_REUSED. NOT_FOUND: the change set of the key was removed.
	Propose(ctx context.Context, s Set, operations []graph.Operation, key *graph.IdempotencyKey) (proposed Set, replayed bool, err error)
	// ChangeSet reads one. NOT_FOUND.
	ChangeSet(ctx context.Context, id string) (Set, error)
	// ChangeSets lists them, newest first.
	ChangeSets(ctx context.Context, q Query) (Page, error)
	// Change records an event, and what an edit replaces. CONFLICT: the status does not allow it, the change set is not what s says any
	// more, or it would exceed the limit on stored bytes.
	Change(ctx context.Context, s Set, e Event, edited Edited) (Set, error)
	// Comment adds a comment. NOT_FOUND. CONFLICT: there are too many.
	Comment(ctx context.Context, id string, c Comment) (Comment, error)
	// Diff computes what the operations of a change set would change now, as far as the context's view shows it to a reader.
	Diff(ctx context.Context, s Set, reader User, operations []graph.Operation) (Diff, error)
	// Authorize checks that the context's view allows all operations, by applying them in a transaction that is rolled back.
	// PERMISSION_DENIED: it does not allow one, or one cannot be applied.
	Authorize(ctx context.Context, operations []graph.Operation) error
	// CheckApply and CheckAuthorize say what Apply and Authorize would return. They simulate the operations and read only, so that not even
	// names stay behind; what the database alone can say is left out: constraints, limits on names.
	CheckApply(ctx context.Context, s Set, operations []graph.Operation) error
	CheckAuthorize(ctx context.Context, operations []graph.Operation) error
	// Check is the same for the operations of a batch, without what is invalid in them: the first operation that the context's view does
	// not allow, that names what does not exist for the user, or that deletes too many edges, and its error. If batch is false, it is the
	// operation of a request that writes one entity, which may delete more edges.
	Check(ctx context.Context, operations []graph.Operation, batch bool) (Checked, error)
	// Apply applies the operations of an approved change set in one transaction, with the event and the new status; of concurrent calls, on
	// any replica, one succeeds. CONFLICT as for Change; a *ConflictError if an entity is not what the operations were based on. Otherwise
	// the errors are those of graph.BatchStore.
	Apply(ctx context.Context, s Set, e Event, operations []graph.Operation) (Set, error)
}

// Query selects change sets. Empty members select all.
type Query struct {
	Status Status
	Author string // name or id
	Limit  int
	After  string // id at which the previous page ended
}

// Page is a page of change sets. It may have fewer than asked for, or none, although there are more.
type Page struct {
	Sets []Set
	Next string // empty at the end
}

// Conflict is an entity that is not what an operation was based on.
type Conflict struct {
	Operation int    // index
	ID        string // of the entity
	Expected  string // ETag; empty if it did not exist, or is not compared
	Found     string // ETag; empty if it does not exist
	Message   string
}

// Field is the name of the operation in a fault.
func (c Conflict) Field() string { return graph.OperationField(c.Operation, "") }

// ConflictError is the error of a change set that cannot be applied because of conflicts. Its fault has the code CONFLICT and a detail for
// each of them.
type ConflictError struct {
	Conflicts []Conflict
	Fault     *fault.Error
}

// NewConflictError returns the error of some conflicts.
func NewConflictError(conflicts ...Conflict) *ConflictError {
	f := fault.New(fault.Conflict, "The change set conflicts with later changes; nothing was applied")
	e := &ConflictError{Conflicts: conflicts, Fault: f}
	for _, c := range conflicts {
		e.Fault.Details = append(e.Fault.Details, fault.Detail{Field: c.Field(), Message: c.Message})
	}
	return e
}

func (e *ConflictError) Error() string { return e.Fault.Error() }

func (e *ConflictError) Unwrap() error { return e.Fault }

// ErrChanged is the fault of a change of a change set that somebody else has changed meanwhile.
func ErrChanged() error {
	return fault.New(fault.Conflict, "Somebody changed the change set at the same time; read it again")
}

// ErrNotFound is the fault of an id that is the id of no change set.
func ErrNotFound() error { return fault.New(fault.NotFound, "There is no such change set") }

// WithBases are operations whose preconditions are the ETags of the whole entities that they were based on, where these are stored.
func WithBases(operations []graph.Operation, set Set) []graph.Operation {
	based := slices.Clone(operations)
	for i := range based {
		if base := set.BaseOf(i); base.Revision != "" {
			based[i].If = graph.Precondition{Revisions: []graph.Revision{base.Revision}}
		}
	}
	return based
}
