package cypher

// The statements that move whole graphs in and out. Edges are imported by CreateEdges; what exists already is looked up and changed
// by the statements on single entities.
var (
	ExportNodes           = load("graph/export_nodes")
	ExportNodesUnlabelled = load("graph/export_nodes_unlabelled")
	ExportEdges           = load("graph/export_edges")
	ImportNodes           = load("graph/import_nodes")
	MakeLabel             = load("graph/make_label")
)
