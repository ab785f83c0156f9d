// Package rules decides which part of the graph a user may see and change: roles with grants, and the view that a user's permissions and
// roles give together. It evaluates grants on entities that were read; the store uses the same grants as predicates of its lists.
package rules

import (
	"slices"
	"strings"
	"unicode"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Limits of a role.
const (
	MaxRoleName    = 64   // bytes
	MaxDescription = 1000 // bytes
	MaxGrants      = 100  // of one role
	MaxHidden      = 100  // property names in hidden, and in read_only, of one grant
	MaxUserRoles   = 50   // of one user
	MaxAttributes  = 50   // of one user
)

// AnyType is the type of a grant for every type; a grant for nodes then covers nodes without a label as well.
const AnyType = "*"

// Action is what a grant allows. The names are those of the permissions.
type Action string

// The actions.
const (
	Read   Action = "read"
	Create Action = "create"
	Edit   Action = "edit"
	Delete Action = "delete"
)

// Actions lists every action in the order used in responses.
func Actions() []Action { return []Action{Read, Create, Edit, Delete} }

// Role is a named list of grants.
type Role struct {
	Name        string
	Description string
	Grants      []Grant
	Queries     []string // saved queries that may be run: names, or AllQueries
}

// Grant allows actions on the entities of one type, or of all types.
type Grant struct {
	Kind    graph.Kind
	Type    string // a label, a relationship type, or AnyType
	Actions []Action
	// Where are conditions that an entity must meet, all of them; none for every entity of the type.
	Where []Condition
	// Hidden are properties that are not shown and not written; ReadOnly are shown and not written.
	Hidden, ReadOnly []string
}

// Condition is a condition of a grant. If User is not empty, the literal is a value of the user that asks: "username", "id", or
// "attributes." and the name of an attribute.
type Condition struct {
	graph.Condition
	User string
}

const attributePrefix = "attributes."

// CheckRoleName rejects a name that is empty, too long, or has characters that do not fit into a path segment or a list.
func CheckRoleName(field, name string) *fault.Error {
	switch {
	case name == "" || len(name) > MaxRoleName:
		return fault.Invalid(field, "must have 1 to %d bytes", MaxRoleName)
	case name == "." || name == "..", strings.ContainsFunc(name, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_. ", c)
	}):
		return fault.Invalid(field, "must be a name of letters, digits, and - _ . or spaces")
	}
	return graph.CheckName(field, name, MaxRoleName)
}

// covers reports whether a grant is for an action on entities of one of the names.
func (g *Grant) covers(kind graph.Kind, action Action, names []string) bool {
	return g.Kind == kind && slices.Contains(g.Actions, action) && (g.Type == AnyType || slices.Contains(names, g.Type))
}
