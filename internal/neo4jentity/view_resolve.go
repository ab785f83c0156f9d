package neo4jentity

import (
	"context"
	"maps"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// entityResolver resolves the ids that a request names, to entities that its user may read or write.
type entityResolver struct {
	config   *Config
	finder   *entityFinder
	decoder  *RecordDecoder
	contents *contentReader
}

// ResolveAuthorized is resolve for a write whose permission depends on the content of its entity. For an entity that the user does not see
// it runs the same look-ups as for an id that does not exist, so that the response time does not distinguish them. The write checks again
// under the lock, because the entity may change in between. If check is nil, knows tells which of several entities with one id count.
func (rs *entityResolver) ResolveAuthorized(
	ctx context.Context, k kind, id string, check neo4jview.Check, knows Knows,
) (r Reference, cached bool, err error) {
	if check == nil {
		return rs.finder.resolve(ctx, k, id, knows)
	}
	r, _, err = rs.resolveContent(ctx, k, id, check)
	return r, false, err
}

// resolveContent resolves an id without the cache, and reports whether the user sees the entity. It returns NOT_FOUND if there is no such
// entity, or if check returns it. check may be nil.
func (rs *entityResolver) resolveContent(
	ctx context.Context, k kind, id string, check neo4jview.Check,
) (r Reference, visible bool, err error) {
	ends, known := EndNeedsOf(ctx, false), Knows(Sees)
	if check != nil {
		known = func(names []string, now neo4jview.Content) bool {
			return fault.CodeOf(check(names, now)) != fault.NotFound
		}
	}
	m, e, err := rs.finder.FindKnown(ctx, k, id, ends, known)
	switch {
	case err != nil:
		return r, false, err
	case e == nil:
		return r, false, graph.NoSuchEntity(k)
	}
	now, err := rs.contents.ReadContent(ctx, m, k, e.clone())
	if err != nil {
		return r, false, bolt.Translate(err)
	}
	r = m.ReferenceOf(k, e, rs.config.IDProperty)
	missing := check != nil && !known(e.Names, now)
	if missing || !now.Visible {
		if err := rs.finder.NotVisible(ctx, k, id); missing || fault.CodeOf(err) != fault.NotFound {
			return r, false, err
		}
	}
	return r, now.Visible, nil
}

// ResolveEnd resolves an end of a new edge. hidden says that the user must see it and does not: see neo4jview.RequiresVisibleNewEnds.
func (rs *entityResolver) ResolveEnd(ctx context.Context, id string) (at Reference, hidden bool, err error) {
	if !neo4jview.RequiresVisibleNewEnds(ctx) {
		at, _, err = rs.finder.resolve(ctx, nodes, id, nil)
		return at, false, err
	}
	at, visible, err := rs.resolveContent(ctx, nodes, id, nil)
	return at, err == nil && !visible, err
}

// withResolvedID resolves an id and runs a write on the entity. A cached reference that turned out to be stale is dropped and resolved
// again, once, from the database. check is as in ResolveAuthorized; nil if the rules allow the write whatever the entity contains.
func (rs *entityResolver) withResolvedID(
	ctx context.Context, k kind, id string, check neo4jview.Check, write func(Reference) (found bool, err error),
) error {
	for {
		at, cached, err := rs.ResolveAuthorized(ctx, k, id, check, nil)
		if err != nil {
			return err
		}
		found, err := write(at)
		switch {
		case err != nil:
			return bolt.Translate(err)
		case found:
			return nil
		case !cached:
			return graph.NoSuchEntity(k)
		}
		rs.finder.IDCacheOf(k).Drop(id)
	}
}

// clone copies an entity that other calls may share: the conversion for a client removes the id from its properties.
func (e *Record) clone() *Record {
	copied := *e
	copied.Properties = maps.Clone(e.Properties)
	return &copied
}

// FindVisibleNode is Find for a node that the user sees; it returns nil for any other.
func (rs *entityResolver) FindVisibleNode(ctx context.Context, id string) (*ManagedTypes, *Record, error) {
	m, e, err := rs.finder.Find(ctx, nodes, id)
	if err != nil || e == nil || rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return m, e, err
	}
	n, err := rs.decoder.DecodeNode(ctx, m, e.clone())
	if err != nil {
		return m, nil, bolt.Translate(err)
	}
	if !neo4jview.ShowNode(ctx, &n) {
		if err := rs.finder.NotVisible(ctx, nodes, id); fault.CodeOf(err) != fault.NotFound {
			return m, nil, err
		}
		return m, nil, nil
	}
	return m, e, nil
}

