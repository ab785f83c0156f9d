package cypher

// The statements that create and drop indexes on properties. SchemaIndexes lists the indexes. The list shapes show which indexes would
// help.
var (
	CreateIndexNodes = load("schema/create_index_nodes")
	CreateIndexEdges = load("schema/create_index_edges")
	DropIndex        = load("schema/drop_index")

	ListShapesAdd  = load("schema/list_shapes_add")
	ListShapesRead = load("schema/list_shapes_read")
)

// The kinds of index, for the slot kind.
var (
	RangeIndex = literal("RANGE")
	TextIndex  = literal("TEXT")
	PointIndex = literal("POINT")
)
