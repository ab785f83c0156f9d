package neo4jstore

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// byElementID looks up the entity with an element id; the result is nil if there is none.
type byElementID struct {
	elementID string
	ends      endNeeds // of an edge
	after     graph.Bookmarks
}

func (er *elementReader) readByElementID(k kind) func(context.Context, []byElementID) []coalesce.Outcome[*entityRecord] {
	return func(ctx context.Context, batch []byElementID) []coalesce.Outcome[*entityRecord] {
		out := make([]coalesce.Outcome[*entityRecord], len(batch))
		wanted, needs := make([]string, len(batch)), make([]endNeeds, len(batch))
		for i, q := range batch {
			wanted[i], needs[i] = q.elementID, q.ends
		}
		found := make([]*entityRecord, len(batch))
		ends := columnsFor(needs)
		rows := er.recordSizes.rowsInPart(er.texts.elementsText(k, ends))
		parts, err := er.readElementBatch(ctx, k, er.elementsQuery(k, wanted, ends, rows, &er.recordSizes), found)
		if err != nil {
			return failAll(out, err)
		}
		for i, e := range found {
			out[i].Value = e
		}
		return failUnread(out, parts)
	}
}

// entityFinder looks entities up by their ids, in all managed types, and remembers where they are.
type entityFinder struct {
	config   *Config
	texts    *statementTexts
	elements *elementReader

	catalog  *typeCatalog
	idCaches [2]idCache // of nodes and of edges
}

func newEntityFinder(c *Config, texts *statementTexts, elements *elementReader, catalog *typeCatalog) *entityFinder {
	return &entityFinder{config: c, texts: texts, elements: elements, catalog: catalog, idCaches: [2]idCache{newIDCache(), newIDCache()}}
}

// find looks an entity up by id or element id: by the cache, then in the types that the id hints at, then in all managed types, then by the
// element id itself. See docs/adr/0001-ids.md. It returns nil if there is none.
func (ef *entityFinder) find(ctx context.Context, k kind, id string) (*managedTypes, *entityRecord, error) {
	return ef.findWithEnds(ctx, k, id, endNeeds{})
}

// findWithEnds is find which also reads what is needed of an edge's ends.
func (ef *entityFinder) findWithEnds(ctx context.Context, k kind, id string, ends endNeeds) (*managedTypes, *entityRecord, error) {
	m, err := ef.catalog.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	cache := ef.idCacheOf(k)
	if at, known := cache.get(id); known && !searchesByID(ctx, id) {
		e, err := ef.elements.queues.of(k).getByElementID(ctx, at, ends)
		if err != nil || (e != nil && m.ownID(k, e.names, e.properties[ef.config.IDProperty]) == id) {
			return m, e, bolt.Translate(err)
		}
		cache.drop(id)
	}
	if hint, ok := graph.HintOf(id); ok && len(m.of(k).hinted[hint].names) == 0 {
		// A gateway created this id, or could have, in a type that is not known yet: reading the catalog costs less than searching all
		// types.
		if m, err = ef.catalog.Fresh(ctx, missAge); err != nil {
			return nil, nil, err
		}
	}
	for try := 0; ; try++ {
		e, err := ef.findOnce(ctx, m, k, id, ends)
		if e != nil || err != nil {
			return m, e, err
		}
		// Another replica may have made the type managed a moment ago.
		if try > 0 || !hasTypeHint(id) {
			return m, nil, nil
		}
		newer, err := ef.catalog.Fresh(ctx, missAge)
		if err != nil || slices.Equal(newer.of(k).names, m.of(k).names) {
			return m, nil, err
		}
		m = newer
	}
}

// searchesByID reports whether an id is looked up in the database although the cache may know it: the cache would answer sooner for an
// entity that the user does not see than the database does for one that does not exist.
func searchesByID(ctx context.Context, id string) bool {
	return hasTypeHint(id) && !rules.ViewOf(ctx).ShowsAll()
}

// hasTypeHint reports whether a gateway could have created an id.
func hasTypeHint(id string) bool {
	_, ok := graph.HintOf(id)
	return ok
}

func (ef *entityFinder) findOnce(ctx context.Context, m *managedTypes, k kind, id string, ends endNeeds) (*entityRecord, error) {
	set := m.of(k)
	hint, hinted := graph.HintOf(id)
	var first searchedTypes
	if hinted {
		first = set.hinted[hint]
	}
	q := byID{id: id, ends: ends}
	found, err := ef.findInTypes(ctx, k, q, first)
	if err != nil || found != nil {
		return found, err
	}
	if len(first.names) < len(set.names) {
		if found, err = ef.findInTypes(ctx, k, q, set.all); err != nil || found != nil {
			return found, err
		}
	}
	if !isElementID(k, id) {
		return nil, nil
	}
	e, err := ef.elements.queues.of(k).getByElementID(ctx, id, ends)
	return e, bolt.Translate(err)
}

