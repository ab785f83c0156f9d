package auth

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"graphrest/internal/fault"
)

// maxUsername is the maximum length in characters.
const maxUsername = 64

// FoldUsername returns the form in which user names are compared: trimmed, in Unicode's compatibility form (NFKC) and
// case-folded (Unicode Standard, section 5.18, caseless matching).
func FoldUsername(name string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name)))
	return strings.TrimSpace(norm.NFKC.String(folded))
}

// CheckUsername returns a fault that names the field if a text cannot be the name of a new user, or nil. A name that begins
// with ServiceTokenUser would be taken for a service token in the audit and the history.
func CheckUsername(field, name string) *fault.Error {
	if f := checkName(field, name); f != nil {
		return f
	}
	if strings.HasPrefix(FoldUsername(name), ServiceTokenUser) {
		return fault.Invalid(field, "must not begin with %s, which is for service tokens", ServiceTokenUser)
	}
	return nil
}

// checkName checks the name of a user or of a service token.
func checkName(field, name string) *fault.Error {
	switch {
	case !utf8.ValidString(name):
		return fault.Invalid(field, "must be valid UTF-8")
	case name == "" || utf8.RuneCountInString(name) > maxUsername:
		return fault.Invalid(field, "must be 1 to %d characters long", maxUsername)
	case strings.TrimSpace(name) != name || FoldUsername(name) == "":
		return fault.Invalid(field, "must not start or end with a space")
	case strings.ContainsFunc(name, unprintable):
		return fault.Invalid(field, "must not contain control characters")
	}
	return nil
}

// unprintable reports control characters, line separators and characters that change the direction of the surrounding
// text, with which one name can imitate another.
func unprintable(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f', r == '\u061c':
		return true
	}
	return false
}
