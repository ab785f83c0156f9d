package cypher

// KeyShown is the condition that an entity shows the property whose key is the variable k, for the statements that read samples. Condition
// i is that of the keys $view.keys[i]. Other keys have none.
func KeyShown(conditions []Fragment) Fragment {
	if len(conditions) == 0 {
		return True
	}
	cases := make([]Fragment, len(conditions))
	for i, c := range conditions {
		cases[i] = keyCase.fill(Slots{"number": number(i), "condition": c})
	}
	return keyShown.fill(Slots{"cases": join(" ", cases)})
}

var (
	keyCase  = newTemplate("WHEN k IN $view.keys[{{number}}] THEN {{condition}}")
	keyShown = newTemplate("CASE {{cases}} ELSE true END")
)

// The statements that read the schema: counts, property keys, connections, indexes and constraints.
var (
	SchemaCounts        = load("schema/schema_counts")
	SchemaCountNodes    = load("schema/schema_count_nodes")
	SchemaCountEdges    = load("schema/schema_count_edges")
	SchemaCountAllNodes = load("schema/schema_count_all_nodes")
	SchemaCountAllEdges = load("schema/schema_count_all_edges")
	SchemaInternalNodes = load("schema/schema_internal_nodes")
	SchemaInternalEdges = load("schema/schema_internal_edges")
	SchemaNodesAll      = load("schema/schema_nodes_all")
	SchemaNodesSample   = load("schema/schema_nodes_sample")
	SchemaEdgesAll      = load("schema/schema_edges_all")
	SchemaEdgesSample   = load("schema/schema_edges_sample")
	SchemaNodeLists     = load("schema/schema_node_lists")
	SchemaEdgeLists     = load("schema/schema_edge_lists")
	SchemaConnections   = load("schema/schema_connections")
	SchemaIndexes       = load("schema/schema_indexes")
	SchemaConstraints   = load("schema/schema_constraints")
)
