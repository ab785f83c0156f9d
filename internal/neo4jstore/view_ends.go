package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// The ends of an edge must be visible as well. The statement that reads the edge returns their labels, and the values of the properties
// that the view's conditions name, so that a rule costs no round trip.

// endNeeds is what a caller needs of the ends of an edge, besides their labels.
type endNeeds struct {
	names bool     // types and captions: see graph.Ends
	keys  []string // properties
}

// endColumns is what a statement returns of the ends of edges: the names for all rows if one needs them, and values for each row as it
// needs them.
type endColumns struct {
	names bool
	keys  []any // by row, null for one that needs no values; nil if no row does
}

func columnsFor(needs []endNeeds) (c endColumns) {
	for i, n := range needs {
		c.names = c.names || n.names
		if len(n.keys) == 0 {
			continue
		}
		if c.keys == nil {
			c.keys = make([]any, len(needs))
		}
		c.keys[i] = n.keys
	}
	return c
}

// endsForView are the columns from which the view of the user reports whether the ends of edges are visible, in each of several rows.
func endsForView(ctx context.Context, k kind, rows int) endColumns {
	keys := neo4jview.EndKeys(ctx)
	if k == nodes || len(keys) == 0 {
		return endColumns{}
	}
	return endColumns{keys: slices.Repeat([]any{keys}, rows)}
}

// slot fills the slot ends of a statement.
func (c endColumns) slot(id cypher.Fragment) cypher.Fragment {
	ends := cypher.NoEnds
	if c.names {
		ends = cypher.EndNames(id)
	}
	if c.keys != nil {
		ends = cypher.WithEndValues(ends)
	}
	return ends
}

// addParams adds the keys to a statement's parameters.
func (c endColumns) addParams(params map[string]any) map[string]any {
	if c.keys != nil {
		params["end_keys"] = c.keys
	}
	return params
}

// endValuesOf are the requested properties of one end, 0 or 1; nil if they were not requested, or if one needs a separate statement.
func (e *entityRecord) endValuesOf(end int) graph.Properties {
	if len(e.endValues) != 2 || e.endValues[end] == nil {
		return nil
	}
	values := graph.Properties{}
	for _, pair := range bolt.AsList(e.endValues[end]) {
		t := bolt.Tuple(bolt.AsList(pair))
		value := bolt.FromDriver(t[1])
		if bolt.IsUnsupported(value) {
			return nil
		}
		values[t.Text(0)] = value
	}
	return values
}

// contentReader reads what the user of a request sees of an entity, and of the ends of an edge.
type contentReader struct {
	config   *Config
	elements *elementReader
	decoder  *recordDecoder
}

// seesEnds reports whether the user sees both ends of an edge. A node whose properties decide is read if the edge was read without them.
func (cr *contentReader) seesEnds(ctx context.Context, m *managedTypes, e *entityRecord) (bool, error) {
	visibility := neo4jview.EndVisibilityOf(ctx)
	if visibility.SeeAll() {
		return true, nil
	}
	for i, end := range []edgeEnd{e.source, e.target} {
		labels := bolt.AsTexts(end.labels)
		seen, decided := visibility.ByLabels(labels)
		if !decided {
			var err error
			if seen, err = cr.seesByProperties(ctx, m, visibility, end, labels, e.endValuesOf(i)); err != nil {
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
	ctx context.Context, m *managedTypes, visibility neo4jview.EndVisibility, at edgeEnd, labels []string, values graph.Properties,
) (bool, error) {
	if values == nil {
		return cr.seesNode(ctx, m, at.elementID)
	}
	if id := cr.config.IDProperty; m.ownID(nodes, labels, values[id]) != "" { // the id is no property
		delete(values, id)
	}
	return visibility.ByValues(labels, values), nil
}

// seesNode reads a node and reports whether the user sees it.
func (cr *contentReader) seesNode(ctx context.Context, m *managedTypes, elementID string) (bool, error) {
	found, err := cr.elements.queues.of(nodes).getByElementID(ctx, elementID, endNeeds{})
	if err != nil || found == nil {
		return false, err
	}
	n, err := cr.decoder.node(ctx, m, found)
	return err == nil && neo4jview.ShowNode(ctx, &n), err
}

// lockStatement takes the locks of several entities and reads them, edges with what is needed of their ends.
func (st *statementTexts) lockStatement(ctx context.Context, k kind, elementIDs []string) (cypher.Text, map[string]any) {
	ends := endsForView(ctx, k, len(elementIDs))
	return st.textWithEnds(statementsOf[k].lockMany, ends, nil), ends.addParams(map[string]any{"elements": elementIDs})
}
