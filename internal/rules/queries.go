package rules

import (
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// AllQueries in the queries of a role allows every saved query.
const AllQueries = "*"

// maxRoleQueries is the maximum number of names of queries in a role.
const maxRoleQueries = 500

// MaxQueryName is the maximum length of the name of a saved query.
const MaxQueryName = 48

var queryName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// IsQueryName reports whether a saved query can have a name.
func IsQueryName(name string) bool { return len(name) <= MaxQueryName && queryName.MatchString(name) }

// CheckQueries returns a fault that names the entries of a role's queries that are neither names of saved queries nor AllQueries, or nil.
// The queries need not exist: a role may be made before them.
func CheckQueries(field string, names []string) *fault.Error {
	if len(names) > maxRoleQueries {
		return fault.Invalid(field, "must have at most %d names", maxRoleQueries)
	}
	for i, name := range names {
		if name != AllQueries && !IsQueryName(name) {
			return fault.Invalid(graph.ElementPath(field, i), "must be the name of a saved query, or * for all")
		}
	}
	return nil
}

// JoinQueries is the stored form of a role's queries: each name once, sorted, with commas between.
func JoinQueries(names []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ",")
}

// SplitQueries is the reverse of JoinQueries.
func SplitQueries(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
