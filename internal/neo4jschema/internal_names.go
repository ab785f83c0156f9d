package neo4jschema

import (
	"strings"

	"graphrest/internal/graph"
)

// The names of indexes and constraints that the gateway creates begin with these prefixes.
const (
	SearchIndexPrefix = graph.ReservedPrefix + "_search_" // of a full-text index
	IndexPrefix       = graph.ReservedPrefix + "_index_"  // of an index on properties
	UniqueKeyPrefix   = graph.ReservedPrefix + "_unique_" // of the constraint of a declaration's unique key
)

// IsUniqueKeyName reports whether a constraint's name is one that declarations create.
func IsUniqueKeyName(name string) bool {
	return strings.HasPrefix(name, UniqueKeyPrefix)
}

// SearchIndexName is the name of a full-text index for clients, and whether CreateSearchIndex created it.
func SearchIndexName(stored string) (name string, managed bool) {
	return strings.CutPrefix(stored, SearchIndexPrefix)
}

// IsManagedIndexName reports whether CreateIndex created the index with this name in the database.
func IsManagedIndexName(stored string) bool { return strings.HasPrefix(stored, IndexPrefix) }
