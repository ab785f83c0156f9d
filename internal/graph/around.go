package graph

import "context"

// Limits of exploration around a node.
const (
	MaxDepth         = 3      // of neighbors
	DefaultMaxDegree = 1000   // edges followed from one node
	MaxMaxDegree     = 10_000 // maximum that a client can request
	DefaultPathDepth = 6      // edges of a path
	MaxPathDepth     = 12
	MaxPaths         = 100    // paths in one response
	MaxGraphEdges    = 10_000 // edges in one response
	MaxAmong         = 2000   // nodes of an AmongQuery
	MaxAmongTypes    = 100    // edge types of an AmongQuery
	DefaultAmong     = 1000   // edges of an AmongQuery
)

// Explorer reads the neighborhood of nodes. The rules are those of NodeStore: ids may be element ids, and internal data
// is invisible, neither a result nor part of a path to one.
type Explorer interface {
	// Degree counts a node's edges. NOT_FOUND. CONFLICT: more than one node has the id.
	Degree(ctx context.Context, id string) (Degree, error)
	// Neighbors finds the nodes around one, nearest first. NOT_FOUND and CONFLICT as Degree.
	Neighbors(ctx context.Context, q NeighborQuery) (Subgraph, error)
	// Paths finds shortest paths. NOT_FOUND, naming source_id or target_id, and CONFLICT as Degree.
	// DATABASE_TIMEOUT if the search space is too large.
	Paths(ctx context.Context, q PathQuery) (Subgraph, error)
	// Among finds the edges whose both ends are among some nodes. CONFLICT as Degree; a node that does not exist is ignored.
	Among(ctx context.Context, q AmongQuery) (AmongEdges, error)
}

// AmongQuery selects the edges whose both ends are among NodeIDs, at most MaxAmong.
type AmongQuery struct {
	NodeIDs []string
	Types   []TypeName // at most MaxAmongTypes; nil for all
	Limit   int        // maximum edges, 1 to MaxGraphEdges
}

// AmongEdges are edges ordered by type name, then by id.
type AmongEdges struct {
	Edges     []Edge // never nil
	Truncated bool   // there are more edges
}

// Degree is how many edges a node has. Edges from a node to itself count as Out and as In, and once in Total.
type Degree struct {
	ID             string
	Total, Out, In int64
	Counts         []DegreeCount // by direction (out first), edge type and node type; never nil
}

// DegreeCount is how many edges of a type, in a direction, have a node of a type at the other end.
type DegreeCount struct {
	EdgeType  string
	Direction Direction // Out or In
	NodeType  string    // empty for nodes without a type
	Count     int64
}

// NeighborQuery selects the nodes up to Depth edges away. It follows only edges of EdgeType in Direction, relative to
// the node they are followed from, and only nodes of NodeType; empty names select all.
type NeighborQuery struct {
	NodeID    string
	Direction Direction
	EdgeType  TypeName
	NodeType  TypeName
	Depth     int // 1 to MaxDepth
	Limit     int // maximum nodes besides the start node, 1 to MaxLimit
	MaxDegree int // maximum edges followed from one node, 1 to MaxMaxDegree
}

// PathQuery selects one shortest path between two nodes, or all shortest paths.
type PathQuery struct {
	SourceID, TargetID string
	EdgeType           TypeName
	Direction          Direction // as seen from the source: Out follows the edges' own direction
	MaxDepth           int       // maximum edges of a path, 1 to MaxPathDepth
	All                bool
}

// Subgraph is a part of the graph: each entity once, with both ends of each edge among the nodes.
type Subgraph struct {
	Nodes     []Node     // never nil; for neighbors the start node comes first
	Edges     []Edge     // never nil
	Paths     [][]string // ids of node, edge, node, ..., node; never nil
	Truncated bool       // the query has more results
}
