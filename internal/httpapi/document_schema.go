package httpapi

import (
	"encoding/json"
	"time"
)

// SchemaDocument is what was observed in the database.
type SchemaDocument struct {
	NodeTypes   []NodeTypeDocument   `json:"node_types"`
	EdgeTypes   []EdgeTypeDocument   `json:"edge_types"`
	Indexes     []IndexDocument      `json:"indexes"`
	Constraints []ConstraintDocument `json:"constraints"`
	IDProperty  string               `json:"id_property" example:"uuid"`                              // of managed types, in the database
	AsOf        time.Time            `json:"as_of" format:"date-time" example:"2026-11-21T07:00:00Z"` // when the oldest part was read
} // @name Schema

// NodeTypeDocument describes a node type.
type NodeTypeDocument struct {
	Type       string             `json:"type" example:"Person"`
	Count      *int64             `json:"count" example:"133" extensions:"x-nullable"` // null if the caller sees only some of the nodes
	Managed    bool               `json:"managed" example:"true"`                      // the gateway assigns ids to its nodes
	Properties []PropertyDocument `json:"properties"`
	Sampled    int64              `json:"sampled" example:"133"`                  // nodes that the properties were read from
	Declared   *DeclaredDocument  `json:"declared,omitempty" validate:"optional"` // absent if the type is not declared
	Style      *NodeStyleDocument `json:"style,omitempty" validate:"optional"`    // absent if the type has none
	// PalettePlace is the color that the type has by itself: its place in a palette of 20, which stays when other types are added.
	// Absent for users who do not see everything.
	PalettePlace int64 `json:"palette_place,omitempty" validate:"optional" minimum:"1" maximum:"20" example:"4"`
	// ShapePlace is likewise the shape that the type has: its place among 8.
	ShapePlace int64 `json:"shape_place,omitempty" validate:"optional" minimum:"1" maximum:"8" example:"2"`
} // @name NodeType

// EdgeTypeDocument describes an edge type.
type EdgeTypeDocument struct {
	Type             string               `json:"type" example:"ACTED_IN"`
	Count            *int64               `json:"count" example:"172" extensions:"x-nullable"` // null as for nodes
	Managed          bool                 `json:"managed" example:"true"`
	Properties       []PropertyDocument   `json:"properties"`
	Sampled          int64                `json:"sampled" example:"172"`
	Connections      []ConnectionDocument `json:"connections"`
	ConnectionsExact bool                 `json:"connections_exact" example:"true"` // false if they come from a sample or are outdated
	Declared         *DeclaredDocument    `json:"declared,omitempty" validate:"optional"`
	Style            *EdgeStyleDocument   `json:"style,omitempty" validate:"optional"`
} // @name EdgeType

// DeclaredDocument is the declaration of a type, in addition to what was observed.
type DeclaredDocument struct {
	Level       string          `json:"level" enums:"none,new,moderate,strict" example:"strict"`
	Schema      json.RawMessage `json:"schema" swaggertype:"object"` // JSON Schema of the properties
	Unique      [][]string      `json:"unique"`
	SourceTypes []string        `json:"source_types" example:"Airport"` // of an edge type; empty for any
	TargetTypes []string        `json:"target_types" example:"Airport"`
} // @name DeclaredAs

// PropertyDocument describes a property of a type.
type PropertyDocument struct {
	Name     string   `json:"name" example:"born"`
	Types    []string `json:"types" example:"Integer"`
	Presence float64  `json:"presence" example:"0.96" minimum:"0" maximum:"1"` // share of the sample that has it
	Indexed  bool     `json:"indexed" example:"false"`
	Unique   bool     `json:"unique" example:"false"`
} // @name Property

// ConnectionDocument counts the edges of a type between two node types.
type ConnectionDocument struct {
	SourceType *string `json:"source_type" example:"Person" extensions:"x-nullable"` // null for nodes without labels
	TargetType *string `json:"target_type" example:"Movie" extensions:"x-nullable"`
	Count      int64   `json:"count" example:"172"`
} // @name Connection

// IndexDocument is an index of the database.
type IndexDocument struct {
	Name       string   `json:"name" example:"person_name"`
	Kind       string   `json:"kind" example:"RANGE"`
	Entity     string   `json:"entity" example:"node" enums:"node,edge"`
	Types      []string `json:"types" example:"Person"`
	Properties []string `json:"properties" example:"name"`
	State      string   `json:"state" example:"ONLINE"`
} // @name Index

// ConstraintDocument is a constraint of the database.
type ConstraintDocument struct {
	Name       string   `json:"name" example:"movie_title"`
	Kind       string   `json:"kind" example:"UNIQUENESS"`
	Entity     string   `json:"entity" example:"node" enums:"node,edge"`
	Types      []string `json:"types" example:"Movie"`
	Properties []string `json:"properties" example:"title"`
} // @name Constraint
