package bench

import (
	"fmt"
	"math/rand/v2"

	"graphrest/internal/graph"
)

// Operation is one kind of request.
type Operation string

// The operations, and a mix of nine reads per write.
const (
	NodeByID   Operation = "node by id"
	EdgeByID   Operation = "edge by id"
	CreateNode Operation = "create node"
	CreateEdge Operation = "create edge"
	UpdateNode Operation = "update node"
	DeleteNode Operation = "delete node"
	ListFirst  Operation = "list 100, first page"
	ListDeep   Operation = "list 100, deep page"
	Mix        Operation = "mix 90/10"
)

// The first read of each entity, which no cache can help. They are measured once, before the others.
const (
	FirstNode Operation = "node by id, first read"
	FirstEdge Operation = "edge by id, first read"
)

// Operations lists the operations that can be measured repeatedly.
func Operations() []Operation {
	return []Operation{NodeByID, EdgeByID, CreateNode, CreateEdge, UpdateNode, DeleteNode, ListFirst, ListDeep, Mix}
}

// allOperations is the order of the report.
func allOperations() []Operation {
	return append([]Operation{FirstNode, FirstEdge}, Operations()...)
}

// pageSize is the length of a page in the list operations.
const pageSize = 100

// entity is a node or an edge by the index of its type.
type entity struct {
	Type int    `json:"t"`
	ID   string `json:"id"`
}

// work is one request to send, the same for every target.
type work struct {
	operation Operation
	entity            // what is read, updated or deleted; for creates, the type and the id that a client of Neo4j has to bring
	source    string  // ends of a new edge
	target    string  //
	number    int     // fills properties
	score     float64 // the value an update sets
}

// picker draws the work of one client.
type picker struct {
	data   *Dataset
	random *rand.Rand
	// needsIDs is set for the targets whose clients generate the ids of new entities.
	needsIDs bool
}

func newPicker(d *Dataset, seed uint64, client int, needsIDs bool) *picker {
	//nolint:gosec // the same seed gives every target the same work; nothing here is a secret
	return &picker{data: d, random: rand.New(rand.NewPCG(seed, uint64(client))), needsIDs: needsIDs}
}

// next draws the next request. Deletes are distributed by the load process instead, each node once.
func (p *picker) next(operation Operation) (work, error) {
	if operation == Mix {
		operation = p.mixed()
	}
	w := work{operation: operation, number: p.random.IntN(1_000_000)}
	var err error
	switch operation {
	case NodeByID:
		w.Type, w.ID = pick(p.random, p.data.Nodes)
	case UpdateNode:
		w.Type, w.ID = pick(p.random, p.data.Nodes)
		w.score = p.random.Float64() * 1000
	case EdgeByID:
		w.Type, w.ID = pick(p.random, p.data.Edges)
	case CreateNode:
		w.Type = p.random.IntN(len(p.data.NodeTypes))
		w.ID, err = p.newID(p.data.NodeTypes[w.Type])
	case CreateEdge:
		w.Type = p.random.IntN(len(p.data.EdgeTypes))
		from, to := p.data.edgeEnds(w.Type)
		w.source = p.data.Nodes[from][p.random.IntN(len(p.data.Nodes[from]))]
		w.target = p.data.Nodes[to][p.random.IntN(len(p.data.Nodes[to]))]
		w.ID, err = p.newID(p.data.EdgeTypes[w.Type])
	case ListFirst, ListDeep:
	default:
		return work{}, fmt.Errorf("no work is drawn for %q", operation)
	}
	return w, err
}

// mixed draws nine reads per write: 60 % nodes by id, 30 % edges by id, 5 % updates, 3 % new nodes, 2 % new edges.
func (p *picker) mixed() Operation {
	switch n := p.random.IntN(100); {
	case n < 60:
		return NodeByID
	case n < 90:
		return EdgeByID
	case n < 95:
		return UpdateNode
	case n < 98:
		return CreateNode
	default:
		return CreateEdge
	}
}

func (p *picker) newID(typeName string) (string, error) {
	if !p.needsIDs {
		return "", nil
	}
	return graph.NewID(graph.TypeName(typeName))
}
