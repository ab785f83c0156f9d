package neo4jstore

import (
	"context"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// filter is a graph.Filter on its way to Cypher. Its zero value is none.
type filter struct {
	conditions graph.Filter
	variable   cypher.Variable // what the statements call the entity
	indexed    indexedKeys
	sizes      map[string]int64 // of types, as of a while ago
	known      map[string]bool  // the properties of the conditions that the database holds: only those are worth a plan
}

// largeType is from how many entities on it pays to plan a statement for each property that is asked for: one that is named in the text is
// read in half the time of one that a parameter names.
const largeType = 20000

// where is the text of the conditions. Typ is the one type that the statement looks at, whose indexes may serve; empty for several.
func (f filter) where(typ string) cypher.Fragment {
	return f.render(func(c graph.Condition) (named, left bool) {
		return f.sizes[typ] >= largeType && f.known[c.Property] || f.indexed.serves(typ, c), false
	})
}

// servedWhere is the text of those conditions that an index serves.
func (f filter) servedWhere(typ string) cypher.Fragment {
	return f.render(func(c graph.Condition) (named, left bool) { return true, !f.indexed.serves(typ, c) })
}

// text writes the conditions, some with their property in the text and some left out.
func (f filter) render(form func(graph.Condition) (named, left bool)) cypher.Fragment {
	conditions := make([]cypher.Condition, len(f.conditions))
	for i, c := range f.conditions {
		named, left := form(c)
		conditions[i] = cypher.Condition{Operator: string(c.Operator)}
		switch {
		case left:
			conditions[i].Operator = cypher.Omitted
		case c.Operator == graph.Exists && c.Value == false:
			conditions[i].Operator = "absent"
		case c.Operator == graph.Equal && isZero(c.Value):
			conditions[i].Operator = "zero"
		}
		if named {
			conditions[i].Key = cypher.Quote(c.Property)
		}
	}
	return cypher.Where(f.variable, conditions)
}

// served says whether an index of a type serves one of the conditions.
func (f filter) served(typ string) bool {
	return slices.ContainsFunc(f.conditions, func(c graph.Condition) bool { return f.indexed.serves(typ, c) })
}

// with adds the conditions' keys and literals to a statement's parameters.
func (f filter) with(params map[string]any) map[string]any {
	if len(f.conditions) == 0 {
		return params
	}
	where := make(map[string]any, 2*len(f.conditions))
	for i, c := range f.conditions {
		where["k"+strconv.Itoa(i)], where["v"+strconv.Itoa(i)] = c.Property, literalParam(c)
	}
	params["where"] = where
	return params
}

// holds says which properties of conditions the database held when the names were last read.
func (r *nameLimiter) knownKeys(conditions graph.Filter) map[string]bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.known == nil {
		return nil
	}
	known := map[string]bool{}
	for _, c := range conditions {
		_, known[c.Property] = r.known.keys[c.Property]
	}
	return known
}

// literal is what a condition's literal is sent as. To a range index the two zeros are two values, minus zero the lesser,
// while everywhere else they are one: so the one is asked for that leaves the other on the right side.
func literalParam(c graph.Condition) any {
	switch c.Operator {
	case graph.OneOf, graph.NoneOf:
		list, _ := c.Value.([]graph.Value)
		out := make([]any, len(list))
		for i, v := range list { // the values may be of several kinds
			out[i] = toDriver(v)
		}
		return out
	case graph.Less, graph.GreaterEqual:
		if isZero(c.Value) {
			return math.Copysign(0, -1)
		}
	case graph.Greater, graph.LessEqual:
		if isZero(c.Value) {
			return 0.0
		}
	}
	return toDriver(c.Value)
}

func isZero(v graph.Value) bool { return v == int64(0) || v == 0.0 }

// blame names the condition that a statement failed for, where the database's text tells it.
func (f filter) attributeError(err error) error {
	if !unknownZone(err) {
		return err
	}
	for _, c := range f.conditions {
		if hasZone(c.Value, serverMessage(err)) {
			return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: c.Field, Message: unknownZoneMessage})
		}
	}
	return err
}

// indexedKeys are the properties with an index of their own, by type and key, and what kinds of index.
type indexedKeys map[[2]string][]string

// serve says whether an index can find what meets a condition (Neo4j manual, "The impact of indexes on query performance").
func (k indexedKeys) serves(typ string, c graph.Condition) bool {
	kinds := k[[2]string{typ, c.Property}]
	switch c.Operator {
	case graph.OneOf:
		list, _ := c.Value.([]graph.Value)
		return slices.Contains(kinds, "RANGE") && !slices.ContainsFunc(list, isZero)
	case graph.Equal, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual:
		return slices.Contains(kinds, "RANGE")
	case graph.Exists:
		return c.Value == true && slices.Contains(kinds, "RANGE")
	case graph.StartsWith:
		return len(kinds) > 0
	case graph.Contains, graph.EndsWith:
		return slices.Contains(kinds, "TEXT")
	default:
		return false
	}
}

// indexCache remembers which properties are indexed. It decides how a list is read, never what is in it.
type indexCache struct {
	mu           sync.Mutex
	at           time.Time
	nodes, edges indexedKeys
}

const maxIndexAge = 5 * time.Second

// filter makes the filter of a query on nodes or edges.
func (s *Store) filter(ctx context.Context, k kind, conditions graph.Filter) (filter, error) {
	f := filter{conditions: conditions, variable: cypher.NodeVariable}
	if k == edges {
		f.variable = cypher.EdgeVariable
	}
	if len(conditions) == 0 {
		return f, nil
	}
	f.sizes, f.known = s.knownSizes().of(k), s.names.knownKeys(conditions)
	indexed, err := s.indexedOf(ctx, k)
	f.indexed = indexed
	return f, err
}

func (s *Store) indexedOf(ctx context.Context, k kind) (indexedKeys, error) {
	if keys, fresh := s.indexCache.of(k); fresh {
		return keys, nil
	}
	began := time.Now()
	indexes, err := s.schemaIndexes(ctx)
	if err != nil && !isForbidden(err) {
		return nil, err
	}
	s.indexCache.put(began, indexes)
	keys, _ := s.indexCache.of(k)
	return keys, nil
}

// put takes over the indexes as they were at a time.
func (c *indexCache) put(at time.Time, indexes []graph.Index) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !at.Before(c.at) {
		c.at, c.nodes, c.edges = at, keysOf(indexes, "node"), keysOf(indexes, "edge")
	}
}

// expire has the next query read the indexes: one was made or dropped.
func (c *indexCache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = time.Time{}
}

func (c *indexCache) of(k kind) (keys indexedKeys, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k == edges {
		return c.edges, time.Since(c.at) <= maxIndexAge
	}
	return c.nodes, time.Since(c.at) <= maxIndexAge
}

func keysOf(indexes []graph.Index, entity string) indexedKeys {
	keys := indexedKeys{}
	for _, i := range indexes {
		if i.Entity == entity && i.State == "ONLINE" && (i.Kind == "RANGE" || i.Kind == "TEXT") && len(i.Types) == 1 && len(i.Properties) == 1 {
			at := [2]string{i.Types[0], i.Properties[0]}
			keys[at] = append(keys[at], i.Kind)
		}
	}
	return keys
}
