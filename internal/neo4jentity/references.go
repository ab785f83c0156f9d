package neo4jentity

import (
	"context"

	"graphrest/internal/graph"
)

// Reference is the entity of a write: its element id, and the id that it must still have.
type Reference struct {
	ElementID string
	Own       string // empty for an entity without its own id
}

// ID is the entity's id.
func (r Reference) ID() string {
	if r.Own != "" {
		return r.Own
	}
	return r.ElementID
}

// ownParam is the id as a parameter, which a statement verifies under the lock; nil if there is none.
func (r Reference) ownParam() any {
	if r.Own == "" {
		return nil
	}
	return r.Own
}

// resolve finds the entity of a write that the rules allow whatever the entity contains, from the cache if possible: the write itself
// verifies it. cached says that it came from there. knows is as in FindKnown.
func (ef *entityFinder) resolve(ctx context.Context, k kind, id string, knows Knows) (r Reference, cached bool, err error) {
	if at, cached := ef.IDCacheOf(k).get(id); cached && (knows == nil || !searchesByID(ctx, id)) {
		return Reference{ElementID: at, Own: id}, true, nil
	}
	needs := EndNeeds{}
	if knows != nil {
		needs = EndNeedsOf(ctx, false)
	}
	m, e, err := ef.FindKnown(ctx, k, id, needs, knows)
	switch {
	case err != nil:
		return r, false, err
	case e == nil:
		return r, false, graph.NoSuchEntity(k)
	}
	return m.ReferenceOf(k, e, ef.config.IDProperty), false, nil
}

// ReferenceOf is an entity that was read, with the id that it has.
func (m *ManagedTypes) ReferenceOf(k kind, e *Record, idProperty string) Reference {
	return Reference{ElementID: e.ElementID, Own: m.OwnID(k, e.Names, e.Properties[idProperty])}
}
