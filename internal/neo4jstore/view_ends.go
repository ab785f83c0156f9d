package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// The ends of an edge must be visible as well. The statement that reads the edge returns their labels, and the values of the properties
// that the view's conditions name, so that a rule costs no round trip.

// endNeeds is what a caller needs of the ends of an edge, besides their labels.
type endNeeds struct {
	names bool     // types and captions: see graph.Ends
	keys  []string // properties
}

// endKeysOf are the properties of nodes on which it depends whether the user sees a node; nil if labels decide.
func endKeysOf(ctx context.Context) []string {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return nil
	}
	var keys []string
	for _, scope := range v.Scopes(rules.Read, graph.NodeKind) {
		if scope.HasAll() {
			return nil
		}
		for _, c := range scope.Conditions {
			if !slices.Contains(keys, c.Property) {
				keys = append(keys, c.Property)
			}
		}
	}
	return keys
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

// sameKeys are the columns with the values of some properties in each of several rows.
func sameKeys(keys []string, rows int) endColumns {
	if len(keys) == 0 {
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

// with adds the keys to a statement's parameters.
func (c endColumns) with(params map[string]any) map[string]any {
	if c.keys != nil {
		params["end_keys"] = bolt.Batched(c.keys)
	}
	return params
}

// endValuesOf are the requested properties of one end, 0 or 1; nil if they were not requested, or if one needs a statement of its own.
func (e *element) endValuesOf(end int) graph.Properties {
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

// seesEnds says whether the user sees both ends of an edge. A node whose properties decide is read if the edge was read without them.
func (s *Store) seesEnds(ctx context.Context, m *managedTypes, e *element) (bool, error) {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return true, nil
	}
	var always []string // labels whose nodes are visible whatever their properties
	conditional := false
	for _, scope := range v.Scopes(rules.Read, graph.NodeKind) {
		if scope.HasAll() {
			return true, nil
		}
		if len(scope.Conditions) == 0 {
			always = append(always, scope.Types...)
		}
		conditional = conditional || len(scope.Conditions) > 0
	}
	for i, end := range []end{e.source, e.target} {
		labels := bolt.AsTexts(end.labels)
		seen := func(label string) bool { return slices.Contains(always, label) }
		if slices.ContainsFunc(labels, seen) {
			continue
		}
		if !conditional {
			return false, nil
		}
		if values := e.endValuesOf(i); values != nil {
			if id := s.config.IDProperty; m.ownID(nodes, labels, values[id]) != "" { // the id is no property
				delete(values, id)
			}
			if !v.NodeRights(rules.Read, labels, values).Granted() {
				return false, nil
			}
			continue
		}
		if seen, err := s.seesNode(ctx, m, end.elementID); err != nil || !seen {
			return false, bolt.Translate(err)
		}
	}
	return true, nil
}

// seesNode reads a node and says whether the user sees it.
func (s *Store) seesNode(ctx context.Context, m *managedTypes, elementID string) (bool, error) {
	found, err := s.queues.of(nodes).getByElementID(ctx, elementID, endNeeds{})
	if err != nil || found == nil {
		return false, err
	}
	n, err := s.node(ctx, m, found)
	return err == nil && showNode(ctx, &n), err
}
