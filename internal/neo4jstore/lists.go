package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// listReader reads pages of nodes and of edges. It is safe for concurrent use.
type listReader struct {
	client     *bolt.Client
	texts      *statementTexts
	elements   *elementReader
	reads      *entityReader
	exclusions *exclusionCache
	timeouts   *timeoutExplainer
	schema     neo4jschema.Stores

	extents   extentCache
	mixed     sync.Map                                 // see mixedType
	nodePages bolt.SharedReads[graph.Page[graph.Node]] // that requests for the same share
	edgePages bolt.SharedReads[graph.Page[graph.Edge]]
}

// listRequest is one request for a page of nodes or of edges. What differs between the two is in statements and decode, and in what the
// ends of edges and the several labels of nodes require.
type listRequest[T any] struct {
	*listReader
	kind       kind
	statements *listStatements
	decode     decoder[T]

	query       graph.EdgeQuery // of nodes: without ends
	fingerprint uint32          // of the query, in its cursors
	filter      filter
	at          *keyset.Position // the cursor position of a list that is not sorted
	ends        endpointFilter

	catalog *managedTypes
	managed []string // types of the kind, in order
	types   *declared.Types
	hidden  *exclusion
	sizes   map[string]int64 // how many entities a type has, some seconds old: decides how to read, never what is listed
	params  map[string]any   // those that statements of the page may declare: see paramsOf
}

func (l *listReader) nodeList(q graph.NodeQuery) *listRequest[graph.Node] {
	return &listRequest[graph.Node]{
		listReader: l, kind: nodes, statements: listStatementsOf[nodes], decode: l.decodeNode,
		query: graph.EdgeQuery{Type: q.Type, Filter: q.Filter, Sort: q.Sort, Paging: q.Paging},
	}
}

func (l *listReader) edgeList(q graph.EdgeQuery) *listRequest[graph.Edge] {
	return &listRequest[graph.Edge]{listReader: l, kind: edges, statements: listStatementsOf[edges], decode: l.decodeEdge, query: q}
}

// read reads the page, or shares it with requests for the same.
func (l *listRequest[T]) read(ctx context.Context, pages *bolt.SharedReads[graph.Page[T]]) (graph.Page[T], error) {
	q := &l.query
	cursorScope := l.cursorScope()
	l.fingerprint = keyset.Fingerprint(cursorScope...)
	var err error
	if l.filter, err = l.prepareFilter(ctx, l.kind, q.Filter); err != nil {
		return graph.Page[T]{}, err
	}
	q.Sort = l.filter.view.ShownSort(q.Sort)
	readPage := l.readInOrder
	if len(q.Sort) > 0 {
		readPage = l.readSorted
	}
	began := time.Now()
	key := fmt.Sprintf("%q %t %s", cursorScope, q.Ends, pagingKey(q.Paging))
	page, err := readShared(ctx, pages, key, ownPage, func(ctx context.Context) (graph.Page[T], error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		page, err := readPage(ctx)
		slow := slowList{kind: l.kind, typ: q.Type, filter: q.Filter, sort: q.Sort, paging: q.Paging, node: l.isOfNode()}
		return page, l.timeouts.explainListTimeout(ctx, recorder, slow, l.filter.attributeError(err))
	})
	if !l.isOfNode() { // edges of a node are found by the node
		l.schema.CountSlowList(ctx, l.kind, q.Type, q.Filter, q.Sort, began, err)
	}
	return page, err
}

// isOfNode reports whether only the edges of some nodes are listed.
func (l *listRequest[T]) isOfNode() bool {
	return l.query.SourceID != "" || l.query.TargetID != "" || l.query.NodeID != "" || l.query.Of != nil
}

// cursorScope is what determines which entities a query lists, and in which order.
func (l *listRequest[T]) cursorScope() []string {
	q := l.query
	conditions := graph.Fingerprint(q.Filter, q.Sort)
	if l.kind == nodes {
		return []string{"nodes", string(q.Type), conditions}
	}
	of := graph.Around{}
	if q.Of != nil {
		of = *q.Of
	}
	return []string{"edges", string(q.Type), q.SourceID, q.TargetID, q.NodeID, of.NodeID, string(of.Direction), conditions}
}

