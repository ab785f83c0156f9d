package cypher

// The statements that only batches of operations use. Their changes are made by the statements on single entities and those of imports.
var (
	BatchBegin   = load("graph/batch_begin")
	BatchEnd     = load("graph/batch_end")
	LockNodes    = load("graph/lock_nodes")
	LockEdges    = load("graph/lock_edges")
	NodeDegrees  = load("graph/node_degrees")
	EdgesOfNodes = load("graph/edges_of_nodes")
)
