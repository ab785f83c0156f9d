package bench

import (
	"context"
	"fmt"
	"strconv"
)

// Target is an interface through which operations are run.
type Target string

// The targets.
const (
	Gateway     Target = "gateway"             // over HTTP, with tokens and rate limit
	Service     Target = "service"             // by hand: see service
	QueryAPI    Target = "Query API"           // Neo4j's own HTTP interface
	Driver      Target = "driver"              // the Go driver's ExecuteQuery, one call per operation
	Uncoalesced Target = "gateway uncoalesced" // the gateway with GRAPHREST_COALESCE=off
	Unrecorded  Target = "gateway, no history" // the gateway with GRAPHREST_HISTORY=off
	Limit       Target = "limit"               // HTTP alone: see newLimit
)

// Targets lists all targets in the order of the report.
func Targets() []Target {
	return []Target{Gateway, Service, Driver, QueryAPI, Uncoalesced, Unrecorded, Limit}
}

// isServer reports whether the target is a process of the benchmark between its clients and the database. It makes the ids of new entities.
func (t Target) isServer() bool { return t.isGateway() || t == Service || t == Limit }

func (t Target) isGateway() bool { return t == Gateway || t == Uncoalesced || t == Unrecorded }

// setting is the variable of a gateway in which it differs from the others, or the default.
func (t Target) setting() string {
	switch t {
	case Uncoalesced:
		return "GRAPHREST_COALESCE=off"
	case Unrecorded:
		return "GRAPHREST_HISTORY=off"
	default:
		return "GRAPHREST_HISTORY=on"
	}
}

// targetClient sends the requests of one client, one after another. It checks each answer: its status, and that it contains
// the requested entity.
type targetClient interface {
	do(ctx context.Context, w *work) error
}

// statementSet are the Cypher that an experienced developer would write for each operation: typed, with parameters, one text
// for each type. The driver and the Query API run the same statements.
type statementSet struct {
	nodeByID, createNode, updateNode, deleteNode []string // by node type
	edgeByID, createEdge                         []string // by edge type
	list                                         string
}

func newStatements(d *Dataset) *statementSet {
	s := &statementSet{
		list: fmt.Sprintf("MATCH (n:%[1]s) WHERE n.%[2]s > $after RETURN n ORDER BY n.%[2]s LIMIT %[3]d", listType, idProperty, pageSize),
	}
	for _, name := range d.NodeTypes {
		s.nodeByID = append(s.nodeByID, fmt.Sprintf("MATCH (n:%s {%s: $id}) RETURN n", name, idProperty))
		s.createNode = append(s.createNode, fmt.Sprintf("CREATE (n:%s $properties) RETURN n", name))
		s.updateNode = append(s.updateNode, fmt.Sprintf("MATCH (n:%s {%s: $id}) SET n += $properties RETURN n", name, idProperty))
		s.deleteNode = append(s.deleteNode, fmt.Sprintf("MATCH (n:%s {%s: $id}) DETACH DELETE n RETURN count(n) AS deleted", name, idProperty))
	}
	for i, name := range d.EdgeTypes {
		from, to := d.edgeEnds(i)
		// As the gateway's answer, this one names the ends.
		s.edgeByID = append(s.edgeByID,
			fmt.Sprintf("MATCH (a)-[r:%[1]s {%[2]s: $id}]->(b) RETURN r, a.%[2]s AS source, b.%[2]s AS target", name, idProperty))
		s.createEdge = append(s.createEdge,
			fmt.Sprintf("MATCH (a:%[1]s {%[4]s: $source}) MATCH (b:%[2]s {%[4]s: $target}) CREATE (a)-[r:%[3]s $properties]->(b) RETURN r",
				d.NodeTypes[from], d.NodeTypes[to], name, idProperty))
	}
	return s
}

func (s *statementSet) of(w *work) string {
	switch w.operation {
	case NodeByID:
		return s.nodeByID[w.Type]
	case EdgeByID:
		return s.edgeByID[w.Type]
	case CreateNode:
		return s.createNode[w.Type]
	case CreateEdge:
		return s.createEdge[w.Type]
	case UpdateNode:
		return s.updateNode[w.Type]
	case DeleteNode:
		return s.deleteNode[w.Type]
	default:
		return s.list
	}
}

// expectedPage describes the expected answer of a list operation: the ids before, at the start and at the end of the page.
type expectedPage struct{ after, first, last string }

func (d *Dataset) page(w *work) expectedPage {
	first := 0
	if w.operation == ListDeep {
		first = d.ListDepth
	}
	p := expectedPage{first: d.ListIDs[first], last: d.ListIDs[first+pageSize-1]}
	if first > 0 {
		p.after = d.ListIDs[first-1]
	}
	return p
}

// appendProperties appends the JSON members of the properties that a create or an update sends.
func appendProperties(b []byte, w *work) []byte {
	switch w.operation {
	case UpdateNode:
		b = append(b, `"score":`...)
		b = strconv.AppendFloat(b, w.score, 'f', 3, 64)
		b = append(b, `,"rank":`...)
		return strconv.AppendInt(b, int64(w.number), 10)
	case CreateEdge:
		b = append(b, `"since":`...)
		b = strconv.AppendInt(b, int64(1900+w.number%120), 10)
		b = append(b, `,"weight":`...)
		return strconv.AppendFloat(b, float64(w.number%1000)+0.25, 'f', 2, 64)
	default:
		b = append(b, `"name":"Node number `...)
		b = strconv.AppendInt(b, int64(w.number), 10)
		b = append(b, `","rank":`...)
		b = strconv.AppendInt(b, int64(w.number), 10)
		b = append(b, `,"score":`...)
		b = strconv.AppendFloat(b, float64(w.number)+0.5, 'f', 1, 64)
		b = append(b, `,"active":`...)
		b = strconv.AppendBool(b, w.number%2 == 0)
		b = append(b, `,"email":"node`...)
		b = strconv.AppendInt(b, int64(w.number), 10)
		return append(b, `@example.com"`...)
	}
}

// driverProperties returns the same properties for the driver.
func driverProperties(w *work) map[string]any {
	switch w.operation {
	case UpdateNode:
		return map[string]any{"score": w.score, "rank": w.number}
	case CreateEdge:
		p := edgeProperties(w.number)
		p[idProperty] = w.ID
		return p
	default:
		p := nodeProperties(w.number)
		p[idProperty] = w.ID
		return p
	}
}

// unexpected describes the actual answer, shortened.
func unexpected(w *work, status int, answer []byte) error {
	const most = 300
	if len(answer) > most {
		answer = answer[:most]
	}
	return fmt.Errorf("%s: status %d: %s", w.operation, status, answer)
}
