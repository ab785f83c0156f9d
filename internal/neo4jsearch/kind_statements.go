package neo4jsearch

import (
	"graphrest/cypher"
	"graphrest/internal/graph"
)

// kindStatements are the statements, and the variable in them, that nodes and edges have one of each.
type kindStatements struct {
	variable            cypher.Variable
	search, createIndex cypher.Statement
}

var statementsOf = map[graph.Kind]kindStatements{
	graph.NodeKind: {cypher.NodeVariable, cypher.SearchNodes, cypher.CreateSearchIndexNodes},
	graph.EdgeKind: {cypher.EdgeVariable, cypher.SearchEdges, cypher.CreateSearchIndexEdges},
}
