package neo4jstore

import (
	"context"
	"maps"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// judgment is a check of an entity, which has some labels or a type, against the rules: see checkEdit and checkDelete.
type judgment func(names []string, now content) error

// judgeEdit returns the check before a change; nil if the user may change everything, or nothing is hidden from the user.
func judgeEdit(ctx context.Context, k kind, change graph.Properties) judgment {
	if v := rules.ViewOf(ctx); v.AllowsAll(rules.Edit) || v.ShowsAll() {
		return nil
	}
	return func(names []string, now content) error { return checkEdit(ctx, k, names, now, change) }
}

// judgeDelete is judgeEdit for a delete. It leaves out the edges of a node.
func judgeDelete(ctx context.Context, k kind) judgment {
	if v := rules.ViewOf(ctx); v.AllowsAll(rules.Delete) || v.ShowsAll() {
		return nil
	}
	return func(names []string, now content) error { return checkDelete(ctx, k, names, now, 0) }
}

// resolveJudged is resolve for a write that the rules judge by the content of its entity. An entity that does not exist for the user is
// missing after the same look-ups as one that does not exist at all, so that the time of the answer does not distinguish them. The write
// itself judges again, under the lock: what this finds may have changed by then.
func (s *Store) resolveJudged(ctx context.Context, k kind, id string, judge judgment) (r reference, known bool, err error) {
	if judge == nil {
		return s.resolve(ctx, k, id)
	}
	r, _, err = s.resolveContent(ctx, k, id, judge)
	return r, false, err
}

// resolveContent resolves an id without the cache, and says whether the user sees the entity. The error is NOT_FOUND if there is none, or
// if judge, which may be nil, says so.
func (s *Store) resolveContent(ctx context.Context, k kind, id string, judge judgment) (r reference, visible bool, err error) {
	ends := endNeeds{keys: endKeysOf(ctx)}
	m, e, err := s.findWithEnds(ctx, k, id, ends)
	switch {
	case err != nil:
		return r, false, err
	case e == nil:
		return r, false, notFound(k)
	}
	now, err := s.readContent(ctx, m, k, e.clone())
	if err != nil {
		return r, false, bolt.Translate(err)
	}
	r = reference{elementID: e.elementID, own: m.ownID(k, e.names, e.properties[s.config.IDProperty])}
	missing := judge != nil && fault.CodeOf(judge(e.names, now)) == fault.NotFound
	if missing || !now.visible {
		if err := s.notVisible(ctx, m, k, id, ends); missing || fault.CodeOf(err) != fault.NotFound {
			return r, false, err
		}
	}
	return r, now.visible, nil
}

// clone copies an entity that other calls may have read as well: its conversion for a client removes the id from its properties.
func (e *element) clone() *element {
	copied := *e
	copied.properties = maps.Clone(e.properties)
	return &copied
}
