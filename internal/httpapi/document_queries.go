package httpapi

import (
	"encoding/json"
	"time"
)

// SavedQueryBody is the body of a saved query's creation.
type SavedQueryBody struct {
	Name        string `json:"name" example:"top_customers" minLength:"1" maxLength:"48" validate:"required"`
	Description string `json:"description,omitempty" example:"Customers by revenue" maxLength:"1000" validate:"optional"`
	Cypher      string `json:"cypher,omitempty" validate:"optional"` // or pattern
	// with {"$param":"name"} as a value of a filter
	Pattern      *MatchBody      `json:"pattern,omitempty" validate:"optional"`
	Parameters   json.RawMessage `json:"parameters,omitempty" swaggertype:"object" validate:"optional"`           // JSON Schemas by name
	Timeout      any             `json:"timeout,omitempty" swaggertype:"string" example:"2s" validate:"optional"` // or whole seconds
	MaxRows      int             `json:"max_rows,omitempty" example:"1000" minimum:"1" maximum:"50000" default:"1000" validate:"optional"`
	MaxBytes     int64           `json:"max_bytes,omitempty" minimum:"1" maximum:"67108864" default:"16777216" validate:"optional"`
	CacheSeconds int64           `json:"cache_seconds,omitempty" example:"0" minimum:"0" maximum:"86400" default:"0" validate:"optional"`
	Allow        []string        `json:"allow,omitempty" enums:"cartesian_product,unbounded_path,all_nodes_scan" validate:"optional"`
} // @name NewSavedQuery

// SavedQueryChangeBody is the body of another version; absent members stay as they are.
type SavedQueryChangeBody struct {
	Name         string          `json:"name,omitempty" example:"top_customers" validate:"optional"` // as in the path
	Description  string          `json:"description,omitempty" example:"Customers by revenue" maxLength:"1000" validate:"optional"`
	Cypher       string          `json:"cypher,omitempty" validate:"optional"`
	Pattern      *MatchBody      `json:"pattern,omitempty" validate:"optional"`
	Parameters   json.RawMessage `json:"parameters,omitempty" swaggertype:"object" validate:"optional"`           // replaced as a whole
	Timeout      any             `json:"timeout,omitempty" swaggertype:"string" example:"2s" validate:"optional"` // or whole seconds
	MaxRows      int             `json:"max_rows,omitempty" example:"1000" minimum:"1" maximum:"50000" validate:"optional"`
	MaxBytes     int64           `json:"max_bytes,omitempty" example:"16777216" minimum:"1" maximum:"67108864" validate:"optional"`
	CacheSeconds int64           `json:"cache_seconds,omitempty" example:"0" minimum:"0" maximum:"86400" validate:"optional"`
	Allow        []string        `json:"allow,omitempty" enums:"cartesian_product,unbounded_path,all_nodes_scan" validate:"optional"`
} // @name SavedQueryChange

// SavedQueryVersion is what a version has beside its definition.
type SavedQueryVersion struct {
	Version       int64     `json:"version" example:"1" minimum:"1"` // of the ETag: "1" is the ETag of version 1
	CypherVersion int       `json:"cypher_version" example:"5"`      // that the database had at saving: 5 or 25
	Columns       []string  `json:"columns" example:"name"`          // of the answer
	Operators     []string  `json:"operators" example:"NodeByLabelScan"`
	Author        string    `json:"author" example:"ann"` // who saved the version
	CreatedAt     time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt     time.Time `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"` // when the version was saved
} // @name SavedQueryVersion

// SavedQueryWarnings are what the database warns of.
type SavedQueryWarnings struct {
	Warnings []WarningDocument `json:"warnings,omitempty" validate:"optional"` // in the answer of a save
} // @name SavedQueryWarnings

// SavedQueryDocument is a saved query.
type SavedQueryDocument struct {
	Name         string          `json:"name" example:"top_customers"`
	Description  string          `json:"description" example:"Customers by revenue"`
	Cypher       string          `json:"cypher,omitempty" validate:"optional"`  // or pattern
	Pattern      *MatchBody      `json:"pattern,omitempty" validate:"optional"` // as it was saved
	Parameters   json.RawMessage `json:"parameters" swaggertype:"object"`
	Timeout      any             `json:"timeout,omitempty" swaggertype:"string" example:"2s" validate:"optional"`
	MaxRows      int             `json:"max_rows" example:"1000"`
	MaxBytes     int64           `json:"max_bytes" example:"16777216"`
	CacheSeconds int64           `json:"cache_seconds" example:"0"`
	Allow        []string        `json:"allow" example:"unbounded_path" enums:"cartesian_product,unbounded_path,all_nodes_scan"`
	SavedQueryVersion
	SavedQueryWarnings
} // @name SavedQuery

