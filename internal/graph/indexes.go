package graph

import (
	"context"
	"slices"
	"time"
)

// Limits of indexes.
const (
	MaxIndexName       = MaxSearchIndexName // bytes
	MaxIndexProperties = 10                 // of a range index; the other kinds have one property
)

// IndexStore creates and drops the indexes that filters and sorts use.
type IndexStore interface {
	// Indexes lists the indexes of the database by name: every kind, including those that other programs created. Internal ones are left out.
	Indexes(ctx context.Context) ([]PropertyIndex, error)
	// Index reads one index. NOT_FOUND.
	Index(ctx context.Context, name string) (PropertyIndex, error)
	// CreateIndex creates an index, which the database builds in the background, and waits briefly for it to be online. If CreateIndex
	// created an index of the same name and definition before, that index is returned unchanged. VALIDATION_ERROR: the id property, or more
	// new names than allowed. CONFLICT: the name is taken, or an index of this kind exists on the same type and properties.
	// DATABASE_UNAVAILABLE: also if the index was created but its audit entry was not, which the message reports.
	CreateIndex(ctx context.Context, n NewIndex) (PropertyIndex, error)
	// DeleteIndex drops an index that CreateIndex created. NOT_FOUND. CONFLICT: another program created it. DATABASE_UNAVAILABLE: as above.
	DeleteIndex(ctx context.Context, name string) error
	// IndexAdvice returns the indexes that would have helped the lists of the last 30 days, the one that saves most time first, 100 at most.
	// Lists that an existing index, or one being built, can serve are left out.
	IndexAdvice(ctx context.Context) ([]IndexAdvice, error)
}

// IndexAdvice is an index that would have helped.
type IndexAdvice struct {
	Index   NewIndex // accepted by CreateIndex
	Count   int64    // lists that it would have helped
	Elapsed time.Duration
	Saved   time.Duration // an estimate: the part of Elapsed beyond what a page by an index costs
	Asked   []AskedList   // the requested lists, the most expensive first
}

// Add adds the numbers of lists of one shape.
func (a *IndexAdvice) Add(l AskedList) {
	a.Count, a.Elapsed, a.Saved = a.Count+l.Count, a.Elapsed+l.Elapsed, a.Saved+l.Saved
	a.Asked = append(a.Asked, l)
}

// AskedList counts the requested lists of one shape.
type AskedList struct {
	Filter         [][2]string // property and operator
	Sort           []string    // properties, each prefixed with "+" or "-"
	Count          int64
	Elapsed, Saved time.Duration
}

// IndexKind is the Neo4j manual's name of a kind of index, in lower case.
type IndexKind string

// The kinds that CreateIndex can create. Others ("lookup", "fulltext", "vector") are only listed.
const (
	RangeIndex IndexKind = "range"
	TextIndex  IndexKind = "text"
	PointIndex IndexKind = "point"
)

// IndexKinds returns the kinds that CreateIndex can create. Each has its Cypher in neo4jschema.kindFragments, and the operators that it
// serves in neo4jschema.IndexedKeys.Serves.
func IndexKinds() []IndexKind { return []IndexKind{RangeIndex, TextIndex, PointIndex} }

// PropertyIndex is an index of any kind.
type PropertyIndex struct {
	Name       string
	Entity     Kind
	Kind       IndexKind
	Types      []string // empty for a lookup index
	Properties []string
	State      SearchIndexState
	Progress   float64 // of the population, 0 to 100
	Managed    bool    // created by CreateIndex
	Constraint string  // name of the constraint that owns the index, or empty
	Use        IndexUse
}

// IndexUse is how often an index was read, as the database last stored it.
type IndexUse struct {
	Reads    int64
	LastRead time.Time // zero if it was not read
	Since    time.Time // reads are counted from then on; zero while the database has not stored the number yet
}

// Matches reports whether the index has the same definition as n, apart from its name. The order of properties counts.
func (i PropertyIndex) Matches(n NewIndex) bool {
	return i.Kind == n.Kind && i.Entity == n.Entity && slices.Equal(i.Types, []string{string(n.Type)}) &&
		slices.Equal(i.Properties, n.Properties)
}

// NewIndex is the input of a create. Properties are not empty and contain each name once.
type NewIndex struct {
	Name       string // accepted by CheckSearchIndexName
	Entity     Kind
	Kind       IndexKind
	Type       TypeName
	Properties []string // accepted by CheckSearchProperty; exactly one, unless Kind is RangeIndex
}
