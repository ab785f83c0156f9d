package neo4jentity

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// The ends of an edge must be visible as well. The statement that reads the edge returns their labels, and the values of the properties
// that the view's conditions name, so that a rule costs no round trip.

// EndNeeds is what a caller needs of the ends of an edge, besides their labels.
type EndNeeds struct {
	names bool     // types and captions: see graph.Ends
	keys  []string // properties
	hides []string // properties that may be hidden, and name an end only where the caller sees them
}

// EndNeedsOf is what a user needs of the ends of an edge that is read, with their names or without.
func EndNeedsOf(ctx context.Context, names bool) EndNeeds {
	n := EndNeeds{names: names, keys: neo4jview.EndKeys(ctx)}
	if names {
		hidden, decisive := neo4jview.CaptionKeys(ctx)
		n.hides = hidden
		if len(hidden) > 0 {
			n.keys = decisive // among them those that decide whether the user sees the end
		}
	}
	return n
}

// EndColumns is what a statement returns of the ends of edges: the names for all rows if one needs them, and values for each row as it
// needs them.
type EndColumns struct {
	names bool
	keys  []any // of cypher.EndKeys by row, null for one that needs no values; nil if no row does
}

func columnsFor(needs []EndNeeds) (c EndColumns) {
	for i, n := range needs {
		c.names = c.names || n.names
		if len(n.keys)+len(n.hides) == 0 {
			continue
		}
		if c.keys == nil {
			c.keys = make([]any, len(needs))
		}
		c.keys[i] = []any{n.keys, n.hides}
	}
	return c
}

// EndsForView are the columns from which the view of the user reports whether the ends of edges are visible, in each of several rows.
func EndsForView(ctx context.Context, k kind, rows int) EndColumns {
	keys := neo4jview.EndKeys(ctx)
	if k == nodes || len(keys) == 0 {
		return EndColumns{}
	}
	return EndColumns{keys: slices.Repeat([]any{[]any{keys, nil}}, rows)}
}

// slot fills the slot ends of a statement.
func (c EndColumns) slot(id cypher.Fragment) cypher.Fragment {
	switch {
	case c.names && c.keys != nil:
		return cypher.EndNamesAndValues(id, cypher.EndKeysOfRow)
	case c.names:
		return cypher.EndNames(id)
	case c.keys != nil:
		return cypher.EndValues(cypher.EndKeysOfRow)
	default:
		return cypher.NoEnds
	}
}

// AddParams adds the keys to a statement's parameters.
func (c EndColumns) AddParams(params map[string]any) map[string]any {
	if c.keys != nil {
		params["end_keys"] = c.keys
	}
	return params
}

// endValuesOf are the requested properties of one end, 0 or 1, with some labels; nil if they were not requested.
func (rd *RecordDecoder) endValuesOf(
	ctx context.Context, m *ManagedTypes, e *Record, end int, elementID string, labels []string,
) (graph.Properties, error) {
	if len(e.endValues) != 2 || e.endValues[end] == nil {
		return nil, nil
	}
	values, hasUnsupported := graph.Properties{}, false
	for _, pair := range bolt.AsList(e.endValues[end]) {
		t := bolt.Tuple(bolt.AsList(pair))
		value := bolt.FromDriver(t[1])
		hasUnsupported = hasUnsupported || bolt.IsUnsupported(value)
		values[t.Text(0)] = value
	}
	if hasUnsupported {
		if _, err := rd.ReadUnsupportedZones(ctx, StatementsOf[nodes].readTexts, elementID, "", values); err != nil {
			return nil, err
		}
	}
	if id := rd.config.IDProperty; m.OwnID(nodes, labels, values[id]) != "" { // the id is no property
		delete(values, id)
	}
	return values, nil
}

