package cypher

// The statements on declarations of types, and those that validate the graph against their rules.
var (
	DeclarationsRead   = load("schema/declarations_read")
	DeclarationWrite   = load("schema/declaration_write")
	DeclarationRemove  = load("schema/declaration_remove")
	UniqueKeyOfNodes   = load("schema/unique_key_of_nodes")
	UniqueKeyOfEdges   = load("schema/unique_key_of_edges")
	UniqueKeyDrop      = load("schema/unique_key_drop")
	DeclaredNodesCheck = load("schema/declared_nodes_check")
	DeclaredEdgesCheck = load("schema/declared_edges_check")
	DeclaredNodeTexts  = load("schema/declared_node_texts")
	DeclaredEdgeTexts  = load("schema/declared_edge_texts")
)

var keyTemplate = newTemplate("{{variable}}.{{key}}")

// Keys is a list of properties of the entity that a variable is bound to: n.`a`, n.`b`.
func Keys(variable Variable, properties []string) Fragment {
	keys := make([]Fragment, len(properties))
	for i, p := range properties {
		keys[i] = keyTemplate.fill(Slots{"variable": variable.fragment(), "key": Quote(p)})
	}
	return join(", ", keys)
}
