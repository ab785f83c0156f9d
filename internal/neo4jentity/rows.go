package neo4jentity

import (
	"slices"

	"graphrest/internal/bolt"
)

// A row that a batch statement returns is a tuple, whose columns are named here. The first is the index of the row that it answers.
const RowColumn = 0

// The columns of an entity that was read, locked or updated. Those of the ends are only of edges.
const (
	ElementIDColumn = 1
	namesColumn     = 2 // the labels of a node, the type of an edge
	contentColumn   = 3 // the properties
	sourceColumn    = 4 // element id, labels and id property of an end
	targetColumn    = 7
	endsColumn      = 10 // what was requested of the ends, in the rows of the statements that look edges up or lock them
)

// ElementOf decodes an entity.
func ElementOf(k kind, t bolt.Tuple) *Record {
	e := &Record{ElementID: t.Text(ElementIDColumn), Properties: t.Properties(contentColumn)}
	if k == nodes {
		e.Names = bolt.AsTexts(t.List(namesColumn))
		return e
	}
	e.Names = []string{t.Text(namesColumn)}
	e.Source, e.Target = decodeEnd(t, sourceColumn), decodeEnd(t, targetColumn)
	return e
}

// decodeEnd decodes an end of an edge, whose columns begin at one.
func decodeEnd(t bolt.Tuple, column int) EdgeEnd {
	return EdgeEnd{ElementID: t.Text(column), Labels: t.List(column + 1), Own: t[column+2]}
}

// elementWithEnds decodes an entity that was looked up or locked, with what was requested of an edge's ends.
func elementWithEnds(k kind, t bolt.Tuple) *Record {
	e := ElementOf(k, t)
	if k == edges {
		e.SetEnds(t.List(endsColumn))
	}
	return e
}

// SetEnds sets what was requested of the ends from their column, whose names and values are each null if they were not.
func (e *Record) SetEnds(column []any) {
	if len(column) == 2 {
		e.ends, e.endValues = bolt.AsList(column[0]), bolt.AsList(column[1])
	}
}

// NeedsValidation reports whether an update did not change its entity, because the declaration must be checked first.
func NeedsValidation(t bolt.Tuple) bool { return t[contentColumn] == nil }

// withoutContent is the row of an entity without its properties.
func withoutContent(t bolt.Tuple) bolt.Tuple {
	t = slices.Clone(t)
	t[contentColumn] = map[string]any{}
	return t
}

// CreatedRow is the result of a row of a create.
type CreatedRow struct {
	ElementID                   string // empty if nothing was created
	Source, Target              bool   // of an edge: whether the end was found
	replayID, replayFingerprint string // what the idempotency key referred to already; empty if nothing
}

// The columns of a created entity, after its element id. The first two are only of edges, the others follow with an idempotency key.
const (
	sourceFoundColumn = 2
	targetFoundColumn = 3
)

// DecodeCreated reads what the statement of a create returns for a row.
func DecodeCreated(k kind, t bolt.Tuple) CreatedRow {
	row, next := CreatedRow{ElementID: t.Text(ElementIDColumn), Source: true, Target: true}, sourceFoundColumn
	if k == edges {
		row.Source, _ = t[sourceFoundColumn].(bool)
		row.Target, _ = t[targetFoundColumn].(bool)
		next = targetFoundColumn + 1
	}
	if len(t) > next {
		row.replayID, row.replayFingerprint = t.Text(next), t.Text(next+1)
	}
	return row
}

// EncodeCreated is the row of an entity that was created, as its statement returns it.
func EncodeCreated(k kind, row int, elementID string) bolt.Tuple {
	t := bolt.Tuple{int64(row), elementID}
	if k == edges {
		t = append(t, true, true)
	}
	return t
}

// DeletedRow is the result of a row of a delete of an existing entity.
type DeletedRow struct {
	Deleted bool
	isLarge bool  // nothing was deleted because the node's degree is too high for a batch
	Edges   int64 // deleted with the node; not deleted: its edges
}

const (
	deletedColumn      = 1 // null for a large node
	deletedEdgesColumn = 2
)

// DecodeDeleted decodes the result of a delete; nil if there is no such entity.
func DecodeDeleted(t bolt.Tuple) *DeletedRow {
	if t == nil {
		return nil
	}
	deleted, _ := t[deletedColumn].(bool)
	return &DeletedRow{Deleted: deleted, isLarge: t[deletedColumn] == nil, Edges: t.Integer(deletedEdgesColumn)}
}

// DegreeColumn is the column of a node's degree.
const DegreeColumn = 1
