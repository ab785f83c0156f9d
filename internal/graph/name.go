package graph

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// spaces are several spaces, of which pages show one.
var spaces = regexp.MustCompile(`\p{Zs}{2}`)

// CheckName is the rule for the name of anything that users of the gateway name, such as users, tokens, roles, saved views and change sets;
// names of the graph itself have rules of their own (ParseTypeName). It accepts 1 to maxCharacters characters that are all shown, so that
// two names that look alike differ in a visible character at least.
func CheckName(field, name string, maxCharacters int) *fault.Error {
	switch {
	case !utf8.ValidString(name):
		return fault.Invalid(field, "must be valid UTF-8")
	case name == "" || utf8.RuneCountInString(name) > maxCharacters:
		return fault.Invalid(field, "must be 1 to %d characters long", maxCharacters)
	case strings.TrimSpace(name) != name:
		return fault.Invalid(field, "must not begin or end with a space")
	case spaces.MatchString(name):
		return fault.Invalid(field, "must not contain two spaces in a row")
	}
	if i := strings.IndexFunc(name, IsInvisible); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		return fault.Invalid(field, "must not contain control characters or invisible characters, such as the %U in it", r)
	}
	return nil
}

// IsInvisible reports control characters, line separators, and characters that are not shown or change only how others are: those of the
// Unicode property Default_Ignorable_Code_Point (Unicode Standard, section 5.21), which contains the controls of the writing direction, the
// joiners and the variation selectors, all other format characters, and the Braille pattern without dots.
func IsInvisible(r rune) bool {
	return r == '\u2800' || unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
