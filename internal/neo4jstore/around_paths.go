package neo4jstore

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Paths finds shortest paths: see graph.Explorer.
func (s *Store) Paths(ctx context.Context, q graph.PathQuery) (graph.Subgraph, error) {
	search, err := s.preparePathSearch(ctx, q)
	if err != nil || !search.typeInUse {
		return emptySubgraph(), err
	}
	if search.source.element == search.target.element {
		found, err := s.subgraph(ctx, []string{search.source.element}, nil)
		found.addPaths([]elementPath{{nodes: []string{search.source.element}}})
		return found.graph, err
	}
	found, err := s.findPaths(ctx, cypher.Paths, search)
	if err == nil && found.hasInternal() {
		// Visible paths may be longer, or more than the first ones found.
		found, err = s.findPaths(ctx, cypher.PathsVisible, search)
	}
	if err != nil {
		return graph.Subgraph{}, err
	}
	return s.pathGraph(ctx, found)
}

// pathSearch is a search for paths with its ends found.
type pathSearch struct {
	query          graph.PathQuery
	source, target *anchor
	edgeType       cypher.Fragment
	typeInUse      bool
}

// preparePathSearch finds the ends and the type at the same time.
func (s *Store) preparePathSearch(ctx context.Context, q graph.PathQuery) (pathSearch, error) {
	search := pathSearch{query: q}
	var atSource, atTarget, atType error
	var finding errgroup.Group
	for _, find := range []func(){
		func() { search.source, atSource = s.pathEnd(ctx, "source_id", q.SourceID) },
		func() { search.target, atTarget = s.pathEnd(ctx, "target_id", q.TargetID) },
		func() { search.edgeType, search.typeInUse, atType = s.edgeTypeSlot(ctx, q.EdgeType) },
	} {
		finding.Go(func() error {
			find()
			return nil
		})
	}
	_ = finding.Wait() // each keeps its own error: that of the source goes first
	for _, err := range []error{atSource, atTarget, atType} {
		if err != nil {
			return search, err
		}
	}
	if search.source.element == search.target.element {
		search.typeInUse = true // no edge is followed
	}
	return search, nil
}

func (s *Store) pathEnd(ctx context.Context, field, id string) (*anchor, error) {
	at, err := s.anchor(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, fault.New(fault.NotFound, "There is no such node", fault.Detail{Field: field, Message: "is the id of no node"})
	}
	return at, err
}

// elementPath is a path in element ids: one node more than edges.
type elementPath struct{ nodes, edges []string }

// foundPaths are paths and the entities on them, by element id.
type foundPaths struct {
	paths        []elementPath
	nodes, edges map[string]*element
}

// hasInternal says whether an entity is internal.
func (f foundPaths) hasInternal() bool {
	for _, entities := range []map[string]*element{f.nodes, f.edges} {
		for _, e := range entities {
			if slices.ContainsFunc(e.names, internalName) {
				return true
			}
		}
	}
	return false
}

// visible are the paths without internal entities.
func (f foundPaths) visible() []elementPath {
	return slices.DeleteFunc(slices.Clone(f.paths), func(p elementPath) bool {
		internal := func(of map[string]*element) func(string) bool {
			return func(id string) bool { return of[id] == nil || slices.ContainsFunc(of[id].names, internalName) }
		}
		return slices.ContainsFunc(p.nodes, internal(f.nodes)) || slices.ContainsFunc(p.edges, internal(f.edges))
	})
}

// findPaths runs a search for one path more than an answer holds.
func (s *Store) findPaths(ctx context.Context, statement cypher.Statement, search pathSearch) (foundPaths, error) {
	q, source, target := search.query, search.source, search.target
	shortest, maxPaths := cypher.AnyShortest, 1
	if q.All {
		shortest, maxPaths = cypher.AllShortest, graph.MaxPaths+1
	}
	arrow := cypher.Directed
	if q.Direction == graph.Both {
		arrow = cypher.Undirected
	}
	reversed := q.Direction == graph.In // the same paths, begun at the other end
	if reversed {
		source, target = target, source
	}
	text := statement.Text(cypher.Slots{
		"shortest": shortest, "steps": cypher.Steps(search.edgeType, q.MaxDepth), "arrow": arrow, "id": s.idName,
	})
	rows, err := s.readRows(ctx, text, map[string]any{
		"source": source.element, "source_id": source.id, "target": target.element, "target_id": target.id, "max_paths": maxPaths,
	})
	found := foundPaths{nodes: map[string]*element{}, edges: map[string]*element{}}
	for _, row := range rows {
		if err := graph.TakeBytes(ctx, sizeOfRow(row.Values)); err != nil {
			return found, err
		}
		for _, each := range column[[]any](row, "paths") {
			ends, _ := each.([]any)
			p := elementPath{nodes: texts(tuple(ends).list(0)), edges: texts(tuple(ends).list(1))}
			if reversed {
				slices.Reverse(p.nodes)
				slices.Reverse(p.edges)
			}
			found.paths = append(found.paths, p)
		}
		collectElements(found.nodes, column[[]any](row, "nodes"), tuple.node)
		collectElements(found.edges, column[[]any](row, "edges"), tuple.edge)
	}
	return found, err
}

// collectElements reads a column of tuples into a map by element id.
func collectElements(into map[string]*element, tuples []any, read func(tuple, int) element) {
	for _, each := range tuples {
		row, _ := each.([]any)
		e := read(tuple(row), 0)
		into[e.element] = &e
	}
}

// pathGraph is the answer of a search: the entities in the order in which the paths pass them. An entity that became internal
// during the search takes its paths along.
func (s *Store) pathGraph(ctx context.Context, found foundPaths) (graph.Subgraph, error) {
	f := newFoundGraph()
	m, err := s.catalogue.within(ctx, listCatalogueAge)
	if err != nil {
		return f.graph, err
	}
	paths := found.visible()
	f.graph.Truncated = len(found.paths) > graph.MaxPaths
	paths = paths[:min(len(paths), graph.MaxPaths)]
	for _, p := range paths {
		for _, id := range p.nodes {
			if err := s.addNode(ctx, m, &f, found.nodes[id]); err != nil {
				return f.graph, translate(err)
			}
		}
	}
	for _, p := range paths {
		for _, id := range p.edges {
			if err := s.addEdge(ctx, m, &f, found.edges[id]); err != nil {
				return f.graph, translate(err)
			}
		}
	}
	f.addPaths(paths)
	return f.graph, nil
}
