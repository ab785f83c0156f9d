package neo4jentity

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// Record is a node or edge as a statement returned it, before it is converted for a client.
type Record struct {
	ElementID  string // element id
	Names      []string
	Properties map[string]any
	Source     EdgeEnd // of an edge
	Target     EdgeEnd
	ends       []any // of an edge, the names if they were requested: see EndsOf
	endValues  []any // of an edge, if they were requested: see endValuesOf
	Size       int64 // of its row
}

// EdgeEnd is one end of an edge, with what is needed to determine its id.
type EdgeEnd struct {
	ElementID string
	Labels    []any
	Own       any // the value of the id property
}

// RecordDecoder converts entities for a client: with the types that they are shown with, and the names of an edge's ends.
type RecordDecoder struct {
	*valueDecoder
	Types *neo4jschema.TypeStore
}

// OwnID is the entity's own id, or empty: the id property's value if it is a string and one of the entity's types is managed. An empty
// string is not an id.
func (m *ManagedTypes) OwnID(k kind, names []string, value any) string {
	id, isText := value.(string)
	if !isText || id == "" {
		return ""
	}
	set := m.Of(k)
	for _, name := range names {
		if set.Has(name) {
			return id
		}
	}
	return ""
}

// EndID is the id of an edge's end.
func (m *ManagedTypes) EndID(e EdgeEnd) string {
	if id, isText := e.Own.(string); isText && id != "" {
		for _, label := range e.Labels {
			if name, _ := label.(string); m.Nodes.Has(name) {
				return id
			}
		}
	}
	return e.ElementID
}

// valueDecoder converts the properties of entities for a client. Those that the driver cannot decode it reads again.
type valueDecoder struct {
	client *bolt.Client
	config *Config
}

// ToDomain removes the own id from an element's properties, converts the values to the domain's, and returns the id.
func (vd *valueDecoder) ToDomain(ctx context.Context, m *ManagedTypes, k kind, e *Record) (id string, p graph.Properties, err error) {
	if id = m.OwnID(k, e.Names, e.Properties[vd.config.IDProperty]); id != "" {
		delete(e.Properties, vd.config.IDProperty)
	} else {
		id = e.ElementID
	}
	p = e.Properties
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
		found, err := vd.ReadUnsupportedZones(ctx, StatementsOf[k].readTexts, e.ElementID, "", p)
		if err == nil && !found {
			err = graph.NoSuchEntity(k)
		}
		return id, p, err
	}
	return id, p, nil
}

// DecodeNode is the node of a record, whatever the user may see of it.
func (rd *RecordDecoder) DecodeNode(ctx context.Context, m *ManagedTypes, e *Record) (graph.Node, error) {
	id, properties, err := rd.ToDomain(ctx, m, nodes, e)
	return graph.Node{ID: id, Type: rd.Types.CurrentTypes().NodeType(e.Names), Labels: e.Names, Properties: properties}, err
}

// DecodeEdge is the edge of a record, whatever the user may see of it.
func (rd *RecordDecoder) DecodeEdge(ctx context.Context, m *ManagedTypes, e *Record) (graph.Edge, error) {
	id, properties, err := rd.ToDomain(ctx, m, edges, e)
	source, target := m.EndID(e.Source), m.EndID(e.Target)
	r := graph.Edge{ID: id, Type: e.Names[0], SourceID: source, TargetID: target, Properties: properties}
	if err == nil {
		r.Ends, err = rd.EndsOf(ctx, m, e, source, target)
	}
	return r, err
}

// ReadUnsupportedZones reads the values of an entity that the driver could not decode, as strings: date-times in a time zone that the
// server knows and Go's table does not. Such values are rare, so this costs a separate round trip. (The components that Cypher returns,
// such as epochSeconds, overflow in years beyond 292 million.) The stored keys begin with a prefix that those of p lack.
func (vd *valueDecoder) ReadUnsupportedZones(
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
