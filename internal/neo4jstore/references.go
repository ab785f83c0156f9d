package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
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
func (rd *entityReader) resolve(ctx context.Context, k kind, id string) (r reference, known bool, err error) {
	if at, cached := rd.idCacheOf(k).get(id); cached {
		return reference{elementID: at, own: id}, true, nil
	}
	m, e, err := rd.find(ctx, k, id)
	switch {
	case err != nil:
		return r, false, err
	case e == nil:
		return r, false, graph.NoSuchEntity(k)
	}
	return reference{elementID: e.elementID, own: m.ownID(k, e.names, e.properties[rd.config.IDProperty])}, false, nil
}

// withResolvedID resolves an id and runs a write on the entity. A cached reference that turned out to be stale is dropped and resolved
// again, once, from the database. check is as in resolveAuthorized; nil if the rules allow the write whatever the entity contains.
func (rd *entityReader) withResolvedID(
	ctx context.Context, k kind, id string, check neo4jview.Check, write func(reference) (found bool, err error),
) error {
	for {
		at, known, err := rd.resolveAuthorized(ctx, k, id, check)
		if err != nil {
			return err
		}
		found, err := write(at)
		switch {
		case err != nil:
			return bolt.Translate(err)
		case found:
			return nil
		case !known:
			return graph.NoSuchEntity(k)
		}
		rd.idCacheOf(k).drop(id)
	}
}