// findInTypes looks an entity up by id in some types.
func (ef *entityFinder) findInTypes(ctx context.Context, k kind, q byID, types searchedTypes) (*entityRecord, error) {
	got := make([][]*entityRecord, len(types.parts))
	var lookups errgroup.Group // all parts wait for one round trip, instead of one after another
	for i, some := range types.parts {
		lookups.Go(func() (err error) {
			q := q
			q.types, q.shared = some, types.shared
			got[i], err = ef.elements.queues.of(k).getByID(ctx, q)
			return err
		})
	}
	if err := lookups.Wait(); err != nil {
		return nil, bolt.Translate(err)
	}
	var found []*entityRecord
	for _, e := range slices.Concat(got...) {
		if !containsElement(found, e) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		ef.idCacheOf(k).put(q.id, found[0].elementID)
		return found[0], nil
	default:
		return nil, fault.New(fault.Conflict, "This id belongs to more than one "+string(k)+"; use its element id")
	}
}

func (ef *entityFinder) idCacheOf(k kind) idCache {
	if k == edges {
		return ef.idCaches[1]
	}
	return ef.idCaches[0]
}

// missAge is the maximum age of the catalog when an id is reported as missing.
const missAge = 0

// findStartNode finds the node from which an expansion starts.
func (rs *entityResolver) findStartNode(ctx context.Context, id string) (*startNode, error) {
	m, e, err := rs.findVisibleNode(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, graph.NoSuchEntity(nodes)
	}
	return rs.startAt(m, e), nil
}

// startAt is a node that was found.
func (rs *entityResolver) startAt(m *managedTypes, e *entityRecord) *startNode {
	a := &startNode{elementID: e.elementID}
	if own := m.ownID(nodes, e.names, e.properties[rs.config.IDProperty]); own != "" {
		a.id = own
	}
	return a
}

// Node reads one node: see graph.NodeStore.
func (rd *entityReader) Node(ctx context.Context, id string) (graph.Node, error) {
	m, e, err := rd.find(ctx, nodes, id)
	switch {
	case err != nil:
		return graph.Node{}, err
	case e == nil:
		return graph.Node{}, graph.NoSuchEntity(nodes)
	}
	if err := graph.TakeBytes(ctx, e.size); err != nil {
		return graph.Node{}, err
	}
	n, err := rd.node(ctx, m, e)
	if err == nil && !neo4jview.ShowNode(ctx, &n) {
		return graph.Node{}, rd.notVisible(ctx, m, nodes, id, endNeeds{})
	}
	return n, bolt.Translate(err)
}

// Edge reads one edge: see graph.EdgeStore.
func (rd *entityReader) Edge(ctx context.Context, id string) (graph.Edge, error) {
	return rd.readEdge(ctx, id, false)
}

// EdgeWithEnds reads one edge and the names of its ends: see graph.EdgeStore.
func (rd *entityReader) EdgeWithEnds(ctx context.Context, id string) (graph.Edge, error) {
	return rd.readEdge(ctx, id, true)
}

func (rd *entityReader) readEdge(ctx context.Context, id string, withEnds bool) (graph.Edge, error) {
	needs := endNeedsOf(ctx, withEnds)
	m, e, err := rd.findWithEnds(ctx, edges, id, needs)
	switch {
	case err != nil:
		return graph.Edge{}, err
	case e == nil:
		return graph.Edge{}, graph.NoSuchEntity(edges)
	}
	if err := graph.TakeBytes(ctx, e.size); err != nil {
		return graph.Edge{}, err
	}
	r, err := rd.edge(ctx, m, e)
	if !withEnds { // another read of its batch needed them
		r.Ends = nil
	}
	if err != nil {
		return r, bolt.Translate(err)
	}
	seen, err := rd.seesEnds(ctx, m, e)
	if err != nil {
		return graph.Edge{}, err
	}
	if !neo4jview.ShowEdge(ctx, &r) || !seen {
		return graph.Edge{}, rd.notVisible(ctx, m, edges, id, needs)
	}
	return r, nil
}

// notVisible is the error of a read whose user does not see the entity that was found. Before it answers, it does what find does about an
// id that does not exist, so that the time does not tell the two apart. An id without a hint costs find one statement in either case.
func (ef *entityFinder) notVisible(ctx context.Context, m *managedTypes, k kind, id string, ends endNeeds) error {
	hint, hinted := graph.HintOf(id)
	if !hinted {
		return graph.NoSuchEntity(k)
	}
	if set := m.of(k); len(set.hinted[hint].names) < len(set.names) {
		if _, err := ef.findInTypes(ctx, k, byID{id: id, ends: ends}, set.all); err != nil && fault.CodeOf(err) != fault.Conflict {
			return err
		}
	}
	if _, err := ef.catalog.Fresh(ctx, missAge); err != nil {
		return bolt.Translate(err)
	}
	return graph.NoSuchEntity(k)
}
