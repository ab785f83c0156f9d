package neo4jentity

import (
	"log/slog"
	"time"

	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

const defaultIDProperty = "uuid"

// Config says how to store a graph. Zero values select the defaults given.
type Config struct {
	IDProperty string // default uuid

	// Limits. A negative number means a limit of zero.
	MaxDetach       int64 // edges that a delete of a node removes without detach=true; default 10,000
	MaxNodeTypes    int   // names in the database; default 1,000
	MaxEdgeTypes    int   // default 1,000
	MaxPropertyKeys int   // default 10,000
	// MaxPageBytes bounds a page of a list, by the memory of its entities; default 4 MiB. A page has at least one entity.
	MaxPageBytes int64
	// New names that one user may add on one day (UTC); see graph.WithNameBudget.
	MaxNewTypes int // node and edge types together; default 100
	MaxNewKeys  int // property keys; default 1,000

	// Journal records each change of the graph with the values before and after: see package journal. JournalExclude are types whose
	// entities are never recorded.
	Journal        bool
	JournalExclude []string
	// JournalKeep is how long records are served and kept, default 30 days; JournalMaxBytes bounds their size, default 1 GiB. The
	// oldest are removed first.
	JournalKeep     time.Duration
	JournalMaxBytes int64
	// ChangeSetsMaxBytes bounds the stored change sets of one author, default 16 MiB; ChangeSetsKeep is how long closed ones are kept, default
	// 90 days, and at least as long as records of changes.
	ChangeSetsMaxBytes int64
	ChangeSetsKeep     time.Duration
	// OnlyDeclared rejects new entities of types that are not declared.
	OnlyDeclared bool

	// PlanAhead makes the database plan the statements of requests in the background, so that no request waits for it.
	PlanAhead   bool
	Uncoalesced bool                   // runs every call as a separate statement
	Observer    coalesce.BatchObserver // observes batches; may be nil
	Tracer      coalesce.Tracer        // creates spans of batches; may be nil
	Log         *slog.Logger           // default: discards
}

// SetDefaults replaces zero values by the defaults, and limits below zero by zero.
func (c *Config) SetDefaults() {
	setDefault(&c.IDProperty, defaultIDProperty)
	setDefault(&c.JournalKeep, 30*24*time.Hour)
	setDefault(&c.JournalMaxBytes, 1<<30)
	setDefault(&c.ChangeSetsMaxBytes, 16<<20)
	setDefault(&c.ChangeSetsKeep, 90*24*time.Hour)
	if c.JournalExclude == nil {
		c.JournalExclude = []string{} // a parameter: null is not a list
	}
	applyLimit(&c.MaxDetach, 10_000)
	applyLimit(&c.MaxNodeTypes, 1000)
	applyLimit(&c.MaxEdgeTypes, 1000)
	applyLimit(&c.MaxPropertyKeys, 10_000)
	setDefault(&c.MaxPageBytes, 4<<20)
	applyLimit(&c.MaxNewTypes, 100)
	applyLimit(&c.MaxNewKeys, 1000)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func (c *Config) nameLimits() neo4jschema.NameLimits {
	return neo4jschema.NameLimits{
		NodeTypes: c.MaxNodeTypes, EdgeTypes: c.MaxEdgeTypes, PropertyKeys: c.MaxPropertyKeys, NewTypes: c.MaxNewTypes, NewKeys: c.MaxNewKeys,
	}
}

// setDefault gives a field its default if it has its zero value.
func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// applyLimit gives a limit its default if it is not set, and sets a negative one to zero.
func applyLimit[T int | int64](field *T, value T) {
	setDefault(field, value)
	*field = max(*field, 0)
}

// kind distinguishes nodes from edges in code that serves both.
type kind = graph.Kind

const (
	nodes = graph.NodeKind
	edges = graph.EdgeKind
)
