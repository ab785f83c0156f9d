package neo4jentity

import (
	"context"
	"fmt"
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
	ends      EndNeeds // of an edge
	after     graph.Bookmarks
}

func (er *ElementReader) readByElementID(k kind) func(context.Context, []byElementID) []coalesce.Outcome[*Record] {
	return func(ctx context.Context, batch []byElementID) []coalesce.Outcome[*Record] {
		out := make([]coalesce.Outcome[*Record], len(batch))
		wanted, needs := make([]string, len(batch)), make([]EndNeeds, len(batch))
		for i, q := range batch {
			wanted[i], needs[i] = q.elementID, q.ends
		}
		found := make([]*Record, len(batch))
		ends := columnsFor(needs)
		rows := er.RecordSizes.rowsInPart(er.texts.ElementsText(k, ends))
		parts, err := er.readElementBatch(ctx, k, er.elementsQuery(k, wanted, ends, rows, &er.RecordSizes), found)
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
	texts    *Texts
	elements *ElementReader
	contents *contentReader

	Catalog  *TypeCatalog
	IDCaches [2]idCache // of nodes and of edges
}

func newEntityFinder(texts *Texts, contents *contentReader, catalog *TypeCatalog) *entityFinder {
	return &entityFinder{
		config: contents.config, texts: texts, elements: contents.elements, contents: contents, Catalog: catalog,
		IDCaches: [2]idCache{newIDCache(), newIDCache()},
	}
}

// Knows reports whether a request may know of an entity by its content. If several entities have an id, one of which it does not know does
// not count. Nil if it may know of every entity.
type Knows func(names []string, c neo4jview.Content) bool

// Sees is Knows for a request that reads.
func Sees(_ []string, c neo4jview.Content) bool { return c.Visible }

// Find looks an entity up by id or element id: by the cache, then in the types that the id hints at, then in all managed types, then by the
// element id itself. See docs/adr/0001-ids.md. It returns nil if there is none, and a CONFLICT if the user sees several of one id.
func (ef *entityFinder) Find(ctx context.Context, k kind, id string) (*ManagedTypes, *Record, error) {
	return ef.FindKnown(ctx, k, id, EndNeeds{}, Sees)
}

// FindKnown is Find for a request that knows of some entities, which also reads what is needed of an edge's ends.
func (ef *entityFinder) FindKnown(
	ctx context.Context, k kind, id string, ends EndNeeds, known Knows,
) (*ManagedTypes, *Record, error) {
	m, err := ef.Catalog.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	cache := ef.IDCacheOf(k)
	if at, cached := cache.get(id); cached && !searchesByID(ctx, id) {
		e, err := ef.elements.Queues.Of(k).GetByElementID(ctx, at, ends)
		if err != nil || (e != nil && m.OwnID(k, e.Names, e.Properties[ef.config.IDProperty]) == id) {
			return m, e, bolt.Translate(err)
		}
		cache.Drop(id)
	}
	if hint, ok := graph.HintOf(id); ok && len(m.Of(k).Hinted[hint].Names) == 0 {
		// A gateway created this id, or could have, in a type that is not known yet: reading the catalog costs less than searching all
		// types.
		if m, err = ef.Catalog.Fresh(ctx, missAge); err != nil {
			return nil, nil, err
		}
	}
	for try := 0; ; try++ {
		e, err := ef.findOnce(ctx, m, k, byID{id: id, ends: ends}, known)
		if e != nil || err != nil {
			return m, e, err
		}
		// Another replica may have made the type managed a moment ago.
		if try > 0 || !hasTypeHint(id) {
			return m, nil, nil
		}
		newer, err := ef.Catalog.Fresh(ctx, missAge)
		if err != nil || slices.Equal(newer.Of(k).Names, m.Of(k).Names) {
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

func (ef *entityFinder) findOnce(ctx context.Context, m *ManagedTypes, k kind, q byID, known Knows) (*Record, error) {
	set := m.Of(k)
	hint, hinted := graph.HintOf(q.id)
	var first searchedTypes
	if hinted {
		first = set.Hinted[hint]
	}
	found, err := ef.findInTypes(ctx, k, q, first)
	if err == nil && len(found) == 0 && len(first.Names) < len(set.Names) {
		found, err = ef.findInTypes(ctx, k, q, set.all)
	}
	switch {
	case err != nil:
		return nil, err
	case len(found) == 1:
		ef.IDCacheOf(k).Put(q.id, found[0].ElementID)
		return found[0], nil
	case len(found) > 1:
		return ef.oneKnown(ctx, m, k, q.id, found, known)
	case !IsElementID(k, q.id):
		return nil, nil
	}
	e, err := ef.elements.Queues.Of(k).GetByElementID(ctx, q.id, q.ends)
	return e, bolt.Translate(err)
}

// oneKnown is the only entity of several with one id that a request knows of. If it knows of none, it is any of them, and the caller does
// with it as with a hidden entity that alone has its id.
func (ef *entityFinder) oneKnown(
	ctx context.Context, m *ManagedTypes, k kind, id string, found []*Record, known Knows,
) (*Record, error) {
	if known == nil {
		return nil, SharedID(k, id)
	}
	one, count := found[0], 0
	ctx = rules.WithView(ctx, rules.NamingViewOf(ctx))
	for _, e := range found {
		content, err := ef.contents.ReadContent(ctx, m, k, e.clone())
		if err != nil {
			return nil, bolt.Translate(err)
		}
		if !known(e.Names, content) {
			continue
		}
		if one, count = e, count+1; count > 1 {
			return nil, SharedID(k, id)
		}
	}
	return one, nil
}

// findInTypes looks the entities with an id up in some types.
func (ef *entityFinder) findInTypes(ctx context.Context, k kind, q byID, types searchedTypes) ([]*Record, error) {
	got := make([][]*Record, len(types.parts))
	var lookups errgroup.Group // all parts wait for one round trip, instead of one after another
	for i, some := range types.parts {
		lookups.Go(func() (err error) {
			q := q
			q.types, q.shared = some, types.shared
			got[i], err = ef.elements.Queues.Of(k).getByID(ctx, q)
			return err
		})
	}
	if err := lookups.Wait(); err != nil {
		return nil, bolt.Translate(err)
	}
	var found []*Record
	for _, e := range slices.Concat(got...) {
		if !containsElement(found, e) {
			found = append(found, e)
		}
	}
	return found, nil
}

// SharedID is the fault of an id that belongs to several entities.
func SharedID(k kind, id string) error {
	return fault.New(fault.Conflict, fmt.Sprintf("The id %q belongs to more than one %s; use an element id", id, k))
}

// IDCacheOf has the element ids of entities of a kind that were found lately.
func (ef *entityFinder) IDCacheOf(k kind) idCache {
	if k == edges {
		return ef.IDCaches[1]
	}
	return ef.IDCaches[0]
}

// missAge is the maximum age of the catalog when an id is reported as missing.
const missAge = 0

// FindStartNode finds the node from which an expansion starts.
func (rs *entityResolver) FindStartNode(ctx context.Context, id string) (*StartNode, error) {
	m, e, err := rs.FindVisibleNode(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, graph.NoSuchEntity(nodes)
	}
	return rs.StartAt(m, e), nil
}

// StartAt is a node that was found.
func (rs *entityResolver) StartAt(m *ManagedTypes, e *Record) *StartNode {
	a := &StartNode{ElementID: e.ElementID}
	if own := m.OwnID(nodes, e.Names, e.Properties[rs.config.IDProperty]); own != "" {
		a.ID = own
	}
	return a
}

// Node reads one node: see graph.NodeStore.
func (rd *Reader) Node(ctx context.Context, id string) (graph.Node, error) {
	m, e, err := rd.Find(ctx, nodes, id)
	switch {
	case err != nil:
		return graph.Node{}, err
	case e == nil:
		return graph.Node{}, graph.NoSuchEntity(nodes)
	}
	if err := graph.TakeBytes(ctx, e.Size); err != nil {
		return graph.Node{}, err
	}
	n, err := rd.DecodeNode(ctx, m, e)
	if err == nil && !neo4jview.ShowNode(ctx, &n) {
		return graph.Node{}, rd.NotVisible(ctx, m, nodes, id, EndNeeds{})
	}
	return n, bolt.Translate(err)
}

// Edge reads one edge: see graph.EdgeStore.
func (rd *Reader) Edge(ctx context.Context, id string) (graph.Edge, error) {
	return rd.readEdge(ctx, id, false)
}

// EdgeWithEnds reads one edge and the names of its ends: see graph.EdgeStore.
func (rd *Reader) EdgeWithEnds(ctx context.Context, id string) (graph.Edge, error) {
	return rd.readEdge(ctx, id, true)
}

func (rd *Reader) readEdge(ctx context.Context, id string, withEnds bool) (graph.Edge, error) {
	needs := EndNeedsOf(ctx, withEnds)
	m, e, err := rd.FindKnown(ctx, edges, id, needs, Sees)
	switch {
	case err != nil:
		return graph.Edge{}, err
	case e == nil:
		return graph.Edge{}, graph.NoSuchEntity(edges)
	}
	if err := graph.TakeBytes(ctx, e.Size); err != nil {
		return graph.Edge{}, err
	}
	r, err := rd.DecodeEdge(ctx, m, e)
	if !withEnds { // another read of its batch needed them
		r.Ends = nil
	}
	if err != nil {
		return r, bolt.Translate(err)
	}
	seen, err := rd.SeesEnds(ctx, m, e)
	if err != nil {
		return graph.Edge{}, err
	}
	if !neo4jview.ShowEdge(ctx, &r) || !seen {
		return graph.Edge{}, rd.NotVisible(ctx, m, edges, id, needs)
	}
	return r, nil
}

// NotVisible is the error of a read whose user does not see the entity that was found. Before it answers, it does what Find does about an
// id that does not exist, so that the time does not tell the two apart. An id without a hint costs find one statement in either case.
func (ef *entityFinder) NotVisible(ctx context.Context, m *ManagedTypes, k kind, id string, ends EndNeeds) error {
	hint, hinted := graph.HintOf(id)
	if !hinted {
		return graph.NoSuchEntity(k)
	}
	if set := m.Of(k); len(set.Hinted[hint].Names) < len(set.Names) {
		if _, err := ef.findInTypes(ctx, k, byID{id: id, ends: ends}, set.all); err != nil {
			return err
		}
	}
	if _, err := ef.Catalog.Fresh(ctx, missAge); err != nil {
		return bolt.Translate(err)
	}
	return graph.NoSuchEntity(k)
}
