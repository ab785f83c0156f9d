package graph

import (
	"strings"

	"graphrest/internal/fault"
)

// Sort is the order of a list: by the first key, within that by the second, and so on, and at last by id. The zero value is
// the contract's own order by type and id.
//
// Values of one kind come in their natural order; of different kinds, lists come first, then points, zoned date-times, local
// date-times, dates, zoned times, local times, durations, texts, booleans, and numbers last. Entities without the property
// come at the end in either direction.
type Sort []SortKey

// SortKey is one property to sort by.
type SortKey struct {
	Property   string
	Descending bool
}

// ParseSort reads names apart by commas, or a JSON array of strings, each with "-" before it for the descending order; "+"
// says ascending, for names that begin with a sign themselves. The fault names the field given.
func ParseSort(field, text string) (Sort, *fault.Error) {
	names, f := ParseNames(field, text, MaxSortKeys)
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
		keys[i] = SortKey{Property: rest, Descending: descending}
		for _, before := range keys[:i] {
			if before.Property == rest {
				return nil, fault.Invalid(field, "must name each property once")
			}
		}
	}
	return keys, nil
}
