package auth

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"graphrest/internal/fault"
)

// maxUsername is in characters.
const maxUsername = 64

// FoldUsername is the form under which user names are the same: without the space around it, in Unicode's compatibility
// form (NFKC) and with case folded (Unicode Standard, section 5.18, caseless matching).
func FoldUsername(name string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name)))
	return strings.TrimSpace(norm.NFKC.String(folded))
}

// CheckUsername says what makes a text unfit as the name of a new user, naming the field; nil when it is fit.
func CheckUsername(field, name string) *fault.Error {
	switch {
	case !utf8.ValidString(name):
		return fault.Invalid(field, "must be valid UTF-8")
	case name == "" || utf8.RuneCountInString(name) > maxUsername:
		return fault.Invalid(field, "must be 1 to %d characters long", maxUsername)
	case strings.TrimSpace(name) != name || FoldUsername(name) == "":
		return fault.Invalid(field, "must not start or end with a space")
	case strings.ContainsFunc(name, unprintable):
		return fault.Invalid(field, "must not hold control characters")
	}
	return nil
}

// unprintable is a control character, a line separator, or one that changes the direction of the text around it, with
// which one name can be made to look like another.
func unprintable(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f', r == '\u061c':
		return true
	}
	return false
}
