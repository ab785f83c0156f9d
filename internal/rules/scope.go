package rules

import (
	"slices"

	"graphrest/internal/graph"
)

// Scope is a part of the graph in which grants hold, as the store puts it into a statement: the entities of some types that meet
// conditions. Grants that differ only in their types are one scope, so that a statement tests their conditions once.
type Scope struct {
	Types      []string // labels or relationship types in order; nil for any, and for nodes without a label
	Conditions []graph.Condition
	Hidden     []string // not shown by these grants
}

// Covers reports whether the scope has entities of a type.
func (s Scope) Covers(name string) bool { return s.Types == nil || slices.Contains(s.Types, name) }

// HasAll reports whether every entity is in the scope, in every state.
func (s Scope) HasAll() bool { return s.Types == nil && len(s.Conditions) == 0 }

// Hides reports whether the grants of the scope hide a property.
func (s Scope) Hides(property string) bool { return slices.Contains(s.Hidden, property) }

// isWithin reports whether every entity of a type, or of any if it is empty, that is in the scope is in the other one too.
func (s Scope) isWithin(other Scope, typ string) bool {
	covers := other.Covers(typ) || s.Types != nil && !slices.ContainsFunc(s.Types, func(name string) bool { return !other.Covers(name) })
	return covers && !slices.ContainsFunc(other.Conditions, func(c graph.Condition) bool {
		return !slices.ContainsFunc(s.Conditions, func(own graph.Condition) bool { return equalCondition(own, c) })
	})
}

// ShowAlways reports whether all entities of a type, or of any if it is empty, that are in some scopes show a property: each scope that
// hides it lies within one that shows it.
func ShowAlways(scopes []Scope, typ, property string) bool {
	return !slices.ContainsFunc(scopes, func(hiding Scope) bool {
		return hiding.Hides(property) && !slices.ContainsFunc(scopes, func(s Scope) bool {
			return !s.Hides(property) && hiding.isWithin(s, typ)
		})
	})
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
	scopes := map[scopeKey][]Scope{}
	for i := range grants {
		g := &grants[i]
		if g.never {
			continue
		}
		for _, action := range g.Actions {
			key := scopeKey{action, g.Kind}
			scopes[key] = addToScopes(scopes[key], g)
		}
	}
	return scopes
}

func addToScopes(scopes []Scope, g *boundGrant) []Scope {
	n := slices.IndexFunc(scopes, func(s Scope) bool {
		return slices.Equal(s.Hidden, g.Hidden) && equalConditions(s.Conditions, g.conditions)
	})
	if n < 0 {
		s := Scope{Conditions: g.conditions, Hidden: g.Hidden}
		if g.Type != AnyType {
			s.Types = []string{g.Type}
		}
		return append(scopes, s)
	}
	s := &scopes[n]
	switch at, found := slices.BinarySearch(s.Types, g.Type); {
	case g.Type == AnyType:
		s.Types = nil
	case s.Types != nil && !found:
		s.Types = slices.Insert(s.Types, at, g.Type)
	}
	return scopes
}

// equalConditions compares conditions by what they mean, whichever grant they are from.
func equalConditions(a, b []graph.Condition) bool {
	return slices.EqualFunc(a, b, equalCondition)
}

func equalCondition(x, y graph.Condition) bool {
	return x.Property == y.Property && x.Operator == y.Operator && graph.EqualValues(x.Value, y.Value)
}
