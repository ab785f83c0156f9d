package answer

import (
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Limits bound an answer.
type Limits struct {
	Rows    int
	Bytes   int64 // of the JSON of its rows, nodes and edges
	MinRows int   // rows that are added whatever their size
}

// Builder composes an answer row by row.
type Builder struct {
	answer  Answer
	limits  Limits
	bytes   int64
	types   []map[string]bool // of each column
	nodes   map[string]bool   // ids that are in the answer
	edges   map[string]bool
	scratch []byte
}

// NewBuilder starts an answer with these columns.
func NewBuilder(columns []string, limits Limits) *Builder {
	b := &Builder{limits: limits, nodes: map[string]bool{}, edges: map[string]bool{}}
	b.answer.Rows, b.answer.Nodes, b.answer.Edges = []Row{}, []graph.Node{}, []graph.Edge{}
	for _, name := range columns {
		b.answer.Columns = append(b.answer.Columns, Column{Name: name})
		b.types = append(b.types, map[string]bool{})
	}
	return b
}

// Add adds a row with the nodes and edges in its cells, of which those that the answer has are ignored. False: the answer is full, the row
// was not added, and the answer says why it is truncated. So a caller reads one row more than Limits.Rows.
func (b *Builder) Add(row Row, nodes []graph.Node, edges []graph.Edge) bool {
	if b.answer.Meta.Truncated != Whole {
		return false
	}
	if len(b.answer.Rows) >= b.limits.Rows {
		b.answer.Meta.Truncated = RowLimit
		return false
	}
	size := b.sizeOf(row, nodes, edges)
	if b.bytes+size > b.limits.Bytes && len(b.answer.Rows) >= b.limits.MinRows {
		b.answer.Meta.Truncated = ByteLimit
		return false
	}
	b.bytes += size
	b.answer.Rows = append(b.answer.Rows, row)
	for i, cell := range row {
		if name := TypeOf(cell); name != "" {
			b.types[i][name] = true
		}
	}
	for i := range nodes {
		if !b.nodes[nodes[i].ID] {
			b.nodes[nodes[i].ID] = true
			b.answer.Nodes = append(b.answer.Nodes, nodes[i])
		}
	}
	for i := range edges {
		if !b.edges[edges[i].ID] {
			b.edges[edges[i].ID] = true
			b.answer.Edges = append(b.answer.Edges, edges[i])
		}
	}
	return true
}

// sizeOf is how many bytes a row adds to the answer.
func (b *Builder) sizeOf(row Row, nodes []graph.Node, edges []graph.Edge) int64 {
	b.scratch = AppendRow(b.scratch[:0], &row)
	for i := range nodes {
		if !b.nodes[nodes[i].ID] {
			b.scratch = typedjson.AppendNode(b.scratch, &nodes[i])
		}
	}
	for i := range edges {
		if !b.edges[edges[i].ID] {
			b.scratch = typedjson.AppendEdge(b.scratch, &edges[i])
		}
	}
	return int64(len(b.scratch))
}

// Answer ends the answer.
func (b *Builder) Answer() *Answer {
	for i, types := range b.types {
		names := make([]string, 0, len(types))
		for name := range types {
			names = append(names, name)
		}
		slices.Sort(names)
		b.answer.Columns[i].Types = names
	}
	return &b.answer
}

// TypeOf is the name of a cell's type: see Column. It is empty for null.
func TypeOf(c Cell) string {
	switch c := c.(type) {
	case NodeID:
		return "Node"
	case EdgeID:
		return "Edge"
	case Path:
		return "Path"
	case Map:
		return "Map"
	case Unsupported:
		return unsupported
	case []Cell:
		return typeOfList(c)
	}
	return typedjson.TypeName(c)
}

// typeOfList is List<X> for elements of one type, else List.
func typeOfList(list []Cell) string {
	const listName = "List"
	if len(list) == 0 {
		return listName
	}
	one := TypeOf(list[0])
	for _, e := range list[1:] {
		if TypeOf(e) != one {
			return listName
		}
	}
	if one == "" {
		return listName
	}
	return listName + "<" + one + ">"
}
