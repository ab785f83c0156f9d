package graph

import (
	"context"
	"fmt"
	"time"
)

// Doctor checks a database as a gateway would find it, and changes nothing.
type Doctor interface {
	// Diagnose checks everything. It reads every node and edge.
	Diagnose(ctx context.Context) (Diagnosis, error)
	// CheckServer checks what Diagnose does except the ids of the types, the nodes without one, and whether the server fetches from
	// addresses. It reads no node and no edge of the graph and opens no connection.
	CheckServer(ctx context.Context) (Diagnosis, error)
	// CheckVersion checks only the version of the server and the layout of the gateway's own data, which takes no time on any graph.
	CheckVersion(ctx context.Context) (Diagnosis, error)
}

// Monitor reports on the database of a running gateway.
type Monitor interface {
	// Diagnosis is that of Doctor.CheckServer, at most a minute old. DATABASE_UNAVAILABLE, DATABASE_TIMEOUT.
	Diagnosis(ctx context.Context) (Diagnosis, error)
	// Size counts what is in the database, a few seconds ago if counting is slow. DATABASE_UNAVAILABLE, DATABASE_TIMEOUT.
	Size(ctx context.Context) (Size, error)
}

// Size is what a database contains, with the gateway's own nodes. The Community edition does not report bytes.
type Size struct{ Nodes, Edges int64 }

// Diagnosis is what a gateway would find.
type Diagnosis struct {
	CheckedAt  time.Time       `json:"checked_at"` // when the check began
	Server     Server          `json:"server"`
	IDProperty string          `json:"id_property"`
	Prepared   bool            `json:"prepared"`    // a gateway has used this database before
	DataLayout int64           `json:"data_layout"` // of the gateway's own data; 0 if there are none, or from before 1.0
	Unlabelled int64           `json:"nodes_without_a_type"`
	Types      []TypeDiagnosis `json:"types"` // nodes before edges, by name
	Findings   []Finding       `json:"findings"`
}

// Server describes the database server.
type Server struct {
	Version   string  `json:"version"`
	Edition   string  `json:"edition"`
	ClockSkew float64 `json:"clock_ahead_seconds"` // how much the database's clock is ahead of this machine's
}

// TypeDiagnosis is one type that entities have.
type TypeDiagnosis struct {
	Kind       Kind   `json:"kind"`
	Type       string `json:"type"`
	Count      int64  `json:"count"`
	Managed    bool   `json:"managed"`
	WithID     int64  `json:"with_id"`        // the id property is a valid id
	WithoutID  int64  `json:"without_id"`     // the id property is missing
	Unusable   int64  `json:"unusable"`       // the id property has another value
	Duplicates int64  `json:"duplicated_ids"` // values of the id property shared by several entities
}

// Level of a finding.
type Level string

// Levels. A problem prevents part of the work of the gateway.
const (
	Note    Level = "note"
	Warning Level = "warning"
	Problem Level = "problem"
)

// Rank orders levels, the most severe first.
func (l Level) Rank() int {
	switch l {
	case Problem:
		return 0
	case Warning:
		return 1
	default:
		return 2
	}
}

// Finding is one result of the check, with its remedy.
type Finding struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

// NewerLayout reports whether a newer version has stored its data in a layout that this version, which knows them up to one, would
// misread; with what is said then.
func NewerLayout(stored, known int64) (message, remedy string, newer bool) {
	return fmt.Sprintf("a newer version has stored its data with layout %d, and this version knows up to %d", stored, known),
		"start the newer version, or restore a backup made before it", stored > known
}
