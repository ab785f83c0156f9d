package neo4jstore

import (
	"slices"

	"graphrest/internal/bolt"
)

// A row that a batch statement returns is a tuple, whose columns are named here. The first is the index of the row that it answers.
const rowColumn = 0

// The columns of an entity that was read, locked or updated. Those of the ends are only of edges.
const (
	elementIDColumn = 1
	namesColumn     = 2 // the labels of a node, the type of an edge
	contentColumn   = 3 // the properties
	sourceColumn    = 4 // element id, labels and id property of an end
	targetColumn    = 7
	endsColumn      = 10 // what was requested of the ends, in the rows of the statements that look edges up or lock them
)

// elementOf decodes an entity.
func elementOf(k kind, t bolt.Tuple) *entityRecord {
	e := &entityRecord{elementID: t.Text(elementIDColumn), properties: t.Properties(contentColumn)}
	if k == nodes {
		e.names = bolt.AsTexts(t.List(namesColumn))
		return e
	}
	e.names = []string{t.Text(namesColumn)}
	e.source, e.target = decodeEnd(t, sourceColumn), decodeEnd(t, targetColumn)
	return e
}

// decodeEnd decodes an end of an edge, whose columns begin at one.
func decodeEnd(t bolt.Tuple, column int) edgeEnd {
	return edgeEnd{elementID: t.Text(column), labels: t.List(column + 1), own: t[column+2]}
}

// elementWithEnds decodes an entity that was looked up or locked, with what was requested of an edge's ends.
func elementWithEnds(k kind, t bolt.Tuple) *entityRecord {
	e := elementOf(k, t)
	if k == edges {
		e.setEnds(t.List(endsColumn))
	}
	return e
}

// setEnds sets what was requested of the ends from their column, whose names and values are each null if they were not.
func (e *entityRecord) setEnds(column []any) {
	if len(column) == 2 {
		e.ends, e.endValues = bolt.AsList(column[0]), bolt.AsList(column[1])
	}
}

// needsValidation reports whether an update did not change its entity, because the declaration must be checked first.
func needsValidation(t bolt.Tuple) bool { return t[contentColumn] == nil }

// withoutContent is the row of an entity without its properties.
func withoutContent(t bolt.Tuple) bolt.Tuple {
	t = slices.Clone(t)
	t[contentColumn] = map[string]any{}
	return t
}

// createdRow is the result of a row of a create.
type createdRow struct {
	elementID                   string // empty if nothing was created
	source, target              bool   // of an edge: whether the end was found
	replayID, replayFingerprint string // what the idempotency key referred to already; empty if nothing
}

// The columns of a created entity, after its element id. The first two are only of edges, the others follow with an idempotency key.
const (
	sourceFoundColumn = 2
	targetFoundColumn = 3
)

func decodeCreated(k kind, t bolt.Tuple) createdRow {
	row, next := createdRow{elementID: t.Text(elementIDColumn), source: true, target: true}, sourceFoundColumn
	if k == edges {
		row.source, _ = t[sourceFoundColumn].(bool)
		row.target, _ = t[targetFoundColumn].(bool)
		next = targetFoundColumn + 1
	}
	if len(t) > next {
		row.replayID, row.replayFingerprint = t.Text(next), t.Text(next+1)
	}
	return row
}

// encodeCreated is the row of an entity that was created, as its statement returns it.
func encodeCreated(k kind, row int, elementID string) bolt.Tuple {
	t := bolt.Tuple{int64(row), elementID}
	if k == edges {
		t = append(t, true, true)
	}
	return t
}

// deletedRow is the result of a row of a delete of an existing entity.
type deletedRow struct {
	deleted bool
	isLarge bool  // nothing was deleted because the node's degree is too high for a batch
	edges   int64 // deleted with the node; not deleted: its edges
}

const (
	deletedColumn      = 1 // null for a large node
	deletedEdgesColumn = 2
)

// decodeDeleted decodes the result of a delete; nil if there is no such entity.
func decodeDeleted(t bolt.Tuple) *deletedRow {
	if t == nil {
		return nil
	}
	deleted, _ := t[deletedColumn].(bool)
	return &deletedRow{deleted: deleted, isLarge: t[deletedColumn] == nil, edges: t.Integer(deletedEdgesColumn)}
}

// degreeColumn is the column of a node's degree.
const degreeColumn = 1
