package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Scope is a part of the graph in which grants hold, as the store puts it into a statement: the entities of some types that meet
// conditions. Grants that differ only in their types, or only in the values that a property may have, are one scope, so that a statement
// tests their conditions once.
type Scope struct {
	Types      []string // labels or relationship types in order; nil for any, and for nodes without a label
	Conditions []graph.Condition
	Hidden     []string // not shown by these grants
	keys       []string // conditionKeys
}

// Covers reports whether the scope has entities of a type.
func (s Scope) Covers(name string) bool { return s.Types == nil || slices.Contains(s.Types, name) }

// HasAll reports whether every entity is in the scope, in every state.
func (s Scope) HasAll() bool { return s.Types == nil && len(s.Conditions) == 0 }

// Hides reports whether the grants of the scope hide a property.
func (s Scope) Hides(property string) bool { return slices.Contains(s.Hidden, property) }

// ShowAlways reports whether all entities of a type, or of any if it is empty, that are in some scopes show a property: each scope that
// hides it lies within one that shows it, which has no condition that the other lacks.
func ShowAlways(scopes []Scope, typ, property string) bool {
	var hiding []Scope
	showing := map[string][]Scope{} // by the rarest of their conditions; by none without a condition
	count := map[string]int{}
	for _, s := range scopes {
		for _, key := range s.conditionKeys() {
			count[key]++
		}
	}
	for _, s := range scopes {
		if s.Hides(property) {
			hiding = append(hiding, s)
			continue
		}
		rarest := ""
		for _, key := range s.conditionKeys() {
			if rarest == "" || count[key] < count[rarest] {
				rarest = key
			}
		}
		showing[rarest] = append(showing[rarest], s)
	}
	return !slices.ContainsFunc(hiding, func(h Scope) bool { return !h.isWithinOne(showing, typ) })
}

// isWithinOne reports whether every entity of a type, or of any if it is empty, that is in the scope is in one of some others too.
func (s Scope) isWithinOne(others map[string][]Scope, typ string) bool {
	own := s.conditionKeys()
	return slices.ContainsFunc(append([]string{""}, own...), func(key string) bool {
		return slices.ContainsFunc(others[key], func(other Scope) bool {
			return s.typesAreWithin(other, typ) && !slices.ContainsFunc(other.conditionKeys(), func(key string) bool {
				_, found := slices.BinarySearch(own, key)
				return !found
			})
		})
	})
}

func (s Scope) typesAreWithin(other Scope, typ string) bool {
	return other.Covers(typ) ||
		s.Types != nil && !slices.ContainsFunc(s.Types, func(name string) bool { return !other.Covers(name) })
}

// conditionKeys are the conditions as texts, in order, each once: two are equal if they mean the same, whichever grants they are from.
func (s Scope) conditionKeys() []string {
	if s.keys == nil && len(s.Conditions) > 0 {
		return keysOfConditions(s.Conditions)
	}
	return s.keys
}

// keyOfCondition is a condition as a text.
func keyOfCondition(c graph.Condition) string {
	key := append(typedjson.AppendString(nil, c.Property), c.Operator...)
	return string(typedjson.AppendValue(key, c.Value))
}

