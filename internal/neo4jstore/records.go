package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// entityRecord is a node or edge as a statement returned it, before it is converted for a client.
type entityRecord struct {
	elementID  string // element id
	names      []string
	properties map[string]any
	source     edgeEnd // of an edge
	target     edgeEnd
	ends       []any // of an edge, the names if they were requested: see endsOf
	endValues  []any // of an edge, if they were requested: see endValuesOf
	size       int64 // of its row
}

// edgeEnd is one end of an edge, with what is needed to determine its id.
type edgeEnd struct {
	elementID string
	labels    []any
	own       any // the value of the id property
}

// recordDecoder converts entities for a client: with the types that they are shown with, and the names of an edge's ends.
type recordDecoder struct {
	*valueDecoder
	types *neo4jschema.TypeStore
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
func (m *managedTypes) endID(e edgeEnd) string {
	if id, isText := e.own.(string); isText && id != "" {
		for _, label := range e.labels {
			if name, _ := label.(string); m.nodes.has(name) {
				return id
			}
		}
	}
	return e.elementID
}

// valueDecoder converts the properties of entities for a client. Those that the driver cannot decode it reads again.
type valueDecoder struct {
	client *bolt.Client
	config *Config
}

// toDomain removes the own id from an element's properties, converts the values to the domain's, and returns the id.
func (vd *valueDecoder) toDomain(ctx context.Context, m *managedTypes, k kind, e *entityRecord) (id string, p graph.Properties, err error) {
	if id = m.ownID(k, e.names, e.properties[vd.config.IDProperty]); id != "" {
		delete(e.properties, vd.config.IDProperty)
	} else {
		id = e.elementID
	}
	p = e.properties
	hasUnsupported := false
	for key, value := range p {
		switch value.(type) {
		case string, int64, bool, float64:
		default:
			converted := bolt.FromDriver(value)
			p[key] = converted
			hasUnsupported = hasUnsupported || bolt.IsUnsupported(converted)
		}
	}
	if p == nil {
		p = graph.Properties{}
	}
	if hasUnsupported {
		found, err := vd.readUnsupportedZones(ctx, statementsOf[k].readTexts, e.elementID, "", p)
		if err == nil && !found {
			err = graph.NoSuchEntity(k)
		}
		return id, p, err
	}
	return id, p, nil
}

func (rd *recordDecoder) node(ctx context.Context, m *managedTypes, e *entityRecord) (graph.Node, error) {
	id, properties, err := rd.toDomain(ctx, m, nodes, e)
	return graph.Node{ID: id, Type: rd.types.CurrentTypes().NodeType(e.names), Labels: e.names, Properties: properties}, err
}

func (rd *recordDecoder) edge(ctx context.Context, m *managedTypes, e *entityRecord) (graph.Edge, error) {
	id, properties, err := rd.toDomain(ctx, m, edges, e)
	source, target := m.endID(e.source), m.endID(e.target)
	r := graph.Edge{ID: id, Type: e.names[0], SourceID: source, TargetID: target, Properties: properties}
	if err == nil {
		r.Ends, err = rd.endsOf(ctx, m, e, source, target)
	}
	return r, err
}

// readUnsupportedZones reads the values of an entity that the driver could not decode, as strings: date-times in a time zone that the
// server knows and Go's table does not. Such values are rare, so this costs a separate round trip. (The components that Cypher returns,
// such as epochSeconds, overflow in years beyond 292 million.) The stored keys begin with a prefix that those of p lack.
func (vd *valueDecoder) readUnsupportedZones(
	ctx context.Context, statement cypher.Statement, element, prefix string, p graph.Properties,
) (found bool, err error) {
	var keys, stored []string
	for key, value := range p {
		if bolt.IsUnsupported(value) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		stored = append(stored, prefix+key)
	}
	records, err := vd.client.Read(ctx, statement.Text(nil), map[string]any{"element": element, "keys": stored})
	if err != nil || len(records) == 0 {
		return false, err
	}
	for i, text := range bolt.Column[[]any](records[0], "texts") {
		value, ok := bolt.ParseZoned(text)
		if !ok {
			// A kind of value of a newer server: it is logged, and left as the driver returned it, instead of failing the request.
			vd.config.Log.Warn("a property has a value of a kind that is not supported", "key", keys[i])
			continue
		}
		p[keys[i]] = value
	}
	return true, nil
}
