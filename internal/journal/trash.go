package journal

import (
	"time"

	"graphrest/internal/graph"
)

// TrashQuery selects deleted entities. Empty members select all.
type TrashQuery struct {
	Kind         graph.Kind
	Type         string
	User         string // name or id of the user who deleted it
	Since, Until time.Time
	Limit        int
	Cursor       string
}

// Deleted is a deleted entity that can be restored.
type Deleted struct {
	Change    string // id of the change that deleted it
	Kind      graph.Kind
	ID, Type  string
	DeletedAt time.Time
	User      string
	Edges     int64 // that were deleted with a node
	Caption   string
}

// TrashPage is a page of deleted entities. It may have fewer entries than asked for, or none, although there are more.
type TrashPage struct {
	Deleted []Deleted
	Next    string // empty at the end
}