// readInOrder reads the page in the contract's default order.
func (l *listRequest[T]) readInOrder(ctx context.Context) (graph.Page[T], error) {
	var err error
	if l.at, err = keyset.DecodePosition(l.query.After, l.fingerprint); err != nil {
		return graph.Page[T]{}, err
	}
	if speculative := l.speculativeNode(ctx); speculative != nil {
		wait := l.reads.lookUpStart(ctx, l.query.Of.NodeID)
		page, failed := l.readWithEnds(ctx, endsAround(*l.query.Of, speculative))
		if found, err := wait(); err != nil || speculative.isAt(found) {
			return page, cmp.Or(err, failed)
		}
	}
	ends, err := l.resolveEnds(ctx, l.query)
	if err != nil {
		return graph.Page[T]{}, err
	}
	return l.readWithEnds(ctx, ends)
}

// speculativeNode is the node whose edges a query wants, if the id cache has it and nothing else has to be looked up.
func (l *listRequest[T]) speculativeNode(ctx context.Context) *startNode {
	q := l.query
	if q.Of == nil || q.SourceID != "" || q.TargetID != "" || q.NodeID != "" {
		return nil
	}
	return l.reads.speculativeStart(ctx, q.Of.NodeID)
}

// readWithEnds reads the page of a list without a type by the names in use.
func (l *listRequest[T]) readWithEnds(ctx context.Context, ends endpointFilter) (graph.Page[T], error) {
	l.ends = ends
	read := func(ctx context.Context, names []string) (graph.Page[T], error) {
		return readWithCatalog(ctx, l.reads, func(ctx context.Context, m *managedTypes) (graph.Page[T], error) {
			return l.readSegments(ctx, m, names)
		})
	}
	if l.query.Type == "" && !ends.none && !ends.hasNodes() {
		return readWithNames(ctx, l.exclusions, l.namesOf, read)
	}
	return read(ctx, nil)
}

// namesOf are the names in use that a list of all types depends on. A node that the user sees may be listed under a label that the user
// does not see: all labels matter.
func (l *listRequest[T]) namesOf(e *exclusion) []string {
	if l.kind == nodes {
		return e.labelsInUse
	}
	return l.filter.view.NamesOf(e.typesInUse)
}

// readSegments reads the page by a catalog and the names in use. It works on a copy of the list, since it may run again with others.
func (l listRequest[T]) readSegments(ctx context.Context, m *managedTypes, names []string) (page graph.Page[T], err error) {
	if l.hidden, err = l.exclusions.exclusionOfPage(ctx, l.query.Paging); err != nil {
		return page, err
	}
	l.setCatalog(m)
	segments, err := l.newSegments(ctx, names)
	if err != nil {
		return page, err
	}
	total := keyset.CountConcurrently(l.query.Paging, func() (*int64, error) { return l.total(ctx, segments) })
	defer func() { _, _ = total() }()
	found, err := keyset.Walk(ctx, segments, l.at, l.query.Offset, l.query.Limit+1)
	if err != nil {
		return page, err
	}
	page = keyset.PageOf(found, l.query.Paging, func(e keyset.Entry[T]) keyset.Position {
		return keyset.Position{
			Query: l.fingerprint, Type: e.Type, NoType: e.Type == "", Managed: l.walkedAsManaged(e.Type), Own: e.Own, Key: e.Key,
		}
	})
	if l.query.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

// setCatalog sets what the page is read by.
func (l *listRequest[T]) setCatalog(m *managedTypes) {
	l.catalog, l.managed, l.sizes, l.types = m, m.of(l.kind).names, l.schema.Counts.Known().Of(l.kind), l.schema.CurrentTypes()
	walked := keyset.WalkedTypes(l.managed, l.at)
	l.params = map[string]any{
		"declared": neo4jschema.DeclaredParameter(l.types), "managed": walked, "managed_types": walked, "managed_labels": m.nodes.names,
	}
}
