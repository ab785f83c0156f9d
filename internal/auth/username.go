package auth

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
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
	if f := graph.CheckName(field, name, maxUsername); f != nil {
		return f
	}
	if name == "." || name == ".." {
		return fault.Invalid(field, "must not be . or .., which a path cannot name")
	}
	return nil
}