// EndsOf reads what was requested of the names of both ends; nil if nothing was.
func (rd *RecordDecoder) EndsOf(ctx context.Context, m *ManagedTypes, e *Record, sourceID, targetID string) (*graph.Ends, error) {
	if len(e.ends) != 2 {
		return nil, nil
	}
	source, err := rd.endOf(ctx, m, e, 0, sourceID)
	if err != nil {
		return nil, err
	}
	target, err := rd.endOf(ctx, m, e, 1, targetID)
	return &graph.Ends{Source: source, Target: target}, err
}

// endOf reads one end: the caption of cypher.EndNames, or one of those of cypher.EndNamesAndValues that the user sees. The own id of a node
// is not its caption.
func (rd *RecordDecoder) endOf(ctx context.Context, m *ManagedTypes, e *Record, end int, id string) (graph.End, error) {
	t := bolt.Tuple(bolt.AsList(e.ends[end]))
	labels := bolt.AsTexts(t.List(0))
	named := graph.End{Type: rd.Types.CurrentTypes().NodeType(labels)}
	if len(t) == 2 {
		if caption := t.Text(1); caption != id && len(rules.ViewOf(ctx).MayHide(nodes)) == 0 {
			named.Caption = graph.ShortenCaption(caption)
		}
		return named, nil
	}
	naming := graph.Properties{}
	for _, pair := range t.List(2) {
		if p := bolt.Tuple(bolt.AsList(pair)); p.Text(1) != id {
			naming[p.Text(0)] = p.Text(1)
		}
	}
	decisive, err := rd.endValuesOf(ctx, m, e, end, t.Text(1), labels)
	if err == nil {
		named.Caption = neo4jview.CaptionOfEnd(ctx, labels, decisive, naming)
	}
	return named, err
}

// contentReader reads what the user of a request sees of an entity, and of the ends of an edge.
type contentReader struct {
	config   *Config
	elements *ElementReader
	decoder  *RecordDecoder
}

// SeesEnds reports whether the user sees both ends of an edge. A node whose properties decide is read if the edge was read without them.
func (cr *contentReader) SeesEnds(ctx context.Context, m *ManagedTypes, e *Record) (bool, error) {
	visibility := neo4jview.EndVisibilityOf(ctx)
	if visibility.SeeAll() {
		return true, nil
	}
	for i, end := range []EdgeEnd{e.Source, e.Target} {
		labels := bolt.AsTexts(end.Labels)
		seen, decided := visibility.ByLabels(labels)
		if !decided {
			values, err := cr.decoder.endValuesOf(ctx, m, e, i, end.ElementID, labels)
			if err == nil {
				seen, err = cr.seesByProperties(ctx, m, visibility, end, labels, values)
			}
			if err != nil {
				return false, bolt.Translate(err)
			}
		}
		if !seen {
			return false, nil
		}
	}
	return true, nil
}

// seesByProperties checks one end of an edge by the values of its properties, or by reading it if values is nil.
func (cr *contentReader) seesByProperties(
	ctx context.Context, m *ManagedTypes, visibility neo4jview.EndVisibility, at EdgeEnd, labels []string, values graph.Properties,
) (bool, error) {
	if values == nil {
		return cr.seesNode(ctx, m, at.ElementID)
	}
	return visibility.ByValues(labels, values), nil
}

// seesNode reads a node and reports whether the user sees it.
func (cr *contentReader) seesNode(ctx context.Context, m *ManagedTypes, elementID string) (bool, error) {
	found, err := cr.elements.Queues.Of(nodes).GetByElementID(ctx, elementID, EndNeeds{})
	if err != nil || found == nil {
		return false, err
	}
	n, err := cr.decoder.DecodeNode(ctx, m, found)
	return err == nil && neo4jview.ShowNode(ctx, &n), err
}

// LockStatement takes the locks of several entities and reads them, edges with what is needed of their ends.
func (st *Texts) LockStatement(ctx context.Context, k kind, elementIDs []string) (cypher.Text, map[string]any) {
	ends := EndsForView(ctx, k, len(elementIDs))
	return st.textWithEnds(StatementsOf[k].lock, ends, nil), ends.AddParams(map[string]any{"elements": elementIDs})
}
