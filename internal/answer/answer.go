// Package answer is the answer of a question to the graph that is not a list of entities: a table whose cells are values, nodes, edges
// and paths, with each node and edge once beside it. It builds one within limits and encodes it as JSON, NDJSON and CSV.
package answer

import (
	"time"

	"graphrest/internal/graph"
)

// Answer is a table and the entities in its cells.
type Answer struct {
	Columns []Column
	Rows    []Row
	Nodes   []graph.Node // each node of the cells once, in the order of their first cells
	Edges   []graph.Edge // each edge of the cells once
	Meta    Meta
}

// Column is a column of a table. Types are the types of its values, as in the schema (String, Integer, List<Float>), besides Node, Edge,
// Path, Map and Unsupported, in byte order; null has none.
type Column struct {
	Name  string
	Types []string
}

// Row is one row: a cell for each column.
type Row []Cell

// Cell is the value of a cell: a graph.Value, where a list may also contain null, lists and the following, or one of them.
type Cell = any

// NodeID is a node in a cell.
type NodeID string

// EdgeID is an edge in a cell.
type EdgeID string

// Path is a path in a cell: the ids of its nodes and edges in turn, beginning and ending with a node.
type Path []string

// Map is a map in a cell.
type Map map[string]Cell

// Unsupported is a value in a cell that the driver cannot decode; it names the type, such as VECTOR(3, FLOAT32).
type Unsupported string

// Truncation is why an answer is not whole.
type Truncation string

// The values of Truncation.
const (
	Whole       Truncation = ""
	RowLimit    Truncation = "rows"
	ByteLimit   Truncation = "bytes"
	unsupported            = "Unsupported"
)

// Meta is what is said about an answer.
type Meta struct {
	Truncated Truncation
	Elapsed   time.Duration // from the request to the last row
	Version   int64         // of the saved query; 0 if there is none
	Page      *Page         // nil if the answer has no pages
}

// Page says which part of all rows an answer is.
type Page struct {
	Limit, Offset int64
	HasMore       bool
}

// ColumnNames are the names of the columns of an answer.
func (a *Answer) ColumnNames() []string {
	names := make([]string, len(a.Columns))
	for i, c := range a.Columns {
		names[i] = c.Name
	}
	return names
}
