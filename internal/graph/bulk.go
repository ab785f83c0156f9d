package graph

import (
	"context"

	"graphrest/internal/fault"
)

// BulkStore imports and exports whole graphs in bounded memory, except for the refs and ids that an import has to
// remember. Internal data is neither imported nor exported.
type BulkStore interface {
	// Import begins an import. Nothing is written before the first Write.
	Import(on OnConflict) Importer
	// CheckImport returns an importer that checks lines as Import does, and neither writes nor registers anything. A line that an
	// importer would write is the result of a write. What only the database or a declared type rejects is not found.
	CheckImport(on OnConflict) Importer
	// Export passes what q selects to the receiver: first the types, then every node once, then every edge with both
	// ends among these nodes. Other programs may change the graph during an export; unchanged entities are exported
	// exactly once. An error of the receiver ends the export and is returned unchanged.
	Export(ctx context.Context, q ExportQuery, to Receiver) error
}

// OnConflict determines what an import does with a line whose id exists already.
type OnConflict string

// What an import can do. OnConflictMerge sets the properties of the line and leaves the other properties, the type and the ends unchanged.
const (
	OnConflictError OnConflict = "error"
	OnConflictSkip  OnConflict = "skip"
	OnConflictMerge OnConflict = "merge"
)

// Importer is one import in progress. It is used by one goroutine at a time.
type Importer interface {
	// Types creates labels in the database in an order, so that nodes with several labels report them in the order of
	// their source database. Existing labels keep their position.
	Types(ctx context.Context, labels []TypeName) error
	// Write writes lines, some thousand at most, and returns the result of each. Lines succeed or fail independently. An
	// edge may refer to nodes of earlier lines and to nodes in the database. The error is one that no line caused:
	// DATABASE_UNAVAILABLE, DATABASE_TIMEOUT or INTERNAL; some of the lines may have been written.
	Write(ctx context.Context, lines []BulkLine) ([]BulkResult, error)
}

// BulkLine is one line of an import: a node or an edge.
type BulkLine struct {
	Number int64 // counted from 1, rising
	Node   *BulkNode
	Edge   *BulkEdge
	// UnusedID says that a new entity must not get an id that a deleted one had, as far as the journal knows.
	UnusedID bool
}

// BulkNode is a node to import. ID is the id to use, empty for a new one. An element id of another database cannot be
// kept: the node gets a new id, and later lines may still refer to it by the old one. Ref is a name by which later lines
// may refer to it. A node without labels has no type and no id property.
type BulkNode struct {
	ID         string
	Ref        string
	Labels     []TypeName
	Properties Properties
}

// BulkEdge is an edge to be imported.
type BulkEdge struct {
	ID         string
	Type       TypeName
	Source     BulkEnd
	Target     BulkEnd
	Properties Properties
}

// BulkEnd identifies an end of an edge by an id or a ref; exactly one of the two is set.
type BulkEnd struct{ ID, Ref string }

// BulkResult is the result of a line: Done, or Fault.
type BulkResult struct {
	Done  BulkDone
	Fault *fault.Error
}

// BulkDone is what an import did for a line.
type BulkDone uint8

// What an import can have done.
const (
	BulkCreated BulkDone = iota + 1
	BulkUpdated
	BulkSkipped
)

// MaxBulkID is the maximum length of an id or a ref of a line, in bytes.
const MaxBulkID = 255

// ExportQuery selects what is exported. Empty lists select everything. Node types select the nodes that have one of
// them, and the edges with both ends among these nodes.
type ExportQuery struct {
	NodeTypes []TypeName
	EdgeTypes []TypeName
}

// Receiver receives an export. It may modify entities but not retain them.
type Receiver struct {
	Types func(labels []string) error // once, at the beginning: the labels in the order in which the database reports them
	Node  func(*Node) error
	Edge  func(*Edge) error
}
