package graph

// Limits of a list's page.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// Paging says which part of a list is wanted: Limit entities (1 to MaxLimit) after skipping Offset, starting behind After.
// After and Offset are not used together.
type Paging struct {
	Limit  int
	Offset int64
	After  Position // nil for the start
	Count  bool     // the exact total is wanted, whatever it costs
}

// Position is where a page ended, in a form that only the store which made it understands. The HTTP side signs it and
// binds it to its query.
type Position []byte

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  Position // nil on the last page
	Total *int64   // set when it was asked for or free
}

// NodeQuery selects nodes. The zero value selects all.
type NodeQuery struct {
	Type   TypeName // nodes that have this label at all; empty for all
	Filter Filter
	Sort   Sort
	Paging
}

// Direction of an edge as seen from a node.
type Direction string

// Directions. Both includes self-loops once.
const (
	Both Direction = "both"
	Out  Direction = "out"
	In   Direction = "in"
)

// EdgeQuery selects edges. The zero value selects all. An end (SourceID, TargetID, NodeID) that does not exist selects
// nothing; a node in Of that does not exist is NOT_FOUND.
type EdgeQuery struct {
	Type     TypeName
	SourceID string
	TargetID string
	NodeID   string // either end
	Of       *Around
	Filter   Filter
	Sort     Sort
	Paging
}

// Around selects the edges of one node: GET /api/nodes/{node_id}/edges.
type Around struct {
	NodeID    string
	Direction Direction
}
