package neo4jlist

import (
	"slices"

	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// listTypes is what is known of the types when a page is read: it decides in which order and by which statements.
type listTypes struct {
	catalog  *neo4jentity.ManagedTypes
	managed  []string // types of the kind, in order
	declared *declared.Types
	sizes    map[string]int64 // how many entities a type has, some seconds old: decides how to read, never what is listed
	at       *keyset.Position // the cursor position of a list that is not sorted
}

func newListTypes(
	k graph.Kind, m *neo4jentity.ManagedTypes, types *declared.Types, sizes map[string]int64, at *keyset.Position,
) *listTypes {
	return &listTypes{catalog: m, managed: m.Of(k).Names, declared: types, sizes: sizes, at: at}
}

// walkedAsManaged reports whether a type is listed by ids first. The type of the cursor position keeps its state.
func (t *listTypes) walkedAsManaged(name string) bool {
	if t.at != nil && t.at.Type == name && !t.at.NoType {
		return t.at.Managed
	}
	return t.isManaged(name)
}

func (t *listTypes) isManaged(name string) bool {
	_, managed := slices.BinarySearch(t.managed, name)
	return managed
}

// walked are the types that are listed by ids first.
func (t *listTypes) walked() []string { return keyset.WalkedTypes(t.managed, t.at) }

func (t *listTypes) isSmall(name string) bool {
	size, known := t.sizes[name]
	return known && size <= keyset.SmallType
}

// params are the parameters that statements of the page may declare: see listTexts.
func (t *listTypes) params() map[string]any {
	walked := t.walked()
	return map[string]any{
		"declared": neo4jschema.DeclaredParameter(t.declared), "managed": walked, "managed_types": walked,
		"managed_labels": t.catalog.Nodes.Names,
	}
}
