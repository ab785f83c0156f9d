package graph

// Limits of a list's page.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// Paging selects a part of a list: Limit entities (1 to MaxLimit) after skipping Offset, starting after the position After.
// After and Offset are not used together.
type Paging struct {
	Limit  int
	Offset int64
	After  Position // nil for the start of the list
	Count  bool     // requests the exact total, whatever it costs
}

// Position is where a page ended, in an encoding that only the store that created it can decode. The HTTP layer signs it and
// binds it to its query.
type Position []byte

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  Position // nil on the last page
	Total *int64   // set if it was requested or costs nothing
}

// NodeQuery selects nodes. The zero value selects all.
type NodeQuery struct {
	Type   TypeName // nodes that have this label among their labels; empty for all
	Filter Filter
	Sort   Sort
	Paging
}

// Direction is the direction of an edge relative to a node.
type Direction string

// Directions. Both includes each self-loop once.
const (
	Both Direction = "both"
	Out  Direction = "out"
	In   Direction = "in"
)

// EdgeQuery selects edges. The zero value selects all. An end (SourceID, TargetID, NodeID) that does not exist selects
// no edges; a node in Of that does not exist is NOT_FOUND.
type EdgeQuery struct {
	Type     TypeName
	SourceID string
	TargetID string
	NodeID   string // either end
	Of       *Around
	Ends     bool // requests Edge.Ends
	Filter   Filter
	Sort     Sort
	Paging
}

// Around selects the edges of one node: GET /api/nodes/{node_id}/edges.
type Around struct {
	NodeID    string
	Direction Direction
}
