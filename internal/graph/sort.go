package graph

import (
	"strings"

	"graphrest/internal/fault"
)

// Sort is the order of a list: by the first key, then by the second, and so on, and finally by id. The zero value is the default order
// by type and id.
//
// Values of one kind are sorted in their natural order. The order of kinds is: lists, points, zoned date-times, local
// date-times, dates, zoned times, local times, durations, texts, booleans, numbers. Entities without the property
// are at the end in either direction.
type Sort []SortKey

// SortKey is one property to sort by, of the listed entity or of an end of a listed edge.
type SortKey struct {
	Side       Side // empty for a property of the listed entity
	Property   string
	Descending bool
}

// ParseSort parses names separated by commas, or a JSON array of strings. A prefix "-" selects descending order; a prefix "+" selects
// ascending order, for names that begin with a sign themselves. The fault names the given field.
func ParseSort(field, text string) (Sort, *fault.Error) {
	return parseSort(field, text, ownProperty)
}

// ParseEdgeSort is ParseSort for edges, with the names of ParseEdgeCondition.
func ParseEdgeSort(field, text string) (Sort, *fault.Error) {
	return parseSort(field, text, parseSide)
}

func parseSort(field, text string, parse parseName) (Sort, *fault.Error) {
	names, f := splitNames(field, text, MaxSortKeys)
	if f != nil {
		return nil, f
	}
	keys := make(Sort, len(names))
	for i, name := range names {
		rest, descending := strings.CutPrefix(name, "-")
		if !descending {
			rest = strings.TrimPrefix(name, "+")
		}
		if rest == "" {
			return nil, fault.Invalid(field, "must name a property behind the sign")
		}
		side, property, f := parse(field, rest)
		if f != nil {
			return nil, f
		}
		keys[i] = SortKey{Side: side, Property: property, Descending: descending}
		for _, before := range keys[:i] {
			if before.Side == side && before.Property == property {
				return nil, fault.Invalid(field, "must name each property once")
			}
		}
	}
	return keys, nil
}
