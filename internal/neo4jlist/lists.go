// Package neo4jlist reads lists of nodes and edges page by page, and aggregates them.
package neo4jlist

import (
	"context"
	"fmt"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// listSources are what lists of nodes and of edges are read from.
type listSources struct {
	client     *bolt.Client
	texts      *neo4jentity.Texts
	elements   *neo4jentity.ElementReader
	reads      *neo4jentity.Reader
	exclusions *neo4jentity.ExclusionCache
	timeouts   *neo4jentity.TimeoutExplainer
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
	kind    graph.Kind
	decode  decoder[T]
	pages   bolt.SharedReads[graph.Page[T]] // that requests for the same share
}

// Lists read pages of nodes and of edges.
type Lists struct {
	core    *neo4jentity.Core
	sources *listSources
	nodes   *listReader[graph.Node]
	edges   *listReader[graph.Edge]
}

// New creates the lists of nodes and of edges.
func New(core *neo4jentity.Core) *Lists {
	schema := core.Schema
	sources := &listSources{
		client: core.Client, texts: core.Texts, elements: core.Elements, reads: core.Reads, exclusions: core.Exclusions,
		timeouts: core.Timeouts, types: schema.TypeStore, counts: schema.Counts, indexes: schema.IndexStore,
		filters: &filterBuilder{
			exclusions: core.Exclusions, counts: schema.Counts, names: schema.Names, indexes: schema.IndexStore,
		},
		ends: &endResolver{reads: core.Reads}, extents: &extentCache{client: core.Client}, mixed: &mixedTypes{},
		exact: &exactCounter{client: core.Client, exclusions: core.Exclusions, counts: schema.Counts},
	}
	ls := &Lists{
		core: core, sources: sources,
		nodes: &listReader[graph.Node]{sources: sources, kind: graph.NodeKind, decode: rowDecoder{core.Reads}.node},
		edges: &listReader[graph.Edge]{sources: sources, kind: graph.EdgeKind, decode: rowDecoder{core.Reads}.edge},
	}
	ls.nodes.pages.Off, ls.edges.pages.Off = core.Config.Uncoalesced, core.Config.Uncoalesced
	return ls
}

// Nodes lists nodes: see graph.NodeStore.
func (ls *Lists) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	return ls.nodes.read(ctx, graph.EdgeQuery{Type: q.Type, Filter: q.Filter, Sort: q.Sort, Paging: q.Paging})
}

// Edges lists edges: see graph.EdgeStore.
func (ls *Lists) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	return ls.edges.read(ctx, q)
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
		q.Sort = q.filter.View.ShownSort(string(q.Type), inIDOrder, q.Sort)
	}
	request := listRequest[T]{listSources: l.sources, query: q, decode: l.decode}
	readPage := defaultOrderList[T]{request}.read
	if len(q.Sort) > 0 {
		readPage = sortedList[T]{request}.read
	}
	began := time.Now()
	key := fmt.Sprintf("%q %t %s", q.scope, q.Ends, pagingKey(q.Paging))
	page, err := neo4jentity.ReadShared(ctx, &l.pages, key, ownPage, func(ctx context.Context) (graph.Page[T], error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		var page graph.Page[T]
		var err error
		if !q.isOfNode() && q.readsEnds() {
			q.filter, err = l.sources.filters.withEnds(ctx, q.filter, q.Type)
		}
		if err == nil {
			page, err = readPage(ctx)
		}
		slow := neo4jentity.SlowList{Kind: l.kind, Type: q.Type, Filter: q.Filter, Sort: q.Sort, Paging: q.Paging, Node: q.isOfNode()}
		return page, l.sources.timeouts.ExplainListTimeout(ctx, recorder, slow, q.filter.AttributeError(err))
	})
	if !q.isOfNode() { // edges of a node are found by the node
		l.sources.indexes.CountSlowList(ctx, l.kind, q.Type, q.Filter, q.Sort, began, err)
	}
	return page, err
}

// isInIDOrder reports whether the default order of a list of a type is that of ids. The nodes of a type that is not managed may have the
// ids of one that is; the edges have none.
func (l *listReader[T]) isInIDOrder(ctx context.Context, typ string) (bool, error) {
	if typ == "" || l.kind == graph.EdgeKind {
		return typ != "", nil
	}
	m, err := l.sources.reads.Catalog.Get(ctx)
	if err != nil {
		return false, err
	}
	_, managed := m.Nodes.Set[typ]
	return managed || len(m.Nodes.Names) == 0, nil
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
func (r listRequest[T]) newPageReaders(
	m *neo4jentity.ManagedTypes, at *keyset.Position, ends endpointFilter, hidden *neo4jentity.Exclusion,
) pageReaders[T] {
	q := r.query
	types := newListTypes(q.kind, m, r.types.CurrentTypes(), r.counts.Known().Of(q.kind), at)
	texts := newListTexts(q, r.texts, types.params())
	rows := &listRows[T]{elements: r.elements, mixed: r.mixed, texts: texts, types: types, decode: r.decode, hidden: hidden}
	totals := &listTotals{client: r.client, filters: r.filters, exact: r.exact, texts: texts}
	byType := &typeSegments[T]{client: r.client, extents: r.extents, texts: texts, types: types, rows: rows, totals: totals}
	return pageReaders[T]{types: types, texts: texts, rows: rows, segments: &listSegments[T]{
		reads: r.reads, exclusions: r.exclusions, texts: texts, types: types, rows: rows, totals: totals, byType: byType, ends: ends,
	}}
}
