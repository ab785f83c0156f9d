package journal

import (
	"context"
	"time"

	"graphrest/internal/graph"
)

// Reader reads the journal. Every read for a user goes through it: it shows what the view of its context allows (rules.ViewOf), by the
// recorded states and the rules of today, and what is not visible does not exist. Change and Erase do not obey rules. Besides the codes
// named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
type Reader interface {
	// History reads the changes of one entity, newest first, also of a deleted one. The id is its own id or its element id. NOT_FOUND: there
	// is neither such an entity nor a record of one. VALIDATION_ERROR: the cursor is of another query.
	History(ctx context.Context, q HistoryQuery) (Page, error)
	// AsOf reads an entity as it was. NOT_FOUND: it did not exist then, or there is neither such an entity nor a record of one.
	// VALIDATION_ERROR (field at): no such change of this entity. HISTORY_GONE: the moment is before the oldest record that is kept.
	AsOf(ctx context.Context, kind graph.Kind, id string, at Moment) (AsOf, error)
	// Trash lists deleted entities that can be restored, newest first. Edges that were deleted with a node are not listed.
	Trash(ctx context.Context, q TrashQuery) (TrashPage, error)
	// Feed reads changes in the order of the feed. VALIDATION_ERROR (field since): not an id of a change. HISTORY_GONE: it is older than the
	// oldest record that is kept.
	Feed(ctx context.Context, q FeedQuery) (FeedPage, error)
	// Change reads one change that has its place in the feed. NOT_FOUND: there is none, or it is not kept any more.
	Change(ctx context.Context, id string) (Record, error)
	// Await returns when the feed may have changes after a cursor of a FeedPage, or when the context ends.
	Await(ctx context.Context, after string) error
	// Erase removes all records of one entity and returns their number. The entry in the audit is part of the transaction.
	Erase(ctx context.Context, kind graph.Kind, id string) (int64, error)
	// ReadUse says what the journal takes, by a running total; of the records it reads the oldest.
	ReadUse(ctx context.Context) (Use, error)
}

// Use is what the records of changes take in the database.
type Use struct {
	Records         int64
	Bytes, MaxBytes int64         // beyond MaxBytes the oldest records are removed; the last seconds are not in Bytes yet
	Oldest          time.Time     // of the oldest record; zero if there are none
	Keep            time.Duration // older records are removed
}

// HistoryQuery selects the changes of one entity.
type HistoryQuery struct {
	Kind   graph.Kind
	ID     string
	Limit  int
	Cursor string // of the previous page; empty for the first
}

// Page is a page of records, each with Previous.
type Page struct {
	Records []Record
	Next    string // empty at the end
}

// Moment is a time, or the moment right after a change.
type Moment struct {
	Time   time.Time
	Change string // id; empty if Time is set
}

// AsOf is an entity as it was. Node or Edge is set.
type AsOf struct {
	Node *graph.Node
	Edge *graph.Edge
	At   time.Time // of the change that left this state; zero if it is not known
	// Gap says that the state is uncertain: the entity was changed outside the gateway between two recorded changes around the moment.
	Gap bool
}
