package neo4jschema

import (
	"graphrest/cypher"
	"graphrest/internal/graph"
)

// kindStatements are the statements, and the variable in them, that nodes and edges have one of each.
type kindStatements struct {
	variable    cypher.Variable
	manage      cypher.Statement // the constraint of a type's ids
	uniqueKey   cypher.Statement
	createIndex cypher.Statement
	texts       cypher.Statement // of a proposed declaration
	// sample reads the properties of a type, and lists those that are lists of integers. The former has the managed types as a parameter.
	sample, lists cypher.Statement
	managed       string
}

var statementsOf = map[graph.Kind]kindStatements{
	graph.NodeKind: {
		cypher.NodeVariable, cypher.ManageNodeType, cypher.UniqueKeyOfNodes, cypher.CreateIndexNodes, cypher.DeclaredNodeTexts,
		cypher.SchemaNodesSample, cypher.SchemaNodeLists, "managed_labels",
	},
	graph.EdgeKind: {
		cypher.EdgeVariable, cypher.ManageEdgeType, cypher.UniqueKeyOfEdges, cypher.CreateIndexEdges, cypher.DeclaredEdgeTexts,
		cypher.SchemaEdgesSample, cypher.SchemaEdgeLists, "managed_types",
	},
}
