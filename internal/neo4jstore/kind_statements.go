package neo4jstore

import (
	"maps"
	"slices"

	"graphrest/cypher"
)

// kindStatements are the statements, and the variable in them, that nodes and edges have one of each.
type kindStatements struct {
	variable cypher.Variable

	byElementID, byID, byIDPerType cypher.Statement // reads
	readTexts                      cypher.Statement // of values that the driver cannot decode
	lock                           cypher.Statement
	create, createKeyed            cypher.Statement // keyed: with an idempotency key
	createAny                      cypher.Statement // of imports and batches: a node may have several labels, or none
	update, remove                 cypher.Statement
	restore, revert                cypher.Statement // undo of a delete, and of an update
	checkDeclared                  cypher.Statement
	extent                         cypher.Statement // of lists in the database's order

	perType func(names []string, id cypher.Fragment) cypher.Fragment // fills the slot each of byIDPerType
}

var statementsOf = map[kind]kindStatements{
	nodes: {
		variable:    cypher.NodeVariable,
		byElementID: cypher.NodesByElement, byID: cypher.NodesByID, byIDPerType: cypher.NodesByIDEach, perType: cypher.NodesPerType,
		readTexts: cypher.ReadTexts,
		lock:      cypher.LockNodes,
		create:    cypher.CreateNodes, createKeyed: cypher.CreateNodesKeyed, createAny: cypher.ImportNodes,
		update: cypher.UpdateNodes, remove: cypher.DeleteNodes, restore: cypher.RestoreNodes, revert: cypher.RevertNodes,
		checkDeclared: cypher.DeclaredNodesCheck,
		extent:        cypher.ListNodesExtent,
	},
	edges: {
		variable:    cypher.EdgeVariable,
		byElementID: cypher.EdgesByElement, byID: cypher.EdgesByID, byIDPerType: cypher.EdgesByIDEach, perType: cypher.EdgesPerType,
		readTexts: cypher.ReadEdgeTexts,
		lock:      cypher.LockEdges,
		create:    cypher.CreateEdges, createKeyed: cypher.CreateEdgesKeyed, createAny: cypher.CreateEdges,
		update: cypher.UpdateEdges, remove: cypher.DeleteEdges, restore: cypher.RestoreEdges, revert: cypher.RevertEdges,
		checkDeclared: cypher.DeclaredEdgesCheck,
		extent:        cypher.ListEdgesExtent,
	},
}

// statementTexts fills the slots of statements.
type statementTexts struct {
	idName cypher.Fragment // the id property, quoted
}

// textOf is a statement whose only slot, if it has one, is the id property.
func (st *statementTexts) textOf(statement cypher.Statement) cypher.Text {
	return st.textWithEnds(statement, endColumns{}, nil)
}

// textWithEnds is a statement with its slots filled: with those given, which it must have, and, if it has them, with the id property and
// the columns of an edge's ends.
func (st *statementTexts) textWithEnds(statement cypher.Statement, ends endColumns, given cypher.Slots) cypher.Text {
	slots := make(cypher.Slots, len(statement.Slots))
	if slices.Contains(statement.Slots, "id") {
		slots["id"] = st.idName
	}
	if slices.Contains(statement.Slots, "ends") {
		slots["ends"] = ends.slot(st.idName)
	}
	maps.Copy(slots, given) // Text panics on a slot that the statement lacks
	return statement.Text(slots)
}
