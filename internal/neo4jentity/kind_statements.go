package neo4jentity

import (
	"maps"
	"slices"

	"graphrest/cypher"
)

// kindStatements are the statements, and the variable in them, that nodes and edges have one of each.
type kindStatements struct {
	Variable cypher.Variable

	byElementID, byID, byIDPerType cypher.Statement // reads
	readTexts                      cypher.Statement // of values that the driver cannot decode
	lock                           cypher.Statement
	create, createKeyed            cypher.Statement // keyed: with an idempotency key
	createAny                      cypher.Statement // of imports and batches: a node may have several labels, or none
	update, Remove                 cypher.Statement
	Restore, Revert                cypher.Statement // undo of a delete, and of an update
	checkDeclared                  cypher.Statement
	Extent                         cypher.Statement // of lists in the database's order

	perType func(names []string, id cypher.Fragment) cypher.Fragment // fills the slot each of byIDPerType
}

// StatementsOf has the statements of nodes and of edges.
var StatementsOf = map[kind]kindStatements{
	nodes: {
		Variable:    cypher.NodeVariable,
		byElementID: cypher.NodesByElement, byID: cypher.NodesByID, byIDPerType: cypher.NodesByIDEach, perType: cypher.NodesPerType,
		readTexts: cypher.ReadTexts,
		lock:      cypher.LockNodes,
		create:    cypher.CreateNodes, createKeyed: cypher.CreateNodesKeyed, createAny: cypher.ImportNodes,
		update: cypher.UpdateNodes, Remove: cypher.DeleteNodes, Restore: cypher.RestoreNodes, Revert: cypher.RevertNodes,
		checkDeclared: cypher.DeclaredNodesCheck,
		Extent:        cypher.ListNodesExtent,
	},
	edges: {
		Variable:    cypher.EdgeVariable,
		byElementID: cypher.EdgesByElement, byID: cypher.EdgesByID, byIDPerType: cypher.EdgesByIDEach, perType: cypher.EdgesPerType,
		readTexts: cypher.ReadEdgeTexts,
		lock:      cypher.LockEdges,
		create:    cypher.CreateEdges, createKeyed: cypher.CreateEdgesKeyed, createAny: cypher.CreateEdges,
		update: cypher.UpdateEdges, Remove: cypher.DeleteEdges, Restore: cypher.RestoreEdges, Revert: cypher.RevertEdges,
		checkDeclared: cypher.DeclaredEdgesCheck,
		Extent:        cypher.ListEdgesExtent,
	},
}

// Texts fills the slots of statements.
type Texts struct {
	IDName cypher.Fragment // the id property, quoted
}

// TextOf is a statement whose only slot, if it has one, is the id property.
func (st *Texts) TextOf(statement cypher.Statement) cypher.Text {
	return st.textWithEnds(statement, EndColumns{}, nil)
}

// textWithEnds is a statement with its slots filled: with those given, which it must have, and, if it has them, with the id property,
// the columns of an edge's ends and the view of everything.
func (st *Texts) textWithEnds(statement cypher.Statement, ends EndColumns, given cypher.Slots) cypher.Text {
	slots := make(cypher.Slots, len(statement.Slots))
	if slices.Contains(statement.Slots, "id") {
		slots["id"] = st.IDName
	}
	if slices.Contains(statement.Slots, "view") {
		slots["view"] = cypher.True
	}
	if slices.Contains(statement.Slots, "ends") {
		slots["ends"] = ends.slot(st.IDName)
	}
	maps.Copy(slots, given) // Text panics on a slot that the statement lacks
	return statement.Text(slots)
}
