package neo4jwalk

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// pathFinder finds the shortest paths between two nodes.
type pathFinder struct {
	client    *bolt.Client
	texts     *neo4jentity.Texts
	reads     *neo4jentity.Reader
	subgraphs *subgraphReader
	timeouts  *neo4jentity.TimeoutExplainer
}

// Paths finds shortest paths: see graph.Explorer.
func (f *pathFinder) Paths(ctx context.Context, q graph.PathQuery) (graph.Subgraph, error) {
	ctx, recorder := bolt.WithTimeoutRecorder(ctx)
	found, err := f.paths(ctx, q)
	return found, f.timeouts.ExplainWalkTimeout(ctx, recorder, "max_depth", q.EdgeType, err)
}

func (f *pathFinder) paths(ctx context.Context, q graph.PathQuery) (graph.Subgraph, error) {
	speculative := f.startPathsSpeculatively(ctx, q)
	search, err := f.preparePathSearch(ctx, q)
	found, there, failed := speculative.wait(search)
	if err != nil || !search.typeInUse {
		return emptySubgraph(), err
	}
	if search.source.ElementID == search.target.ElementID {
		return f.pathGraph(ctx, []elementPath{{nodes: []string{search.source.ElementID}}})
	}
	err = failed
	limited := neo4jview.PredicateOf(ctx, graph.EdgeKind).Limits("")
	if !limited && !there {
		found, err = f.findFirstPaths(ctx, search)
	}
	if limited || err == nil && slices.ContainsFunc(found, elementPath.isInternal) {
		// Visible paths may be longer, or more than the first ones found.
		found, err = f.findVisiblePaths(ctx, search)
	}
	if err != nil {
		return graph.Subgraph{}, err
	}
	return f.pathGraph(ctx, found)
}

// pathSearch is a search for paths with resolved ends.
type pathSearch struct {
	query          graph.PathQuery
	source, target *neo4jentity.StartNode
	edgeType       cypher.Fragment
	typeInUse      bool
}

// speculativePaths is a search between ends from the id cache, beside the look-up of the ends.
type speculativePaths struct {
	search    pathSearch
	searching errgroup.Group
	found     []elementPath
}

// startPathsSpeculatively begins such a search; nil if the id cache has none of them.
func (f *pathFinder) startPathsSpeculatively(ctx context.Context, q graph.PathQuery) *speculativePaths {
	p := &speculativePaths{search: pathSearch{query: q, edgeType: cypher.Any}}
	p.search.source, p.search.target = f.reads.SpeculativeStart(ctx, q.SourceID), f.reads.SpeculativeStart(ctx, q.TargetID)
	if q.EdgeType != "" || p.search.source == nil || p.search.target == nil || p.search.source.IsAt(p.search.target) {
		return nil
	}
	p.searching.Go(func() (err error) {
		p.found, err = f.findFirstPaths(ctx, p.search)
		return err
	})
	return p
}

// wait returns the paths if the search began at the ends that were found; else there is no result. It waits for the end of the search in
// any case.
func (p *speculativePaths) wait(search pathSearch) (found []elementPath, there bool, err error) {
	if p == nil {
		return nil, false, nil
	}
	err = p.searching.Wait()
	if search.source == nil || search.target == nil || !p.search.source.IsAt(search.source) || !p.search.target.IsAt(search.target) {
		return nil, false, nil
	}
	return p.found, true, err
}

// preparePathSearch resolves the ends and the type concurrently.
func (f *pathFinder) preparePathSearch(ctx context.Context, q graph.PathQuery) (pathSearch, error) {
	search := pathSearch{query: q}
	var atSource, atTarget, atType error
	var finding errgroup.Group
	for _, find := range []func(){
		func() { search.source, atSource = f.findPathEnd(ctx, "source_id", q.SourceID) },
		func() { search.target, atTarget = f.findPathEnd(ctx, "target_id", q.TargetID) },
		func() { search.edgeType, search.typeInUse, atType = f.reads.EdgeTypeSlot(ctx, q.EdgeType) },
	} {
		finding.Go(func() error {
			find()
			return nil
		})
	}
	_ = finding.Wait() // each has its own error: the source's error takes precedence
	for _, err := range []error{atSource, atTarget, atType} {
		if err != nil {
			return search, err
		}
	}
	if search.source.ElementID == search.target.ElementID {
		search.typeInUse = true // no edge is followed
	}
	return search, nil
}

func (f *pathFinder) findPathEnd(ctx context.Context, field, id string) (*neo4jentity.StartNode, error) {
	at, err := f.reads.FindStartNode(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, fault.New(fault.NotFound, "There is no such node", fault.Detail{Field: field, Message: "is the id of no node"})
	}
	return at, err
}

