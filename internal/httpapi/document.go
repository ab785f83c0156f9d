package httpapi

import "time"

// The request and response bodies. Those of nodes and edges are for the OpenAPI description only (typedjson writes them); the
// others are also encoded by the code.

// Meta comes with every successful answer.
type Meta struct {
	Status    string    `json:"status" example:"success" enums:"success"`
	Timestamp time.Time `json:"timestamp" format:"date-time" example:"2026-11-21T07:00:00.000Z"`
	Gap       bool      `json:"gap,omitempty" example:"false" validate:"optional"` // of a read of the past: true if the state is uncertain
} // @name Meta

// PageMeta is Meta with the page of a list.
type PageMeta struct {
	Status    string    `json:"status" example:"success" enums:"success"`
	Timestamp time.Time `json:"timestamp" format:"date-time" example:"2026-11-21T07:00:00.000Z"`
	Page      PageInfo  `json:"page"`
} // @name PageMeta

// PageInfo describes the page of a list.
type PageInfo struct {
	Limit      int     `json:"limit" example:"100"`
	Offset     int64   `json:"offset" example:"0"` // entities before this page, also with a cursor
	HasMore    bool    `json:"has_more" example:"false"`
	NextCursor *string `json:"next_cursor" extensions:"x-nullable"`                     // null on the last page
	Total      *int64  `json:"total,omitempty" example:"1" validate:"optional"`         // if it is known without cost, or with count=exact
	Truncated  bool    `json:"truncated,omitempty" example:"false" validate:"optional"` // of a search: true if not every hit was read
} // @name PageInfo

// Answer is the body of every successful response except tokens and streams. In the description, Answer[Node] is NodeAnswer and
// Answer[[]NodeType] is NodeTypeListAnswer.
type Answer[T any] struct {
	Data T    `json:"data"`
	Meta Meta `json:"meta"`
} // @name Answer

// ListAnswer is Answer for one page of a list. In the description, ListAnswer[Node] is NodeListAnswer.
type ListAnswer[T any] struct {
	Data []T      `json:"data"`
	Meta PageMeta `json:"meta"`
} // @name ListAnswer

// Node is a node.
type Node struct {
	ID         string         `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Type       *string        `json:"type" example:"Person" extensions:"x-nullable"` // null for a node without labels
	Labels     []string       `json:"labels" example:"Person"`
	Properties map[string]any `json:"properties" swaggertype:"object"`
} // @name Node

// Edge is an edge.
type Edge struct {
	ID         string         `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Type       string         `json:"type" example:"ACTED_IN"`
	SourceID   string         `json:"source_id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	TargetID   string         `json:"target_id" example:"01938c3e-1c2b-7aaa-8d0a-5f0c6a1b2c3d"`
	Source     *EdgeEnd       `json:"source,omitempty" validate:"optional"` // with ends=caption
	Target     *EdgeEnd       `json:"target,omitempty" validate:"optional"` // with ends=caption
	Properties map[string]any `json:"properties" swaggertype:"object"`
} // @name Edge

// EdgeEnd is a node at an end of an edge.
type EdgeEnd struct {
	Type    *string `json:"type" example:"Person" extensions:"x-nullable"`            // as of the node
	Caption *string `json:"caption" example:"Lana Wachowski" extensions:"x-nullable"` // null if no property names the node
} // @name EdgeEnd

// NewNodeBody is the body of a node's creation.
type NewNodeBody struct {
	Type       string         `json:"type" example:"Person" minLength:"1" maxLength:"255" validate:"required"`
	Properties map[string]any `json:"properties" swaggertype:"object" validate:"required"`
} // @name NewNode

// NewEdgeBody is the body of an edge's creation.
type NewEdgeBody struct {
	Type       string         `json:"type" example:"ACTED_IN" minLength:"1" maxLength:"255" validate:"required"`
	SourceID   string         `json:"source_id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d" validate:"required"`
	TargetID   string         `json:"target_id" example:"01938c3e-1c2b-7aaa-8d0a-5f0c6a1b2c3d" validate:"required"`
	Properties map[string]any `json:"properties,omitempty" swaggertype:"object" validate:"optional"`
} // @name NewEdge

// ChangeBody is the body of an update.
type ChangeBody struct {
	Properties map[string]any `json:"properties" swaggertype:"object" validate:"required"` // null removes a property
} // @name Change

// UpdatedNode is a node after an update; a user without the permission read gets id and type only.
type UpdatedNode struct {
	ID         string         `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Type       *string        `json:"type" example:"Person" extensions:"x-nullable"` // null for a node without labels
	Labels     []string       `json:"labels,omitempty" example:"Person" validate:"optional"`
	Properties map[string]any `json:"properties,omitempty" swaggertype:"object" validate:"optional"`
} // @name UpdatedNode

