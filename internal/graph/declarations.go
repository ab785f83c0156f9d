package graph

import (
	"context"
	"time"

	"graphrest/internal/fault"
)

// DeclarationLevel determines which writes are validated against a declaration; the names are those of ArangoDB.
type DeclarationLevel string

// The levels, from the mildest to the strictest.
const (
	LevelNone     DeclarationLevel = "none"     // none: the declaration is only stored and shown
	LevelNew      DeclarationLevel = "new"      // creates
	LevelModerate DeclarationLevel = "moderate" // creates, and updates of entities that were valid before
	LevelStrict   DeclarationLevel = "strict"   // creates and all updates
)

// DeclarationLevels lists them in that order.
func DeclarationLevels() []DeclarationLevel {
	return []DeclarationLevel{LevelNone, LevelNew, LevelModerate, LevelStrict}
}

// Declaration defines the valid entities of a type.
type Declaration struct {
	Kind  Kind
	Type  TypeName
	Level DeclarationLevel
	// Schema is the text of a JSON Schema (draft 2020-12) of the properties as one object, with the additional keyword neo4jType.
	Schema string
	// Unique lists unique keys: sets of properties whose combined values are unique in the type. Each is a constraint in
	// the database, whatever the level.
	Unique [][]string
	// SourceTypes and TargetTypes, of an edge type, are the node types one of which that end must have; empty for any.
	SourceTypes []TypeName
	TargetTypes []TypeName
}

// DeclaredType is a stored declaration.
type DeclaredType struct {
	Declaration
	UpdatedAt time.Time
}

// UniqueKey is the state of one of a declaration's unique keys.
type UniqueKey struct {
	Properties []string
	State      UniqueState
}

// UniqueState states how the uniqueness of a key is enforced.
type UniqueState string

// The states. KeyMissing means that the constraint was dropped: declaring the type again creates it again.
const (
	KeyEnforced UniqueState = "enforced" // by a constraint that the declaration created
	KeyForeign  UniqueState = "foreign"  // by a constraint that existed before and is kept when the declaration is removed
	KeyMissing  UniqueState = "missing"
)

// Violation is an entity that is invalid under its declaration.
type Violation struct {
	ID       string
	Problems []fault.Detail // "properties.born", "source_id"
}

// Violations is a page of the invalid entities of a declared type.
type Violations struct {
	Checked int64 // entities of the type
	Page[Violation]
}

// Proposal is a declaration derived from the data. Of Count entities, Sampled were read.
type Proposal struct {
	Declaration
	Count   int64
	Sampled int64
}

// TypeStore stores the declarations of types. A change is effective on this replica when the method returns, and on
// others within a second.
type TypeStore interface {
	// DeclaredTypes lists all declarations: nodes before edges, each by type name.
	DeclaredTypes(ctx context.Context) ([]DeclaredType, error)
	// DeclaredType reads one. NOT_FOUND.
	DeclaredType(ctx context.Context, kind Kind, t TypeName) (DeclaredType, error)
	// UniqueKeys returns the state of a declaration's unique keys, in their order.
	UniqueKeys(ctx context.Context, d Declaration) ([]UniqueKey, error)
	// Declare creates or replaces a declaration, and reports whether it is new. VALIDATION_ERROR: the declaration is
	// invalid or adds too many new names. CONFLICT: entities share the values of a unique key, or an index conflicts
	// with its constraint. DATABASE_UNAVAILABLE with a retry time: the index of a unique key is still being built;
	// nothing is declared yet.
	Declare(ctx context.Context, d Declaration) (declared DeclaredType, created bool, err error)
	// Undeclare removes a declaration and the constraints it created. The data stays. NOT_FOUND.
	Undeclare(ctx context.Context, kind Kind, t TypeName) error
	// Violations validates every entity of a declared type, whatever the level, and lists the invalid ones in the order
	// in which the database reads them. NOT_FOUND: the type is not declared.
	Violations(ctx context.Context, kind Kind, t TypeName, p Paging) (Violations, error)
	// Propose derives a declaration from the data and writes nothing. NOT_FOUND: there is no such entity.
	Propose(ctx context.Context, kind Kind, t TypeName) (Proposal, error)
}
