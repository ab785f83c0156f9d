// Package pattern is the domain of questions over several hops: chains of nodes and edges, what of them is answered, and what is wrong with
// a question. It reads the JSON form of a question and runs nothing.
package pattern

import (
	"context"
	"slices"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/graph"
)

// Limits of a question.
const (
	MaxChains   = 4 // in match, and in without
	MaxNodes    = 6 // in a chain
	MaxSteps    = 3 // edges of a hop
	MaxTypes    = 100
	MaxIDs      = 1000 // in arrays
	MaxColumns  = 100
	MaxGroups   = 16 // columns that group
	MaxMeasures = 16
	MaxSortKeys = 16
	MaxOffset   = 10_000
)

// Matcher answers questions.
type Matcher interface {
	// Match answers a question with what the user of the context may see. DATABASE_TIMEOUT names the cause. CONFLICT: more than one node
	// has an id of the question. DATABASE_UNAVAILABLE if no place becomes free in time.
	Match(ctx context.Context, q *Question) (*answer.Answer, error)
	// ExplainMatch returns the statement of a question and its plan without running it. PERMISSION_DENIED: rules limit what the user sees.
	ExplainMatch(ctx context.Context, q *Question) (*Explanation, error)
}

// Question asks for the bindings of the names in its chains, as rows or in groups. Parse makes one; its zero value is not valid.
type Question struct {
	Match, Without []Chain
	Names          []Name // of Match, in order of appearance
	Columns        []Ref  // of rows: at least one; none in groups
	Grouped        bool
	GroupBy        []Ref
	Measures       []Measure
	Sort           []SortKey
	Limit, Offset  int
	MaxBytes       int64 // of the rows, if that is less than a page may have; 0: as a page

	UserID  string        // whose share of the places of queries it takes
	Timeout time.Duration // from its place on, if that of the database is longer; 0: none
	Began   func()        // called when it has a place; nil: nothing is
}

// Name is a name of a node or an edge.
type Name struct {
	Text string
	Kind graph.Kind
}

// Chain alternates nodes and hops: Hops[i] leads from Nodes[i] to Nodes[i+1].
type Chain struct {
	Place string // such as match[0]
	Nodes []Node
	Hops  []Hop
}

// Node is a node of a chain. Nodes of the same name are one node.
type Node struct {
	Place  string // such as match[0][2]
	As     string // empty if it has no name
	Type   graph.TypeName
	ID     string   // an id or an element id; empty for any
	IDs    []string // the node has one of these; nil if they do not matter
	Filter graph.Filter
}

// IsIdentified reports whether the node has an id, or one of several.
func (n Node) IsIdentified() bool { return n.ID != "" || n.IDs != nil }

// Hop is an edge, or between Min and Max edges one after another, each of which meets the conditions.
type Hop struct {
	Place     string
	As        string
	Types     []graph.TypeName // none for any
	Direction graph.Direction
	Filter    graph.Filter
	Min, Max  int
}

// IsOne reports whether a hop is one edge.
func (h Hop) IsOne() bool { return h.Min == 1 && h.Max == 1 }

// Ref refers to a named node or edge, or to a property of it.
type Ref struct {
	Name
	Property string // empty for the node or edge itself
}

// Column is the name of the column that a reference fills.
func (r Ref) Column() string {
	if r.Property == "" {
		return r.Text
	}
	return r.Text + "." + r.Property
}

// Op is an operation of a measure.
type Op string

// Operations.
const (
	Count Op = "count" // of rows, or of distinct values that are not null
	Sum   Op = "sum"
	Mean  Op = "mean"
	Min   Op = "min"
	Max   Op = "max"
)

// Measure is a value of each group.
type Measure struct {
	Op     Op
	Of     *Ref // nil for the number of rows
	Column string
}

// SortKey is what rows or groups are sorted by.
type SortKey struct {
	Ref        Ref // of rows
	Column     int // of groups: the position among the columns that group and then the measures
	Descending bool
}

// ColumnNames are the names of the columns of the answer.
func (q *Question) ColumnNames() []string {
	var columns []string
	for _, ref := range slices.Concat(q.Columns, q.GroupBy) {
		columns = append(columns, ref.Column())
	}
	for _, m := range q.Measures {
		columns = append(columns, m.Column)
	}
	return columns
}

// Explanation is how a question is answered.
type Explanation struct {
	Cypher     string
	Parameters map[string]answer.Cell
	Plan       Operator
}

// Operator is an operator of a plan, with those that it reads from.
type Operator struct {
	Name          string     `json:"operator"`
	Details       string     `json:"details,omitempty"`
	EstimatedRows float64    `json:"estimated_rows"`
	Children      []Operator `json:"children,omitempty"`
}
