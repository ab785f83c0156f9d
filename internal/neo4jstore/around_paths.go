package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Paths finds shortest paths: see graph.Explorer.
func (s *Store) Paths(ctx context.Context, q graph.PathQuery) (graph.Subgraph, error) {
	source, err := s.pathEnd(ctx, "source_id", q.SourceID)
	if err != nil {
		return graph.Subgraph{}, err
	}
	target, err := s.pathEnd(ctx, "target_id", q.TargetID)
	if err != nil {
		return graph.Subgraph{}, err
	}
	if source.element == target.element {
		return s.pathGraph(ctx, []elementPath{{nodes: []string{source.element}}})
	}
	slot, known, err := s.edgeTypeSlot(ctx, q.EdgeType)
	if err != nil {
		return graph.Subgraph{}, err
	}
	if !known {
		return s.pathGraph(ctx, nil)
	}
	paths, err := s.shortest(ctx, q, slot, source, target)
	if err != nil {
		return graph.Subgraph{}, err
	}
	found, err := s.pathGraph(ctx, paths[:min(len(paths), graph.MaxPaths)])
	found.Truncated = len(paths) > graph.MaxPaths
	return found, err
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

// shortest runs the search, for one path more than an answer holds.
func (s *Store) shortest(ctx context.Context, q graph.PathQuery, slot cypher.Name, source, target *anchor) ([]elementPath, error) {
	statement, which, most := cypher.PathsBoth, cypher.AnyShortest, 1
	if q.Direction != graph.Both {
		statement = cypher.PathsOut
	}
	if q.All {
		which, most = cypher.AllShortest, graph.MaxPaths+1
	}
	against := q.Direction == graph.In // the same paths, begun at the other end
	if against {
		source, target = target, source
	}
	text := statement.Text(cypher.Slots{"shortest": which, "depth": cypher.Depth(q.MaxDepth), "type": slot, "id": s.idName})
	rows, err := s.readRows(ctx, text, map[string]any{
		"source": source.element, "source_id": source.id, "target": target.element, "target_id": target.id, "most": most,
	})
	paths := make([]elementPath, len(rows))
	for i, row := range rows {
		paths[i] = elementPath{nodes: textColumn(row, "nodes"), edges: textColumn(row, "edges")}
		if against {
			slices.Reverse(paths[i].nodes)
			slices.Reverse(paths[i].edges)
		}
	}
	return paths, err
}

// pathGraph reads the entities of paths. A path of which something was deleted meanwhile is left out.
func (s *Store) pathGraph(ctx context.Context, paths []elementPath) (graph.Subgraph, error) {
	var nodes, edges []string
	seen := map[string]bool{}
	add := func(into *[]string, elements []string) {
		for _, element := range elements {
			if !seen[element] {
				seen[element] = true
				*into = append(*into, element)
			}
		}
	}
	for _, p := range paths {
		add(&nodes, p.nodes)
		add(&edges, p.edges)
	}
	found, err := s.subgraph(ctx, nodes, edges)
	for _, p := range paths {
		if path, whole := found.path(p); whole {
			found.graph.Paths = append(found.graph.Paths, path)
		}
	}
	return found.graph, err
}

// foundGraph is a subgraph with the ids of its entities by their element ids.
type foundGraph struct {
	graph graph.Subgraph
	ids   map[string]string
}

// path is a path in ids, node and edge by turns.
func (f foundGraph) path(p elementPath) ([]string, bool) {
	path := make([]string, 0, 2*len(p.nodes))
	for i, node := range p.nodes {
		if i > 0 {
			path = append(path, f.ids[p.edges[i-1]])
		}
		path = append(path, f.ids[node])
	}
	return path, !slices.Contains(path, "")
}

// elementsAtOnce is how many entities one statement reads.
const elementsAtOnce = 1000

// subgraph reads nodes and edges by their element ids, in that order. What is not there any more is left out, and so are edges
// with an end that is not among the nodes.
func (s *Store) subgraph(ctx context.Context, nodeElements, edgeElements []string) (foundGraph, error) {
	f := foundGraph{graph: graph.Subgraph{Nodes: []graph.Node{}, Edges: []graph.Edge{}, Paths: [][]string{}}, ids: map[string]string{}}
	m, err := s.catalogue.within(ctx, listCatalogueAge)
	if err != nil {
		return f, err
	}
	there := map[string]bool{}
	err = s.eachElement(ctx, nodes, nodeElements, func(e *element) error {
		n, err := s.node(ctx, m, e)
		f.graph.Nodes, f.ids[e.element], there[e.element] = append(f.graph.Nodes, n), n.ID, true
		return err
	})
	if err != nil {
		return f, translate(err)
	}
	err = s.eachElement(ctx, edges, edgeElements, func(e *element) error {
		if !there[e.source.element] || !there[e.target.element] {
			return nil
		}
		r, err := s.edge(ctx, m, e)
		f.graph.Edges, f.ids[e.element] = append(f.graph.Edges, r), r.ID
		return err
	})
	return f, translate(err)
}

// eachElement reads entities by element id and gives those that are there, in order.
func (s *Store) eachElement(ctx context.Context, k kind, wanted []string, use func(*element) error) error {
	read := s.readByElement(k)
	for some := range slices.Chunk(wanted, elementsAtOnce) {
		batch := make([]byElement, len(some))
		for i, e := range some {
			batch[i] = byElement{element: e}
		}
		for _, outcome := range read(ctx, batch) {
			if outcome.Err != nil {
				return outcome.Err
			}
			if outcome.Value == nil {
				continue
			}
			if err := use(outcome.Value); err != nil {
				return err
			}
		}
	}
	return nil
}