func keysOfConditions(conditions []graph.Condition) []string {
	keys := make([]string, len(conditions))
	for i, c := range conditions {
		keys[i] = keyOfCondition(c)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// hiddenSomewhere lists the properties that some scopes hide and none of everything shows.
func hiddenSomewhere(scopes []Scope) []string {
	var hidden []string
	for _, s := range scopes {
		hidden = append(hidden, s.Hidden...)
	}
	slices.Sort(hidden)
	return slices.DeleteFunc(slices.Compact(hidden), func(property string) bool {
		return slices.ContainsFunc(scopes, func(s Scope) bool { return s.HasAll() && !s.Hides(property) })
	})
}

// scopeKey is what scopes are for.
type scopeKey struct {
	action Action
	kind   graph.Kind
}

// Scopes are the grants for an action on a kind, without those that can never hold. They mean nothing if AllowsAll. The result must not be
// changed.
func (v *View) Scopes(action Action, kind graph.Kind) []Scope {
	return v.scopes[scopeKey{action, kind}]
}

// collectScopes groups the grants of a view.
func collectScopes(grants []boundGrant) map[scopeKey][]Scope {
	scopes, positions := map[scopeKey][]Scope{}, map[string]int{}
	for i := range grants {
		g := &grants[i]
		if g.never {
			continue
		}
		keys := keysOfConditions(g.conditions)
		same := fmt.Sprintf("%q %q", g.Hidden, keys)
		for _, action := range g.Actions {
			key := scopeKey{action, g.Kind}
			at, known := positions[string(action)+" "+string(g.Kind)+" "+same]
			if !known {
				at = len(scopes[key])
				positions[string(action)+" "+string(g.Kind)+" "+same] = at
				scopes[key] = append(scopes[key], Scope{Types: []string{}, Conditions: g.conditions, Hidden: g.Hidden, keys: keys})
			}
			scopes[key][at].addType(g.Type)
		}
	}
	for key := range scopes {
		scopes[key] = mergeValues(scopes[key])
	}
	return scopes
}

// mergeValues makes one scope of those that differ only in the values that a property may have: `in` is met exactly where `eq` with one of
// the values is.
func mergeValues(scopes []Scope) []Scope {
	var properties []string
	for _, s := range scopes {
		for _, c := range s.Conditions {
			if valuesOf(c) != nil && !slices.Contains(properties, c.Property) {
				properties = append(properties, c.Property)
			}
		}
	}
	for _, property := range properties {
		at, rest := make([]int, len(scopes)), make([]string, len(scopes))
		values := map[string][]graph.Value{} // by what is equal in scopes that are merged
		for i, s := range scopes {
			if at[i], rest[i] = s.withoutValues(property); at[i] >= 0 {
				values[rest[i]] = append(values[rest[i]], valuesOf(s.Conditions[at[i]])...)
			}
		}
		var merged []Scope
		for i, s := range scopes {
			if at[i] >= 0 {
				if values[rest[i]] == nil { // in a scope before
					continue
				}
				s = s.withValues(at[i], values[rest[i]])
				values[rest[i]] = nil
			}
			merged = append(merged, s)
		}
		scopes = merged
	}
	return scopes
}

// valuesOf are the values that a property must have one of; nil for other conditions.
func valuesOf(c graph.Condition) []graph.Value {
	switch list, isList := c.Value.([]graph.Value); {
	case c.Operator == graph.Equal:
		return []graph.Value{c.Value}
	case c.Operator == graph.OneOf && isList && len(list) > 0:
		return list
	default:
		return nil
	}
}

// withoutValues finds the condition on the values of a property, -1 if there is none, and returns all else of the scope as a text. Values
// that an index serves are not merged with others, for which the statement would use none.
func (s Scope) withoutValues(property string) (at int, rest string) {
	at = slices.IndexFunc(s.Conditions, func(c graph.Condition) bool { return c.Property == property && valuesOf(c) != nil })
	if at < 0 {
		return at, ""
	}
	c := graph.Condition{Operator: graph.OneOf, Value: valuesOf(s.Conditions[at])}
	own, others := keyOfCondition(s.Conditions[at]), make([]string, 0, len(s.keys))
	for _, key := range s.keys {
		if key != own {
			others = append(others, key)
		}
	}
	// A key is JSON and an operator, without a zero byte.
	return at, fmt.Sprintf("%t %q %q ", c.IndexDiffers(), s.Types, s.Hidden) + strings.Join(others, "\x00")
}

// withValues is the scope with other values for the condition at a position, in an order that does not depend on the grants.
func (s Scope) withValues(at int, values []graph.Value) Scope {
	if len(values) == len(valuesOf(s.Conditions[at])) { // its own
		return s
	}
	texts := make(map[string]graph.Value, len(values))
	for _, v := range values {
		texts[string(typedjson.AppendValue(nil, v))] = v
	}
	values = nil
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		values = append(values, texts[text])
	}
	s.Conditions = slices.Clone(s.Conditions)
	s.Conditions[at].Operator, s.Conditions[at].Value = graph.OneOf, values
	s.keys = keysOfConditions(s.Conditions)
	return s
}

func (s *Scope) addType(name string) {
	switch at, found := slices.BinarySearch(s.Types, name); {
	case name == AnyType:
		s.Types = nil
	case s.Types != nil && !found:
		s.Types = slices.Insert(s.Types, at, name)
	}
}
