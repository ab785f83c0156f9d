package neo4jstore

import (
	"context"
	"fmt"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// listSources are what lists of nodes and of edges are read from.
type listSources struct {
	client     *bolt.Client
	texts      *statementTexts
	elements   *elementReader
	reads      *entityReader
	exclusions *exclusionCache
	timeouts   *timeoutExplainer
	types      *neo4jschema.TypeStore
	counts     *neo4jschema.Counts
	indexes    *neo4jschema.IndexStore

	filters *filterBuilder
	ends    *endResolver
	exact   *exactCounter
	extents *extentCache
	mixed   *mixedTypes
}

// listReader reads pages of nodes or of edges. What differs between the two is in the listStatements and decode, and in what the ends of
// edges and the several labels of nodes require. It is safe for concurrent use.
type listReader[T any] struct {
	sources *listSources
	kind    kind
	decode  decoder[T]
	pages   bolt.SharedReads[graph.Page[T]] // that requests for the same share
}

// lists read pages of nodes and of edges.
type lists struct {
	core    *core
	sources *listSources
	nodes   *listReader[graph.Node]
	edges   *listReader[graph.Edge]
}

func newLists(core *core) *lists {
	schema := core.schema
	sources := &listSources{
		client: core.client, texts: core.texts, elements: core.elements, reads: core.reads, exclusions: core.exclusions,
		timeouts: core.timeouts, types: schema.TypeStore, counts: schema.Counts, indexes: schema.IndexStore,
		filters: &filterBuilder{counts: schema.Counts, names: schema.Names, indexes: schema.IndexStore},
		ends:    &endResolver{reads: core.reads}, extents: &extentCache{client: core.client}, mixed: &mixedTypes{},
		exact: &exactCounter{client: core.client, exclusions: core.exclusions, counts: schema.Counts},
	}
	ls := &lists{
		core: core, sources: sources,
		nodes: &listReader[graph.Node]{sources: sources, kind: nodes, decode: rowDecoder{core.reads}.node},
		edges: &listReader[graph.Edge]{sources: sources, kind: edges, decode: rowDecoder{core.reads}.edge},
	}
	ls.nodes.pages.Off, ls.edges.pages.Off = core.config.Uncoalesced, core.config.Uncoalesced
	return ls
}

// read reads a page, or shares it with requests for the same.
func (l *listReader[T]) read(ctx context.Context, asked graph.EdgeQuery) (graph.Page[T], error) {
	q := newListQuery(l.kind, asked)
	var err error
	if q.filter, err = l.sources.filters.buildFilter(ctx, l.kind, q.Filter); err != nil {
		return graph.Page[T]{}, err
	}
	if len(q.Sort) > 0 {
		inIDOrder, err := l.isInIDOrder(ctx, string(q.Type))
		if err != nil {
			return graph.Page[T]{}, err
		}
		q.Sort = q.filter.view.ShownSort(string(q.Type), inIDOrder, q.Sort)
	}
	request := listRequest[T]{listSources: l.sources, query: q, decode: l.decode}
	readPage := defaultOrderList[T]{request}.read
	if len(q.Sort) > 0 {
		readPage = sortedList[T]{request}.read
	}
	began := time.Now()
	key := fmt.Sprintf("%q %t %s", q.scope, q.Ends, pagingKey(q.Paging))
	page, err := readShared(ctx, &l.pages, key, ownPage, func(ctx context.Context) (graph.Page[T], error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		page, err := readPage(ctx)
		slow := slowList{kind: l.kind, typ: q.Type, filter: q.Filter, sort: q.Sort, paging: q.Paging, node: q.isOfNode()}
		return page, l.sources.timeouts.explainListTimeout(ctx, recorder, slow, q.filter.attributeError(err))
	})
	if !q.isOfNode() { // edges of a node are found by the node
		l.sources.indexes.CountSlowList(ctx, l.kind, q.Type, q.Filter, q.Sort, began, err)
	}
	return page, err
}

// isInIDOrder reports whether the default order of a list of a type is that of ids. The nodes of a type that is not managed may have the
// ids of one that is; the edges have none.
func (l *listReader[T]) isInIDOrder(ctx context.Context, typ string) (bool, error) {
	if typ == "" || l.kind == edges {
		return typ != "", nil
	}
	m, err := l.sources.reads.catalog.Get(ctx)
	if err != nil {
		return false, err
	}
	_, managed := m.nodes.set[typ]
	return managed || len(m.nodes.names) == 0, nil
}

// listRequest is one request for a page.
type listRequest[T any] struct {
	*listSources
	query  *listQuery
	decode decoder[T]
}

// pageReaders are what reads a page by one catalog of managed types and with the ends that were found.
type pageReaders[T any] struct {
	types    *listTypes
	texts    *listTexts
	rows     *listRows[T]
	segments *listSegments[T]
}

// newPageReaders creates what reads a page. at is the cursor position, and hidden are the names that rows of one type exclude; a sorted
// list has neither.
func (r listRequest[T]) newPageReaders(m *managedTypes, at *keyset.Position, ends endpointFilter, hidden *exclusion) pageReaders[T] {
	q := r.query
	types := newListTypes(q.kind, m, r.types.CurrentTypes(), r.counts.Known().Of(q.kind), at)
	texts := newListTexts(q, r.texts, types.params())
	rows := &listRows[T]{elements: r.elements, mixed: r.mixed, texts: texts, types: types, decode: r.decode, hidden: hidden}
	totals := &listTotals{client: r.client, exact: r.exact, texts: texts}
	byType := &typeSegments[T]{client: r.client, extents: r.extents, texts: texts, types: types, rows: rows, totals: totals}
	return pageReaders[T]{types: types, texts: texts, rows: rows, segments: &listSegments[T]{
		reads: r.reads, exclusions: r.exclusions, texts: texts, types: types, rows: rows, totals: totals, byType: byType, ends: ends,
	}}
}
