package graph

import (
	"context"
	"time"

	"graphrest/internal/fault"
)

// DeclarationLevel says which writes a declaration is held against; the names are ArangoDB's.
type DeclarationLevel string

// The levels, from the mildest to the strictest.
const (
	LevelNone     DeclarationLevel = "none"     // nothing: the declaration is only recorded and shown
	LevelNew      DeclarationLevel = "new"      // creates
	LevelModerate DeclarationLevel = "moderate" // creates, and updates of entities that keep the declaration so far
	LevelStrict   DeclarationLevel = "strict"   // creates and all updates
)

// DeclarationLevels lists them in that order.
func DeclarationLevels() []DeclarationLevel {
	return []DeclarationLevel{LevelNone, LevelNew, LevelModerate, LevelStrict}
}

// Declaration says what the entities of a type have to look like.
type Declaration struct {
	Kind  Kind
	Type  TypeName
	Level DeclarationLevel
	// Schema is the text of a JSON Schema (draft 2020-12) of the properties as one object, with the additional keyword neo4jType.
	Schema string
	// Unique lists sets of properties whose values together no two entities of the type share. Each is a constraint in the
	// database, whatever the level.
	Unique [][]string
	// SourceTypes and TargetTypes, of an edge type, are the node types one of which that end must have; empty for any.
	SourceTypes []TypeName
	TargetTypes []TypeName
}

// DeclaredType is a declaration that is in force.
type DeclaredType struct {
	Declaration
	UpdatedAt time.Time
}

// UniqueKey is what has become of one of a declaration's unique keys.
type UniqueKey struct {
	Properties []string
	State      UniqueState
}

// UniqueState says who sees to it that a key is unique.
type UniqueState string

// The states. KeyMissing is a constraint that somebody dropped: declaring the type again makes it again.
const (
	KeyEnforced UniqueState = "enforced" // by a constraint that the declaration brought
	KeyForeign  UniqueState = "foreign"  // by a constraint that was there before and stays when the declaration goes
	KeyMissing  UniqueState = "missing"
)

// Violation is an entity that breaks its declaration.
type Violation struct {
	ID       string
	Problems []fault.Detail // "properties.born", "source_id"
}

// Violations is a page of the entities that break a declaration.
type Violations struct {
	Checked int64 // entities of the type
	Page[Violation]
}

// Proposal is a declaration drafted from what the data holds. Of Count entities, Sampled were looked at.
type Proposal struct {
	Declaration
	Count   int64
	Sampled int64
}

// TypeStore keeps the declarations of types. A change of them is in force on this replica when the method returns, and on others
// within a second.
type TypeStore interface {
	// DeclaredTypes lists all declarations: nodes before edges, each by type name.
	DeclaredTypes(ctx context.Context) ([]DeclaredType, error)
	// DeclaredType reads one. NOT_FOUND.
	DeclaredType(ctx context.Context, kind Kind, t TypeName) (DeclaredType, error)
	// UniqueKeys says what has become of a declaration's unique keys, in their order.
	UniqueKeys(ctx context.Context, d Declaration) ([]UniqueKey, error)
	// Declare makes or replaces a declaration, and says whether it is new. VALIDATION_ERROR: the declaration makes no sense, or brings
	// too many new names. CONFLICT: entities share the values of a unique key, or an index is where its constraint has to be.
	// DATABASE_UNAVAILABLE with a retry time: a unique key's index is still being built; nothing is declared yet.
	Declare(ctx context.Context, d Declaration) (declared DeclaredType, created bool, err error)
	// Undeclare removes a declaration and the constraints it brought. The data stays. NOT_FOUND.
	Undeclare(ctx context.Context, kind Kind, t TypeName) error
	// Violations checks every entity of a declared type, whatever the level, and lists those that break the declaration in
	// the order in which the database reads them. NOT_FOUND: the type is not declared.
	Violations(ctx context.Context, kind Kind, t TypeName, p Paging) (Violations, error)
	// Propose drafts a declaration from what the data holds and writes nothing. NOT_FOUND: there is no such entity.
	Propose(ctx context.Context, kind Kind, t TypeName) (Proposal, error)
}
