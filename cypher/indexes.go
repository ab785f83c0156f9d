package cypher

// The statements that make and drop indexes on properties. SchemaIndexes lists them. The list shapes tell which would help.
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