// UpdatedEdge is an edge after an update; a user without the permission read gets id and type only.
type UpdatedEdge struct {
	ID         string         `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Type       string         `json:"type" example:"ACTED_IN"`
	SourceID   string         `json:"source_id,omitempty" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d" validate:"optional"`
	TargetID   string         `json:"target_id,omitempty" example:"01938c3e-1c2b-7aaa-8d0a-5f0c6a1b2c3d" validate:"optional"`
	Properties map[string]any `json:"properties,omitempty" swaggertype:"object" validate:"optional"`
} // @name UpdatedEdge

// Degree is how many edges a node has.
type Degree struct {
	ID     string        `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Total  int64         `json:"total" example:"3" minimum:"0"` // an edge from the node to itself counts once
	Out    int64         `json:"out" example:"1" minimum:"0"`
	In     int64         `json:"in" example:"2" minimum:"0"`
	Counts []DegreeCount `json:"counts"`
} // @name Degree

// DegreeCount is how many edges of a type and direction lead to nodes of a type.
type DegreeCount struct {
	EdgeType  string  `json:"edge_type" example:"ACTED_IN"`
	Direction string  `json:"direction" example:"out" enums:"out,in"`
	NodeType  *string `json:"node_type" example:"Film" extensions:"x-nullable"` // null for nodes without a type
	Count     int64   `json:"count" example:"1" minimum:"1"`
} // @name DegreeCount

// Graph is a part of the graph: each entity once, with both ends of each edge.
type Graph struct {
	Nodes     []Node     `json:"nodes"`
	Edges     []Edge     `json:"edges"`
	Paths     [][]string `json:"paths"`                     // ids: node, edge, node, and so on
	Truncated bool       `json:"truncated" example:"false"` // there is more than this
} // @name Graph

// AmongBody is the body of a request for the edges among nodes.
type AmongBody struct {
	IDs   []string `json:"ids" minItems:"1" maxItems:"2000" validate:"required" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Types []string `json:"types,omitempty" minItems:"1" maxItems:"100" example:"ACTED_IN" validate:"optional"` // only edges of these types
	Limit int      `json:"limit,omitempty" minimum:"1" maximum:"10000" default:"1000" validate:"optional"`
} // @name Among

// AmongAnswer is the edges among nodes.
type AmongAnswer struct {
	Data []Edge    `json:"data"`
	Meta AmongMeta `json:"meta"`
} // @name AmongAnswer

// AmongMeta is Meta with whether there are more edges.
type AmongMeta struct {
	Status    string    `json:"status" example:"success" enums:"success"`
	Timestamp time.Time `json:"timestamp" format:"date-time" example:"2026-11-21T07:00:00.000Z"`
	Truncated bool      `json:"truncated" example:"false"`
} // @name AmongMeta

// NodeDeletion is the result of a node's deletion.
type NodeDeletion struct {
	ID           string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Deleted      bool   `json:"deleted" example:"true"`
	DeletedEdges int64  `json:"deleted_edges" example:"2"`
} // @name NodeDeletion

// EdgeDeletion is the result of an edge's deletion.
type EdgeDeletion struct {
	ID      string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name EdgeDeletion

// ErrorDetail describes the problem of one field.
type ErrorDetail struct {
	Field   string `json:"field" example:"type"`
	Message string `json:"message" example:"must not be empty"`
} // @name ErrorDetail
