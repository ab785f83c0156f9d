package httpapi

import "time"

// MatchBody is a question over several hops. Each chain is an array that alternates nodes and hops.
type MatchBody struct {
	Match   [][]MatchPart `json:"match" minItems:"1" maxItems:"4" validate:"required"`
	Without [][]MatchPart `json:"without,omitempty" maxItems:"4" validate:"optional"`
	// names, or properties as p.born; every name by default
	Columns  []string       `json:"columns,omitempty" example:"p,f.title" maxItems:"100" validate:"optional"`
	GroupBy  []string       `json:"group_by,omitempty" maxItems:"16" validate:"optional"` // as columns, which must then be absent
	Measures []MatchMeasure `json:"measures,omitempty" maxItems:"16" validate:"optional"`
	Sort     []string       `json:"sort,omitempty" example:"-f.rating" maxItems:"16" validate:"optional"` // "-" before a column descends
	Limit    int            `json:"limit,omitempty" minimum:"1" maximum:"1000" default:"100" validate:"optional"`
	Offset   int            `json:"offset,omitempty" minimum:"0" maximum:"10000" default:"0" validate:"optional"`
} // @name Match

// MatchPart is a node, with as, type, id, filter and any, or a hop, with edge, direction, as, filter, any and hops.
type MatchPart struct {
	As     string         `json:"as,omitempty" example:"p" pattern:"^[a-z][a-z0-9_]{0,30}$" validate:"optional"`
	Type   string         `json:"type,omitempty" example:"Person" validate:"optional"` // of a node
	ID     any            `json:"id,omitempty" validate:"optional"`                    // of a node, or an array: one of up to 1,000
	Filter map[string]any `json:"filter,omitempty" validate:"optional"`                // conditions by property and operator
	// alternatives, each as filter, of which one must hold
	Any       []map[string]any `json:"any,omitempty" maxItems:"20" validate:"optional"`
	Edge      any              `json:"edge,omitempty" validate:"optional"` // the type of a hop, or an array of types
	Direction string           `json:"direction,omitempty" enums:"out,in,both" default:"out" validate:"optional"`
	Hops      []int            `json:"hops,omitempty" minItems:"2" maxItems:"2" validate:"optional"` // the fewest and the most edges, 1 to 3
} // @name MatchPart

// MatchMeasure is a value of each group.
type MatchMeasure struct {
	Op string `json:"op" enums:"count,sum,mean,min,max" validate:"required"`
	Of string `json:"of,omitempty" example:"f.rating" validate:"optional"` // a property, or of count a name; rows are counted without it
	As string `json:"as,omitempty" example:"mean_rating" pattern:"^[a-z][a-z0-9_]{0,30}$" validate:"optional"`
} // @name MatchMeasure

// MatchAnswer is the rows of a question, and each node and edge in their cells once.
type MatchAnswer struct {
	Data MatchTable `json:"data"`
	Meta MatchMeta  `json:"meta"`
} // @name MatchAnswer

// MatchTable is a table, with the nodes and edges in its cells; with explain=true the statement instead.
type MatchTable struct {
	Columns    []MatchColumn  `json:"columns,omitempty" validate:"optional"`
	Rows       [][]any        `json:"rows,omitempty" validate:"optional"` // {"$node":id} and {"$edge":id} are nodes and edges
	Nodes      []Node         `json:"nodes,omitempty" validate:"optional"`
	Edges      []Edge         `json:"edges,omitempty" validate:"optional"`
	Cypher     string         `json:"cypher,omitempty" validate:"optional"` // with explain=true, as the next two
	Parameters map[string]any `json:"parameters,omitempty" validate:"optional"`
	Plan       map[string]any `json:"plan,omitempty" validate:"optional"` // operator, details, estimated_rows and children
} // @name MatchTable

// MatchColumn is a column with the types of its values on this page.
type MatchColumn struct {
	Name  string   `json:"name" example:"p.born"`
	Types []string `json:"types" example:"Integer"`
} // @name MatchColumn

// MatchMeta is Meta with the page and the time that the answer took.
type MatchMeta struct {
	Status    string    `json:"status" example:"success" enums:"success"`
	Timestamp time.Time `json:"timestamp" format:"date-time" example:"2026-11-21T07:00:00.000Z"`
	ElapsedMS float64   `json:"elapsed_ms,omitempty" example:"12.5" validate:"optional"`
	// the page ended at the size of an answer: go on by offset
	Truncated string    `json:"truncated,omitempty" enums:"bytes" validate:"optional"`
	Page      MatchPage `json:"page,omitempty" validate:"optional"`
} // @name MatchMeta

// MatchPage is the page of a question.
type MatchPage struct {
	Limit   int  `json:"limit" example:"100"`
	Offset  int  `json:"offset" example:"0"`
	HasMore bool `json:"has_more" example:"false"`
} // @name MatchPage
