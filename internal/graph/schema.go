package graph

import (
	"context"
	"time"
)

// SchemaStore reads the schema of the database.
type SchemaStore interface {
	// Schema returns the observed schema. It answers in well under a second on a graph of any size: from a cache that is
	// refreshed in the background, or directly if that is fast.
	Schema(ctx context.Context) (Schema, error)
}

// Schema describes what was observed in the database. Internal names are left out.
type Schema struct {
	NodeTypes   []NodeType
	EdgeTypes   []EdgeType
	Indexes     []Index
	Constraints []Constraint
	AsOf        time.Time // when the slowest part (properties, connections) was last read
}

// NodeType describes one label, as observed and, if it is declared, as declared. Count comes from the count store and counts the visible
// nodes that have the label among their labels.
type NodeType struct {
	Type       string
	Count      int64
	Partial    bool // the caller sees only some of the entities: there is no count, and nothing was observed
	Managed    bool
	Properties []PropertyUse
	Sampled    int64 // number of nodes that the properties were read from; equal to Count if all were read
	Declared   *DeclaredType
	Style      *StyleOfType // nil if the type has none
	// PalettePlace is the color of the type among PalettePlaces, from 1; 0 if it is not known or if the caller does not see everything: it
	// depends on all types. ShapePlace is likewise its shape among ShapePlaces.
	PalettePlace, ShapePlace int64
}

// PalettePlaces is the number of colors that types get by themselves.
const PalettePlaces = 20

// ShapePlaces is the number of shapes.
const ShapePlaces = 8

// EdgeType describes one relationship type as NodeType describes a label.
type EdgeType struct {
	Type        string
	Count       int64
	Partial     bool
	Managed     bool
	Properties  []PropertyUse
	Sampled     int64
	Connections []Connection
	// ConnectionsExact is false if the pairs were read from a sample, or were counted a while ago on a graph that changes.
	ConnectionsExact bool
	Declared         *DeclaredType
	Style            *StyleOfType
}

// PropertyUse describes a property key as observed in a sample.
type PropertyUse struct {
	Name     string
	Types    []string // Neo4j type names in the contract's vocabulary: "String", "Integer", "Float", "Boolean", "Date", ..., "List<String>"
	Presence float64  // share of the sampled entities that have it, 0 to 1
	Indexed  bool     // a range index exists on exactly this property of this type
	Unique   bool     // a uniqueness constraint exists on exactly this property of this type
}

// Connection counts the edges of one type between two node types. An end without labels is the empty string.
type Connection struct {
	SourceType string
	TargetType string
	Count      int64
}

// Index is an index as the database reports it.
type Index struct {
	Name       string
	Kind       string // "RANGE", "TEXT", "POINT", "FULLTEXT", "VECTOR", "LOOKUP"
	Entity     string // "node" or "edge"
	Types      []string
	Properties []string
	State      string // "ONLINE", "POPULATING", "FAILED"
}

// Constraint is a constraint as the database reports it.
type Constraint struct {
	Name       string
	Kind       string // "UNIQUENESS", ...
	Entity     string // "node" or "edge"
	Types      []string
	Properties []string
}
