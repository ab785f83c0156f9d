package graph

import (
	"context"
	"slices"
	"time"
)

// Limits of indexes.
const (
	MaxIndexName       = MaxSearchIndexName // bytes
	MaxIndexProperties = 10                 // of a range index; the other kinds have one
)

// IndexStore makes and drops the indexes that filters and sorts use.
type IndexStore interface {
	// Indexes lists the indexes of the database by name, of every kind, with those that others made. Internal ones are left out.
	Indexes(ctx context.Context) ([]PropertyIndex, error)
	// Index reads one. NOT_FOUND.
	Index(ctx context.Context, name string) (PropertyIndex, error)
	// CreateIndex makes an index, which the database builds in the background, and waits a moment for it to be online. An index of the
	// same name and definition that CreateIndex made before is answered as it is. VALIDATION_ERROR: the id property, or more new names
	// than allowed. CONFLICT: the name is taken, or there is an index of this kind on the same type and properties.
	// DATABASE_UNAVAILABLE: also where it was made, as the message then says, and its entry of the audit was not.
	CreateIndex(ctx context.Context, n NewIndex) (PropertyIndex, error)
	// DeleteIndex drops an index that CreateIndex made. NOT_FOUND. CONFLICT: others made it. DATABASE_UNAVAILABLE: as above.
	DeleteIndex(ctx context.Context, name string) error
	// IndexAdvice says which indexes would have helped the lists of the last 30 days, the one that saves most first, 100 at most. What an
	// index that exists or is being built would serve is left out.
	IndexAdvice(ctx context.Context) ([]IndexAdvice, error)
}

// IndexAdvice is an index that would have helped.
type IndexAdvice struct {
	Index   NewIndex // accepted by CreateIndex
	Count   int64    // lists that it would have helped
	Elapsed time.Duration
	Saved   time.Duration // an estimate: the part of Elapsed beyond what a page by an index costs
	Asked   []AskedList   // what was asked for, the dearest first
}

// Add counts lists of one shape.
func (a *IndexAdvice) Add(l AskedList) {
	a.Count, a.Elapsed, a.Saved = a.Count+l.Count, a.Elapsed+l.Elapsed, a.Saved+l.Saved
	a.Asked = append(a.Asked, l)
}

// AskedList is how often lists of one shape were asked for.
type AskedList struct {
	Filter         [][2]string // property and operator
	Sort           []string    // properties behind "+" or "-"
	Count          int64
	Elapsed, Saved time.Duration
}

// IndexKind is a kind of index by the Neo4j manual's name in lower case.
type IndexKind string

// The kinds that CreateIndex makes. Others ("lookup", "fulltext", "vector") are only listed.
const (
	RangeIndex IndexKind = "range"
	TextIndex  IndexKind = "text"
	PointIndex IndexKind = "point"
)

// IndexKinds are the kinds that CreateIndex makes.
func IndexKinds() []IndexKind { return []IndexKind{RangeIndex, TextIndex, PointIndex} }

// PropertyIndex is an index of any kind.
type PropertyIndex struct {
	Name       string
	Entity     Kind
	Kind       IndexKind
	Types      []string // a lookup index has none
	Properties []string
	State      SearchIndexState
	Progress   float64 // of the population, 0 to 100
	Managed    bool    // made by CreateIndex
	Constraint string  // name of the constraint that it belongs to, or empty
}

// Is says whether an index is on just the same as another would be, whatever its name. The order of properties counts.
func (i PropertyIndex) Matches(n NewIndex) bool {
	return i.Kind == n.Kind && i.Entity == n.Entity && slices.Equal(i.Types, []string{string(n.Type)}) && slices.Equal(i.Properties, n.Properties)
}

// NewIndex is the input of a create. Properties are not empty and hold each name once.
type NewIndex struct {
	Name       string // accepted by CheckSearchIndexName
	Entity     Kind
	Kind       IndexKind
	Type       TypeName
	Properties []string // accepted by CheckSearchProperty; one, unless Kind is RangeIndex
}
