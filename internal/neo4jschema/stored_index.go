package neo4jschema

import (
	"cmp"
	"slices"
)

// StoredIndex is an index of any kind as it was read from the database.
type StoredIndex interface {
	// Names returns the name for clients and the name in the database, and whether the service created it.
	Names() (name, stored string, isManaged bool)
}

// SortIndexes sorts indexes by their names for clients, and equal ones by those in the database.
func SortIndexes[T StoredIndex](all []T) {
	slices.SortFunc(all, func(a, b T) int {
		nameA, storedA, _ := a.Names()
		nameB, storedB, _ := b.Names()
		return cmp.Or(cmp.Compare(nameA, nameB), cmp.Compare(storedA, storedB))
	})
}

// IndexNamed returns the index with a name for clients, nil if there is none. Of two with the same name it returns the managed one.
func IndexNamed[T StoredIndex](all []T, name string) *T {
	var named *T
	for i := range all {
		if its, _, isManaged := all[i].Names(); its == name && (named == nil || isManaged) {
			named = &all[i]
		}
	}
	return named
}