// SavedQueryDeletionDocument is the result of a saved query's deletion.
type SavedQueryDeletionDocument struct {
	Name    string `json:"name" example:"top_customers"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name SavedQueryDeletion

// RunnableVersion is the version of a query that one may run.
type RunnableVersion struct {
	Version int64 `json:"version" example:"1" minimum:"1"`
} // @name RunnableVersion

// RunnableQueryDocument is a query as those see it who may run it.
type RunnableQueryDocument struct {
	Name        string           `json:"name" example:"top_customers"`
	Description string           `json:"description" example:"Customers by revenue"`
	Parameters  json.RawMessage  `json:"parameters" swaggertype:"object"` // JSON Schemas by name, with default, description and choices
	Columns     []ColumnDocument `json:"columns"`
	RunnableVersion
} // @name RunnableQuery

// RunQueryBody has the parameters of a run.
type RunQueryBody struct {
	Parameters map[string]any `json:"parameters,omitempty" swaggertype:"object" validate:"optional"` // typed JSON by name
} // @name RunQuery

// QueryTextBody is a query that is not saved.
type QueryTextBody struct {
	Cypher     string         `json:"cypher" validate:"required"`
	Parameters map[string]any `json:"parameters,omitempty" swaggertype:"object" validate:"optional"` // typed JSON by name
	Explain    bool           `json:"explain,omitempty" example:"false" default:"false" validate:"optional"`
} // @name QueryText

// ColumnDocument is a column of an answer.
type ColumnDocument struct {
	Name  string   `json:"name" example:"name"`
	Types []string `json:"types" example:"String"` // of the values, in byte order; null has none
} // @name Column

// AnswerDocument is the answer of a question: a table, and each node and edge of its cells once.
type AnswerDocument struct {
	Columns []ColumnDocument `json:"columns"`
	Rows    [][]any          `json:"rows" swaggertype:"array,object"` // arrays of cells
	Nodes   []Node           `json:"nodes"`
	Edges   []Edge           `json:"edges"`
} // @name TableAnswer

// VerdictDocument is the verdict of the guard.
type VerdictDocument struct {
	Accepted bool             `json:"accepted" example:"true"`
	Reasons  []ReasonDocument `json:"reasons"`
} // @name Verdict

// QueryExplanationDocument is what the guard and the planner say of a query.
type QueryExplanationDocument struct {
	Verdict   VerdictDocument `json:"verdict"`
	Columns   []string        `json:"columns" example:"name"`
	Operators []string        `json:"operators" example:"NodeByLabelScan"`
	// null if it could tell something of internal data
	EstimatedRows *float64          `json:"estimated_rows" example:"10" extensions:"x-nullable"`
	Plan          any               `json:"plan" swaggertype:"object" extensions:"x-nullable"` // operators with those that they read from
	Warnings      []WarningDocument `json:"warnings"`
} // @name QueryExplanation

// WarningDocument is what the database warns of.
type WarningDocument struct {
	Line    int    `json:"line,omitempty" example:"1" validate:"optional"` // absent if unknown
	Column  int    `json:"column,omitempty" example:"7" validate:"optional"`
	Message string `json:"message" example:"One of the labels in your query is not available in the database"`
} // @name QueryWarning

// ReasonDocument is why a query is refused.
type ReasonDocument struct {
	Line     int    `json:"line,omitempty" example:"1" validate:"optional"` // absent if unknown
	Column   int    `json:"column,omitempty" example:"7" validate:"optional"`
	Operator string `json:"operator,omitempty" example:"Create" validate:"optional"`
	Message  string `json:"message" example:"writes, which no query may"`
} // @name QueryReason

// PastQueryDocument is a version of a saved query.
type PastQueryDocument struct {
	SavedQueryDocument
} // @name PastQuery
