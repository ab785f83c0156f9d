package neo4jentity

import (
	"cmp"
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
		if err != nil || (e != nil && m.OwnID(k, e.Names, e.Properties[ef.config.IDProperty]) == id && m.IsOnly(k, id, e.Names)) {
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
	return hasTypeHint(id) && !rules.NamingViewOf(ctx).ShowsAll()
}

// hasTypeHint reports whether a gateway could have created an id.
func hasTypeHint(id string) bool {
	_, ok := graph.HintOf(id)
	return ok
}

func (ef *entityFinder) findOnce(ctx context.Context, m *ManagedTypes, k kind, q byID, known Knows) (*Record, error) {
	set := m.Of(k)
	var first searchedTypes
	if hint, hinted := graph.HintOf(q.id); hinted {
		first = set.Hinted[hint]
	}
	found, err := ef.findInTypes(ctx, k, q, first)
	if err != nil {
		return nil, err
	}
	one, isKnown, err := ef.oneKnown(ctx, m, k, q.id, found, known)
	if err == nil && !isKnown && len(first.Names) < len(set.Names) {
		if found, err = ef.findInTypes(ctx, k, q, set.all); err == nil {
			one, isKnown, err = ef.oneKnown(ctx, m, k, q.id, found, known)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case isKnown:
		if m.IsOnly(k, q.id, one.Names) {
			ef.IDCacheOf(k).Put(q.id, one.ElementID)
		}
		return one, nil
	case !IsElementID(k, q.id):
		return one, nil
	}
	e, err := ef.elements.Queues.Of(k).GetByElementID(ctx, q.id, q.ends)
	return cmp.Or(e, one), bolt.Translate(err)
}

// oneKnown is the only one that a request knows of, of the entities with one id. If it knows of none, it is any of them, and the caller
// does with it as with a hidden entity that alone has its id; nil if there is none.
func (ef *entityFinder) oneKnown(
	ctx context.Context, m *ManagedTypes, k kind, id string, found []*Record, known Knows,
) (one *Record, isKnown bool, err error) {
	naming := rules.NamingViewOf(ctx)
	for _, e := range found {
		if known != nil && !naming.ShowsAll() {
			content, err := ef.contents.ReadContent(rules.WithView(ctx, naming), m, k, e.clone())
			if err != nil {
				return nil, false, bolt.Translate(err)
			}
			if !known(e.Names, content) {
				one = cmp.Or(one, e)
				continue
			}
		}
		if isKnown {
			return nil, false, SharedID(k, id)
		}
		one, isKnown = e, true
	}
	return one, isKnown, nil
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
		found = appendOnce(found, e)
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
		return graph.Node{}, rd.NotVisible(ctx, nodes, id)
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
		return graph.Edge{}, rd.NotVisible(ctx, edges, id)
	}
	return r, nil
}

// NotVisible is the error of a read whose user does not see the entity that was found. Find has searched all types for one that the user
// sees, and what it does about an id that does not exist it does here, so that the time does not tell the two apart.
func (ef *entityFinder) NotVisible(ctx context.Context, k kind, id string) error {
	if !hasTypeHint(id) {
		return graph.NoSuchEntity(k)
	}
	if _, err := ef.Catalog.Fresh(ctx, missAge); err != nil {
		return bolt.Translate(err)
	}
	return graph.NoSuchEntity(k)
}
