package graph

import (
	"encoding/json"
	"slices"
	"strings"

	"graphrest/internal/fault"
)

// Limits of list requests.
const (
	MaxFields     = 256  // names in fields
	MaxSortKeys   = 4    // keys in sort
	MaxConditions = 20   // filters in one request
	MaxMembers    = 1000 // values of one "in" or "nin"
)

// Fields are the names of the properties in a list response. Nil means all.
type Fields []string

// ParseFields parses names separated by commas, or a JSON array of strings if a name contains a comma. The fault names
// the field given.
func ParseFields(field, text string) (Fields, *fault.Error) {
	names, f := ParseNames(field, text, MaxFields)
	return names, f
}

// Select returns a new map with only the properties named.
func (f Fields) Select(p Properties) Properties {
	if f == nil {
		return p
	}
	kept := make(Properties, min(len(f), len(p)))
	for _, name := range f {
		if v, has := p[name]; has {
			kept[name] = v
		}
	}
	return kept
}

// ParseNames parses a list of up to limit different names of properties or types, separated by commas or as a JSON
// array.
func ParseNames(field, text string, limit int) ([]string, *fault.Error) {
	names, f := splitNames(field, text, limit)
	if f != nil {
		return nil, f
	}
	for i, name := range names {
		if f := CheckPropertyName(field, name); f != nil {
			return nil, f
		}
		if slices.Contains(names[:i], name) {
			return nil, fault.Invalid(field, "must hold each name once")
		}
	}
	return names, nil
}

// splitNames is ParseNames without a check of the names, except that none is empty.
func splitNames(field, text string, limit int) ([]string, *fault.Error) {
	names := strings.Split(text, ",")
	if strings.HasPrefix(text, "[") {
		names = nil
		if json.Unmarshal([]byte(text), &names) != nil || slices.Contains(names, "") {
			return nil, fault.Invalid(field, "must be comma-separated names or a JSON array of strings")
		}
	}
	switch {
	case len(names) == 0 || slices.Contains(names, ""):
		return nil, fault.Invalid(field, "must be comma-separated names, none of them empty")
	case len(names) > limit:
		return nil, fault.Invalid(field, "must have at most %d names", limit)
	}
	return names, nil
}

// CheckPropertyName checks that a requested property name can be a property key. The fault names the given field.
func CheckPropertyName(field, name string) *fault.Error {
	switch {
	case name == "":
		return fault.Invalid(field, "must name a property")
	case strings.ContainsRune(name, 0):
		return fault.Invalid(field, "must not contain a NUL character")
	case len(name) > maxPropertyName:
		return fault.Invalid(field, "must name a property by at most %d bytes", maxPropertyName)
	}
	return nil
}

// maxPropertyName is the maximum length of a requested property name in bytes. Other programs may have created longer
// ones.
const maxPropertyName = 1024
