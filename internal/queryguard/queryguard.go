// Package queryguard decides whether a client's Cypher query may run, and hides internal data from it. A query is judged by its text, which
// a lexer and a parser of read queries understand completely or refuse, and by the plan that the database has for it, of which only known
// operators pass. What runs is not the client's text but a sealed one, in which each node and relationship that a pattern can reach is
// tested for the reserved names. docs/query-guard.md describes what is refused; ADR 0017 has the reasons.
package queryguard

import (
	"context"

	"graphrest/cypher"
)

// Names of Request.Allow: what a query may do only if its definition names it.
const (
	AllowCartesianProduct = "cartesian_product"
	AllowUnboundedPath    = "unbounded_path"
	AllowAllNodesScan     = "all_nodes_scan"
)

// Allowable lists the names that Request.Allow may have.
func Allowable() []string {
	return []string{AllowCartesianProduct, AllowUnboundedPath, AllowAllNodesScan}
}

// Request is a query to judge.
type Request struct {
	Text string
	// Language is 5 or 25, the Cypher version that a text without a prefix is read as; 0 is the default of the database.
	Language int
	// Parameters are values of the types that the query will run with; missing ones are planned without a value.
	Parameters map[string]any
	Allow      []string
}

// Checked is an accepted query.
type Checked struct {
	Text     cypher.Text // what runs in place of the client's text; it names internal data, so that it is never shown
	Language int         // the Cypher version that the text is read as: 5 or 25
	Columns  []string
	// Parameters are the names of those that the text uses, each once, in the order of the text.
	Parameters []string
	Operators  []string // the names of Plan's operators, each once, in byte order
	Warnings   []Warning
	// EstimatedRows is the planner's estimate for the whole query, nil if it could tell something of internal data.
	EstimatedRows *float64
	Plan          Operator // of the client's text, without what hides internal data
}

// Warning is what the database warns of in a query.
type Warning struct {
	Line    int    `json:"line,omitempty"` // from 1, in the client's text; 0 if unknown
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	OfNames bool   `json:"-"` // it says that the graph lacks a label, a type or a property
}

// Operator is one operator of a plan with those that it reads from.
type Operator struct {
	Name          string     `json:"operator"`
	Details       string     `json:"details,omitempty"`
	EstimatedRows *float64   `json:"estimated_rows,omitempty"`
	Children      []Operator `json:"children,omitempty"`
}

// Reason is why a query is refused: a place in the client's text, or an operator of its plan, or both.
type Reason struct {
	Line     int    `json:"line,omitempty"` // from 1; 0 if unknown
	Column   int    `json:"column,omitempty"`
	Operator string `json:"operator,omitempty"`
	Message  string `json:"message"` // what is wrong, and what to do
}

// Verdict is the judgement of a query that is only explained.
type Verdict struct {
	Accepted bool     `json:"accepted"`
	Reasons  []Reason `json:"reasons,omitempty"`
	// Checked of a refused query has no text to run; it has a plan if the database was asked for one.
	Checked Checked `json:"-"`
}

// Check judges a query. It returns QUERY_REJECTED with the reasons as details, VALIDATION_ERROR with line and column for a text that is no
// valid Cypher, or a fault of the database.
func (g *Guard) Check(ctx context.Context, r Request) (Checked, error) {
	verdict, err := g.Explain(ctx, r)
	if err != nil {
		return Checked{}, err
	}
	if !verdict.Accepted {
		return Checked{}, rejected(verdict.Reasons)
	}
	return verdict.Checked, nil
}
