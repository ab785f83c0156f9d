package neo4jstore

import (
	"context"

	"graphrest/internal/graph"
)

// reference is the entity of a write: its element id, and the id that it must still have.
type reference struct {
	elementID string
	own       string // empty for an entity without its own id
}

// id is the entity's id.
func (r reference) id() string {
	if r.own != "" {
		return r.own
	}
	return r.elementID
}

// ownParam is the id as a parameter, which a statement verifies under the lock; nil if there is none.
func (r reference) ownParam() any {
	if r.own == "" {
		return nil
	}
	return r.own
}

// resolve finds the entity of a write, from the cache if possible: the write itself verifies it. known says that it came from the cache.
func (ef *entityFinder) resolve(ctx context.Context, k kind, id string) (r reference, known bool, err error) {
	if at, cached := ef.idCacheOf(k).get(id); cached {
		return reference{elementID: at, own: id}, true, nil
	}
	m, e, err := ef.find(ctx, k, id)
	switch {
	case err != nil:
		return r, false, err
	case e == nil:
		return r, false, graph.NoSuchEntity(k)
	}
	return m.referenceOf(k, e, ef.config.IDProperty), false, nil
}

// referenceOf is an entity that was read, with the id that it has.
func (m *managedTypes) referenceOf(k kind, e *entityRecord, idProperty string) reference {
	return reference{elementID: e.elementID, own: m.ownID(k, e.names, e.properties[idProperty])}
}
