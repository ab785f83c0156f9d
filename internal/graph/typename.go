package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// MaxTypeName is the longest type name in bytes.
const MaxTypeName = 255

// TypeName is the name of a node type (a label) or an edge type (a relationship type) that ParseTypeName has accepted.
// It may still contain Cypher syntax: only the quoting function of package cypher may put it into a statement.
type TypeName string

// ParseTypeName accepts any non-empty valid UTF-8 text of up to 255 bytes without control characters that does not
// start with the reserved prefix in any letter case. The fault names the given field.
func ParseTypeName(field, s string) (TypeName, *fault.Error) {
	switch {
	case s == "":
		return "", fault.Invalid(field, "must not be empty")
	case len(s) > MaxTypeName:
		return "", fault.Invalid(field, "must be at most %d bytes long", MaxTypeName)
	case !utf8.ValidString(s):
		return "", fault.Invalid(field, "must be valid UTF-8")
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", fault.Invalid(field, "must not contain control characters")
	case Reserved(s):
		return "", fault.Invalid(field, "must not start with a reserved prefix")
	}
	return TypeName(s), nil
}

// Reserved reports whether a label, relationship type, constraint or index name starts with ReservedPrefix in any letter case and thus
// belongs to the service itself. Statements test the same by toLower, which leaves other characters that fold to these letters, as ſ.
func Reserved(name string) bool {
	// A character that folds to an ASCII letter has more bytes than it, so only ASCII letters are equal within so many bytes.
	return len(name) >= len(ReservedPrefix) && strings.EqualFold(name[:len(ReservedPrefix)], ReservedPrefix)
}
