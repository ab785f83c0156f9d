package neo4jstore

import (
	"context"

	"graphrest/internal/graph"
)

// element is a node or edge as a statement returned it, before it is converted for a client.
type element struct {
	elementID  string // element id
	names      []string
	properties map[string]any
	source     end // of an edge
	target     end
	size       int64 // of its row
}

// end is one end of an edge, with what is needed to determine its id.
type end struct {
	elementID string
	labels    []any
	own       any // the value of the id property
}

// tuple is a row of a statement that collects its rows into one list, which costs the server and the driver far less than a record for
// each.
type tuple []any

func (t tuple) text(i int) string {
	s, _ := t[i].(string)
	return s
}

func (t tuple) integer(i int) int64 {
	n, _ := t[i].(int64)
	return n
}

func (t tuple) list(i int) []any {
	l, _ := t[i].([]any)
	return l
}

func (t tuple) properties(i int) map[string]any {
	p, _ := t[i].(map[string]any)
	return p
}

// node reads element id, labels and properties from a tuple, starting at a column.
func (t tuple) node(i int) element {
	return element{elementID: t.text(i), names: asTexts(t.list(i + 1)), properties: t.properties(i + 2)}
}

// edge reads element id, type, properties and both ends from a tuple, starting at a column.
func (t tuple) edge(i int) element {
	return element{
		elementID: t.text(i), names: []string{t.text(i + 1)}, properties: t.properties(i + 2),
		source: end{t.text(i + 3), t.list(i + 4), t[i+5]}, target: end{t.text(i + 6), t.list(i + 7), t[i+8]},
	}
}

func asTexts(list []any) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i], _ = list[i].(string)
	}
	return out
}

// ownID is the entity's own id, or empty: the id property's value if it is a string and one of the entity's types is managed. An empty
// string is not an id.
func (m *managedTypes) ownID(k kind, names []string, value any) string {
	id, isText := value.(string)
	if !isText || id == "" {
		return ""
	}
	set := m.of(k)
	for _, name := range names {
		if set.has(name) {
			return id
		}
	}
	return ""
}

// endID is the id of an edge's end.
func (m *managedTypes) endID(e end) string {
	if id, isText := e.own.(string); isText && id != "" {
		for _, label := range e.labels {
			if name, _ := label.(string); m.nodes.has(name) {
				return id
			}
		}
	}
	return e.elementID
}

// toDomain removes the own id from an element's properties, converts the values to the domain's, and returns the id.
func (s *Store) toDomain(ctx context.Context, m *managedTypes, k kind, e *element) (id string, p graph.Properties, err error) {
	if id = m.ownID(k, e.names, e.properties[s.config.IDProperty]); id != "" {
		delete(e.properties, s.config.IDProperty)
	} else {
		id = e.elementID
	}
	p = e.properties
	hasUnsupported := false
	for key, value := range p {
		switch value.(type) {
		case string, int64, bool, float64:
		default:
			converted := fromDriver(value)
			p[key] = converted
			hasUnsupported = hasUnsupported || isUnsupported(converted)
		}
	}
	if p == nil {
		p = graph.Properties{}
	}
	if hasUnsupported {
		err = s.readUnsupportedZones(ctx, k, e.elementID, p)
	}
	return id, p, err
}

func (s *Store) node(ctx context.Context, m *managedTypes, e *element) (graph.Node, error) {
	id, properties, err := s.toDomain(ctx, m, nodes, e)
	return graph.Node{ID: id, Type: s.declared.current().NodeType(e.names), Labels: e.names, Properties: properties}, err
}

func (s *Store) edge(ctx context.Context, m *managedTypes, e *element) (graph.Edge, error) {
	id, properties, err := s.toDomain(ctx, m, edges, e)
	return graph.Edge{
		ID: id, Type: e.names[0], SourceID: m.endID(e.source), TargetID: m.endID(e.target), Properties: properties,
	}, err
}
