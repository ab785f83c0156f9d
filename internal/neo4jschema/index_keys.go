package neo4jschema

import (
	"context"
	"slices"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// maxIndexAge is how long indexes made or dropped elsewhere may go unnoticed.
const maxIndexAge = 5 * time.Second

// indexedKeys are which properties are indexed. They decide how a list is read, never its content.
type indexedKeys struct{ nodes, edges IndexedKeys }

// IndexedKeys are the indexes on the entities of one kind that lists use, as of the last seconds.
func (s *IndexStore) IndexedKeys(ctx context.Context, k graph.Kind) (IndexedKeys, error) {
	keys, err := s.keys.Fresh(ctx, maxIndexAge)
	switch {
	case err != nil:
		return IndexedKeys{}, err
	case k == graph.EdgeKind:
		return keys.edges, nil
	default:
		return keys.nodes, nil
	}
}

// ExpireIndexedKeys makes the next list read which properties are indexed.
func (s *IndexStore) ExpireIndexedKeys() { s.keys.Expire() }

func (s *IndexStore) readIndexedKeys(ctx context.Context) (*indexedKeys, error) {
	indexes, err := ReadIndexes(ctx, s.client)
	if err != nil && !bolt.IsForbidden(err) {
		return nil, err
	}
	return indexedKeysOf(indexes), nil
}

func indexedKeysOf(indexes []graph.Index) *indexedKeys {
	return &indexedKeys{nodes: keysOf(indexes, "node"), edges: keysOf(indexes, "edge")}
}

func keysOf(indexes []graph.Index, entity string) IndexedKeys {
	var keys IndexedKeys
	for _, i := range indexes {
		if i.Entity == entity && i.State == "ONLINE" && (i.Kind == "RANGE" || i.Kind == "TEXT") && len(i.Types) == 1 {
			keys.add(i.Kind, i.Types[0], i.Properties)
		}
	}
	return keys
}

// IndexedKeys are the indexes that lists use.
type IndexedKeys struct {
	single    map[[2]string][]string // kinds of index on one property, by type and key
	composite map[string][][]string  // keys of each range index on several properties, by type
}

// add adds an index on the entities of one type.
func (k *IndexedKeys) add(kind, typ string, properties []string) {
	switch {
	case len(properties) == 1:
		if k.single == nil {
			k.single = map[[2]string][]string{}
		}
		at := [2]string{typ, properties[0]}
		k.single[at] = append(k.single[at], kind)
	case kind == "RANGE":
		if k.composite == nil {
			k.composite = map[string][][]string{}
		}
		k.composite[typ] = append(k.composite[typ], properties)
	}
}

// Has reports whether there is an index of a kind on one property.
func (k IndexedKeys) Has(kind, typ, key string) bool {
	return slices.Contains(k.single[[2]string{typ, key}], kind)
}

// Serves reports whether an index on one property can find the entities that meet a condition (Neo4j manual, "The impact of indexes on
// query performance").
func (k IndexedKeys) Serves(typ string, c graph.Condition) bool {
	if c.Side != "" { // an index on edges has no properties of their ends
		return false
	}
	kinds := k.single[[2]string{typ, c.Property}]
	switch c.Operator {
	case graph.Equal, graph.OneOf, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual:
		return slices.Contains(kinds, "RANGE") && !c.IndexDiffers()
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

// ServesAmong reports whether an index serves a condition that is one of several of a filter. Indexes find what meets one of the
// alternatives only if they find what meets each: see cypher.Condition.
func (k IndexedKeys) ServesAmong(typ string, c graph.Condition, all graph.Filter) bool {
	if c.Any != 0 && !k.ServesAlternatives(typ, all) {
		return false
	}
	return k.servesTogether(typ, c, alternativeOf(all, c.Any))
}

// ServesAlternatives reports whether indexes find what meets one of the alternatives of a filter.
func (k IndexedKeys) ServesAlternatives(typ string, all graph.Filter) bool {
	return eachAlternative(all, func(alternative graph.Filter) bool {
		return slices.ContainsFunc(alternative, func(c graph.Condition) bool { return k.servesTogether(typ, c, alternative) })
	})
}

// AlternativesCanBeServed reports whether there could be indexes that find what meets one of the alternatives of a filter.
func AlternativesCanBeServed(f graph.Filter) bool {
	return eachAlternative(f, func(alternative graph.Filter) bool { return slices.ContainsFunc(alternative, canBeServed) })
}

// canBeServed reports whether there could be an index that serves a condition.
func canBeServed(c graph.Condition) bool {
	return c.Side == "" && IndexKindsFor(string(c.Operator)) != nil
}

// eachAlternative reports whether a filter has alternatives, none of them with a condition on an end, and something holds for the
// conditions of each. With one such condition the text of all is behind a CASE, which no index serves: see cypher.Where.
func eachAlternative(f graph.Filter, holds func(graph.Filter) bool) bool {
	isOne := func(c graph.Condition) bool { return c.Any != 0 }
	return slices.ContainsFunc(f, isOne) && !slices.ContainsFunc(f, func(c graph.Condition) bool {
		return isOne(c) && (c.Side != "" || !holds(alternativeOf(f, c.Any)))
	})
}

// alternativeOf are the conditions of one alternative, or for 0 those that must hold in any case.
func alternativeOf(f graph.Filter, number int) graph.Filter {
	return slices.DeleteFunc(slices.Clone(f), func(c graph.Condition) bool { return c.Any != number })
}

// servesTogether reports whether an index on one property serves a condition, or one on several together with the others that must hold.
func (k IndexedKeys) servesTogether(typ string, c graph.Condition, all graph.Filter) bool {
	if c.Any != 0 && c.Operator == graph.Exists { // among alternatives the value itself is tested
		return false
	}
	return k.Serves(typ, c) || c.Side == "" && slices.ContainsFunc(k.composite[typ], func(keys []string) bool {
		return slices.Contains(keys, c.Property) && findsByAll(keys, func(key string, operators []graph.Operator) bool {
			return slices.ContainsFunc(all, func(other graph.Condition) bool {
				isRange := other.Operator == graph.Equal && graph.IsZero(other.Value) // because of the two zeros
				return other.Side == "" && other.Property == key && slices.Contains(operators, other.Operator) && !isRange && !other.IndexDiffers()
			})
		})
	})
}

var (
	// equalities are the operators that a range index on several properties requires on all but the last.
	equalities = []graph.Operator{graph.Equal, graph.OneOf}
	// ranges are the operators that it serves on the last one besides.
	ranges = []graph.Operator{graph.StartsWith, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual}
)

// findsByAll reports whether a range index on several properties finds entities by conditions on all of them, as Neo4j requires. has
// reports whether there is a condition on a property with one of some operators.
func findsByAll(keys []string, has func(key string, operators []graph.Operator) bool) bool {
	for i, key := range keys {
		if !has(key, equalities) && (i < len(keys)-1 || !has(key, ranges)) {
			return false
		}
	}
	return true
}
