package graph

import (
	"context"

	"graphrest/internal/fault"
)

// BulkStore moves whole graphs in and out, in memory that does not grow with them, save for what an import has to remember
// of its refs and ids. Internal data is in neither direction.
type BulkStore interface {
	// Import begins an import. Nothing is written before the first Write.
	Import(on OnConflict) Importer
	// Export hands over what q selects: first what is to be known about types, then every node once, then every edge whose
	// ends are among the nodes. Other programs may change the graph meanwhile; what stands still is handed over exactly once. An
	// error of the receiver ends it and comes back as it is.
	Export(ctx context.Context, q ExportQuery, to Receiver) error
}

// OnConflict says what an import does with a line whose id an entity holds already.
type OnConflict string

// What an import can do. OnConflictMerge sets the line's properties and leaves the entity's others, its type and its ends alone.
const (
	OnConflictError OnConflict = "error"
	OnConflictSkip  OnConflict = "skip"
	OnConflictMerge OnConflict = "merge"
)

// Importer is one import under way. It is used by one goroutine at a time.
type Importer interface {
	// Types makes labels known to the database in an order, so that nodes with several labels report them as they did where
	// they came from. Labels that the database knows keep their place.
	Types(ctx context.Context, labels []TypeName) error
	// Write writes lines, some thousand at most, and says what became of each. The lines succeed or fail apart. An edge may
	// refer to nodes of lines before its own, and to nodes that the database holds. The error is one that no line is to blame
	// for: DATABASE_UNAVAILABLE, DATABASE_TIMEOUT or INTERNAL; some of the lines may have been written then.
	Write(ctx context.Context, lines []BulkLine) ([]BulkResult, error)
}

// BulkLine is one line of an import: a node or an edge.
type BulkLine struct {
	Number int64 // counted from 1, rising
	Node   *BulkNode
	Edge   *BulkEdge
}

// BulkNode is a node to be imported. ID is the id it is to have: empty for a new one. An element id of another database
// cannot be kept: then the node gets a new id, and lines after it may go on calling it by the old one. Ref is a name that lines
// after it may call it by. No labels make a node without a type, which has no id of its own.
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

// BulkEnd names an end of an edge by an id or a ref; one of the two is set.
type BulkEnd struct{ ID, Ref string }

// BulkResult is what became of a line: Done, or Fault.
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

// MaxBulkID is the longest id, and the longest ref, of a line in bytes.
const MaxBulkID = 255

// ExportQuery selects what is exported. Empty lists select all. With node types, nodes that have one of them are selected, and
// edges both of whose ends are.
type ExportQuery struct {
	NodeTypes []TypeName
	EdgeTypes []TypeName
}

// Receiver takes an export in. Entities may be changed by it but not kept.
type Receiver struct {
	Types func(labels []string) error // once, at the beginning: the labels in the order in which the database reports them
	Node  func(*Node) error
	Edge  func(*Edge) error
}
