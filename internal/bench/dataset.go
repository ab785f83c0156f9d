package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"graphrest/internal/graph"
)

// idProperty is the property with the id of the entities that the benchmark loads; the gateway's default.
const idProperty = "uuid"

// Everything the benchmark creates has this prefix, so that it recognises its own data.
const (
	nodePrefix = "BenchNode"
	edgePrefix = "BenchEdge"
	listType   = "BenchList" // one type of nodes long enough for a page at depth 100,000
)

// Size is the size of the graph to load.
type Size struct {
	Nodes     int `json:"nodes"`
	Edges     int `json:"edges"`
	NodeTypes int `json:"node_types"`
	EdgeTypes int `json:"edge_types"`
	ListNodes int `json:"list_nodes"` // nodes of one more type, for lists
	ListDepth int `json:"list_depth"` // how many nodes come before the deep page
}

// Dataset describes the loaded data: names of types and ids of entities by type. An edge of type i leads from a node of type
// i to one of type i+1 (modulo the number of node types), as relationship types do in most graphs.
type Dataset struct {
	NodeTypes []string
	EdgeTypes []string
	Nodes     [][]string
	Edges     [][]string
	ListIDs   []string // in ascending order, which is the order of a list
	ListDepth int
}

func newDataset(size Size) (*Dataset, error) {
	d := &Dataset{ListDepth: size.ListDepth}
	var err error
	if d.NodeTypes, d.Nodes, err = deal(nodePrefix, size.Nodes, size.NodeTypes); err != nil {
		return nil, err
	}
	if d.EdgeTypes, d.Edges, err = deal(edgePrefix, size.Edges, size.EdgeTypes); err != nil {
		return nil, err
	}
	if d.ListIDs, err = newIDs(listType, size.ListNodes); err != nil {
		return nil, err
	}
	return d, nil
}

// deal spreads count ids evenly over the types.
func deal(prefix string, count, types int) (names []string, ids [][]string, err error) {
	for i := range types {
		name := fmt.Sprintf("%s%03d", prefix, i)
		some, err := newIDs(name, (count+types-1-i)/types)
		if err != nil {
			return nil, nil, err
		}
		names, ids = append(names, name), append(ids, some)
	}
	return names, ids, nil
}

// newIDs generates ids exactly as the gateway does, in ascending order: within a millisecond they are random.
func newIDs(typeName string, count int) ([]string, error) {
	ids := make([]string, count)
	for i := range ids {
		id, err := graph.NewID(graph.TypeName(typeName))
		if err != nil {
			return nil, fmt.Errorf("make an id: %w", err)
		}
		ids[i] = id
	}
	slices.Sort(ids)
	return ids, nil
}

func (d *Dataset) edgeEnds(edgeType int) (source, target int) {
	return edgeType % len(d.NodeTypes), (edgeType + 1) % len(d.NodeTypes)
}

// pick draws an id: a type first, then one of its entities.
func pick(random *rand.Rand, byType [][]string) (typeIndex int, id string) {
	for {
		typeIndex = random.IntN(len(byType))
		if ids := byType[typeIndex]; len(ids) > 0 {
			return typeIndex, ids[random.IntN(len(ids))]
		}
	}
}