// FindVisibleNodes finds, of many ids, the nodes that the user sees; of their properties it reads only the id. An id of several such
// nodes is a CONFLICT.
func (rs *entityResolver) FindVisibleNodes(ctx context.Context, ids []string) (*ManagedTypes, map[string]*Record, error) {
	return rs.findVisibleNodes(ctx, ids, true)
}

// FindStartNodes is FindVisibleNodes for a statement that shows nothing of nodes that the user does not see. What looks like an element id
// and is no other node's id is not looked up: the statement finds out whether there is such a node.
func (rs *entityResolver) FindStartNodes(ctx context.Context, ids []string) ([]*StartNode, error) {
	m, found, err := rs.findVisibleNodes(ctx, ids, false)
	var starts []*StartNode
	for _, id := range ids {
		if e := found[id]; e != nil {
			starts = append(starts, rs.StartAt(m, e))
		} else if IsElementID(nodes, id) {
			starts = append(starts, &StartNode{ElementID: id})
		}
	}
	return starts, err
}

// findVisibleNodes looks ids up, also as element ids if it has to find those.
func (rs *entityResolver) findVisibleNodes(ctx context.Context, ids []string, elements bool) (*ManagedTypes, map[string]*Record, error) {
	m, err := rs.finder.Catalog.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	shown, err := rs.findVisibleIn(ctx, m, ids, elements)
	isMissing := func(id string) bool { return shown[id] == nil && (elements || !IsElementID(nodes, id)) }
	if err != nil || !slices.ContainsFunc(ids, isMissing) {
		return m, shown, err
	}
	fresh, err := rs.finder.Catalog.Fresh(ctx, missAge)
	if err != nil || fresh == m {
		return m, shown, err
	}
	shown, err = rs.findVisibleIn(ctx, fresh, ids, elements)
	return fresh, shown, err
}

// findVisibleIn is findVisibleNodes with the managed types that are known.
func (rs *entityResolver) findVisibleIn(ctx context.Context, m *ManagedTypes, ids []string, elements bool) (map[string]*Record, error) {
	l := &manyIDs{
		kind: nodes, ids: SoughtIDs(ids), view: neo4jview.PredicateOf(ctx, nodes), elements: elements, found: foundByID{},
	}
	if err := rs.finder.findByIDs(ctx, m, l); err != nil {
		return nil, bolt.Translate(err)
	}
	found := map[string]*Record{}
	for _, id := range slices.Sorted(maps.Keys(l.found)) {
		all := m.Nodes.preferNamed(id, l.found[id])
		if len(all) > 1 {
			return nil, SharedID(nodes, id)
		}
		found[id] = all[0]
	}
	return found, nil
}

// ReadContent converts an entity's content for a client.
func (cr *contentReader) ReadContent(ctx context.Context, m *ManagedTypes, k kind, e *Record) (neo4jview.Content, error) {
	if k == edges {
		edge, err := cr.decoder.DecodeEdge(ctx, m, e)
		if err != nil {
			return neo4jview.Content{}, err
		}
		c := neo4jview.Content{Properties: edge.Properties}
		c.SeesEnds, err = cr.SeesEnds(ctx, m, e)
		if err == nil && neo4jview.ShowEdge(ctx, &edge) && c.SeesEnds {
			c.Visible, c.Revision = true, edge.Revision()
		}
		return c, err
	}
	node, err := cr.decoder.DecodeNode(ctx, m, e)
	if err != nil {
		return neo4jview.Content{}, err
	}
	c := neo4jview.Content{Properties: node.Properties}
	if neo4jview.ShowNode(ctx, &node) {
		c.Visible, c.Revision = true, node.Revision()
	}
	return c, nil
}
