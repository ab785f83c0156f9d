package neo4jwalk

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// foundGraph is a subgraph with the ids of its entities by their element ids.
type foundGraph struct {
	graph graph.Subgraph
	ids   map[string]string
}

func emptySubgraph() graph.Subgraph {
	return graph.Subgraph{Nodes: []graph.Node{}, Edges: []graph.Edge{}, Paths: [][]string{}}
}

func newFoundGraph() foundGraph { return foundGraph{graph: emptySubgraph(), ids: map[string]string{}} }

// subgraphReader reads the entities of a subgraph that was found.
type subgraphReader struct {
	elements *neo4jentity.ElementReader
	reads    *neo4jentity.Reader
}

// addNode adds a node, unless it is included or the user does not see it.
func (s *subgraphReader) addNode(ctx context.Context, m *neo4jentity.ManagedTypes, f *foundGraph, e *neo4jentity.Record) error {
	if _, there := f.ids[e.ElementID]; there {
		return nil
	}
	n, err := s.reads.DecodeNode(ctx, m, e)
	if err == nil && neo4jview.ShowNode(ctx, &n) {
		f.graph.Nodes, f.ids[e.ElementID] = append(f.graph.Nodes, n), n.ID
	}
	return err
}

// addEdge adds an edge, unless it is included, one of its ends is not, or the user does not see it.
func (s *subgraphReader) addEdge(ctx context.Context, m *neo4jentity.ManagedTypes, f *foundGraph, e *neo4jentity.Record) error {
	_, there := f.ids[e.ElementID]
	_, source := f.ids[e.Source.ElementID]
	_, target := f.ids[e.Target.ElementID]
	if there || !source || !target {
		return nil
	}
	r, err := s.reads.DecodeEdge(ctx, m, e)
	if err == nil && neo4jview.ShowEdge(ctx, &r) {
		f.graph.Edges, f.ids[e.ElementID] = append(f.graph.Edges, r), r.ID
	}
	return err
}

// addPaths adds the paths whose entities are all included.
func (f *foundGraph) addPaths(paths []elementPath) {
	for _, p := range paths {
		if path, whole := f.path(p); whole {
			f.graph.Paths = append(f.graph.Paths, path)
		}
	}
}

// path is a path of ids, alternating between nodes and edges.
func (f *foundGraph) path(p elementPath) ([]string, bool) {
	path := make([]string, 0, 2*len(p.nodes))
	for i, node := range p.nodes {
		if i > 0 {
			path = append(path, f.ids[p.edges[i-1]])
		}
		path = append(path, f.ids[node])
	}
	return path, !slices.Contains(path, "")
}

// dropNotOnPaths drops the entities that are on no path.
func (f *foundGraph) dropNotOnPaths() {
	onPaths := map[string]bool{}
	for _, path := range f.graph.Paths {
		for _, id := range path {
			onPaths[id] = true
		}
	}
	f.graph.Nodes = slices.DeleteFunc(f.graph.Nodes, func(n graph.Node) bool { return !onPaths[n.ID] })
	f.graph.Edges = slices.DeleteFunc(f.graph.Edges, func(e graph.Edge) bool { return !onPaths[e.ID] })
}

// wantedEntities are entities of a subgraph by element id, and how many of the first ones are read whatever their size.
type wantedEntities struct {
	nodes, edges       []string
	minNodes, minEdges int
}

// read reads nodes and edges by their element ids, in that order. Entities deleted meanwhile are omitted, and so are edges with an
// end that is not among the nodes. It is truncated if the entities of either kind exceed Config.MaxPageBytes.
func (s *subgraphReader) read(ctx context.Context, wanted wantedEntities) (foundGraph, error) {
	f := newFoundGraph()
	m, err := s.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return f, err
	}
	var foundNodes, foundEdges []*neo4jentity.Record
	var cutNodes, cutEdges bool
	var reading errgroup.Group
	reading.Go(func() (err error) {
		foundNodes, cutNodes, err = s.readElements(ctx, graph.NodeKind, wanted.nodes, wanted.minNodes)
		return err
	})
	reading.Go(func() (err error) {
		foundEdges, cutEdges, err = s.readElements(ctx, graph.EdgeKind, wanted.edges, wanted.minEdges)
		return err
	})
	if err := reading.Wait(); err != nil {
		return f, bolt.Translate(err)
	}
	f.graph.Truncated = cutNodes || cutEdges
	for _, e := range foundNodes {
		if err := s.addNode(ctx, m, &f, e); err != nil {
			return f, bolt.Translate(err)
		}
	}
	for _, e := range foundEdges {
		if err := s.addEdge(ctx, m, &f, e); err != nil {
			return f, bolt.Translate(err)
		}
	}
	return f, nil
}

// readElements reads entities by element id. Entities deleted meanwhile are omitted, and so are, with cut true, those beyond
// Config.MaxPageBytes and minCount.
func (s *subgraphReader) readElements(
	ctx context.Context, k graph.Kind, wanted []string, minCount int,
) (found []*neo4jentity.Record, cut bool, err error) {
	found = make([]*neo4jentity.Record, 0, len(wanted))
	done, err := s.elements.ForEachElement(ctx, k, wanted, minCount, func(e *neo4jentity.Record) error {
		found = append(found, e)
		return nil
	})
	return found, done < len(wanted), err
}