// elementPath is a path of element ids: one node more than edges.
type elementPath struct {
	nodes, edges []string
	internal     bool // it contains internal data
}

func (p elementPath) isInternal() bool { return p.internal }

// findFirstPaths finds the paths that the database finds first, one more than an answer contains.
func (f *pathFinder) findFirstPaths(ctx context.Context, search pathSearch) ([]elementPath, error) {
	if search.query.All {
		return f.findPaths(ctx, cypher.Paths, cypher.AllShortest, graph.MaxPaths+1, search)
	}
	return f.findPaths(ctx, cypher.Paths, cypher.AnyShortest, 1, search)
}

// maxComparedPaths bounds the paths of which the first in their order are answered.
const maxComparedPaths = 1000

// findVisiblePaths finds the paths that are visible, and that come first by their element ids: which ones the database finds first depends
// on edges that are not visible. Of more than maxComparedPaths it still decides.
func (f *pathFinder) findVisiblePaths(ctx context.Context, search pathSearch) ([]elementPath, error) {
	found, err := f.findPaths(ctx, cypher.PathsVisible, cypher.AllShortest, maxComparedPaths, search)
	slices.SortFunc(found, elementPath.compare)
	if !search.query.All {
		found = found[:min(len(found), 1)]
	}
	return found, err
}

// compare orders paths of one length by the numbers of their element ids.
func (p elementPath) compare(other elementPath) int {
	byNumber := func(a, b string) int { return cmp.Compare(keyset.NumberOrNone(a), keyset.NumberOrNone(b)) }
	return cmp.Or(slices.CompareFunc(p.nodes, other.nodes, byNumber), slices.CompareFunc(p.edges, other.edges, byNumber))
}

// findPaths searches for shortest paths, at most maxPaths.
func (f *pathFinder) findPaths(
	ctx context.Context, statement cypher.Statement, shortest cypher.Fragment, maxPaths int, search pathSearch,
) ([]elementPath, error) {
	q, source, target := search.query, search.source, search.target
	arrow := cypher.Directed
	if q.Direction == graph.Both {
		arrow = cypher.Undirected
	}
	reversed := q.Direction == graph.In // the same paths, searched from the other end
	if reversed {
		source, target = target, source
	}
	slots := cypher.Slots{"shortest": shortest, "steps": cypher.Steps(search.edgeType, q.MaxDepth), "arrow": arrow, "id": f.texts.IDName}
	view := neo4jview.PredicateOf(ctx, graph.EdgeKind)
	if statement.Name == cypher.PathsVisible.Name {
		slots["view"] = view.Text("")
	}
	rows, err := f.client.ReadRows(ctx, statement.Text(slots), view.With(map[string]any{
		"source": source.ElementID, "source_id": source.ID, "target": target.ElementID, "target_id": target.ID, "max_paths": maxPaths,
	}))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var found []elementPath
	for _, each := range bolt.Column[[]any](rows[0], "paths") {
		row, _ := each.([]any)
		p := elementPath{
			nodes: bolt.AsTexts(bolt.Tuple(row).List(0)), edges: bolt.AsTexts(bolt.Tuple(row).List(1)),
			internal: slices.Contains(row, any(true)),
		}
		if reversed {
			slices.Reverse(p.nodes)
			slices.Reverse(p.edges)
		}
		found = append(found, p)
	}
	return found, nil
}

// pathGraph is the result of a search: the entities in the order of the paths, up to Config.MaxPageBytes, and the paths whose entities are
// all included; the first path is read completely, whatever its size. Paths with an entity that was deleted or became internal since the
// search are dropped.
func (f *pathFinder) pathGraph(ctx context.Context, paths []elementPath) (graph.Subgraph, error) {
	if len(paths) == 0 {
		return emptySubgraph(), nil
	}
	more := len(paths) > graph.MaxPaths
	paths = paths[:min(len(paths), graph.MaxPaths)]
	onPaths := wantedEntities{minNodes: len(paths[0].nodes), minEdges: len(paths[0].edges)}
	seen := map[string]bool{}
	appendNew := func(into, ids []string) []string {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				into = append(into, id)
			}
		}
		return into
	}
	for _, p := range paths {
		onPaths.nodes, onPaths.edges = appendNew(onPaths.nodes, p.nodes), appendNew(onPaths.edges, p.edges)
	}
	found, err := f.subgraphs.read(ctx, onPaths)
	if err != nil {
		return found.graph, err
	}
	found.addPaths(paths)
	found.dropNotOnPaths()
	found.graph.Truncated = found.graph.Truncated || more
	return found.graph, nil
}
