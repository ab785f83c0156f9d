// Package neo4jview applies a user's view of the graph (rules.View): it writes the view as predicates of statements, shows and checks
// entities that were read, and checks changes. It runs no statement.
package neo4jview

import (
	"context"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// A view is applied twice: statements that select or count entities contain it as a predicate, and entities that were read are checked once
// more in Go, which also removes hidden properties. See docs/adr/0015-rules.md.

// Predicate is the part of a view that concerns nodes or edges, as a predicate of statements. Its zero value shows everything.
type Predicate struct {
	view     *rules.View
	kind     graph.Kind
	scopes   []rules.Scope // of the listed entities
	nodes    []rules.Scope // of the ends of listed edges
	allNodes bool
}

// PredicateOf returns the predicate for a list, and nothing to test for a context without a view.
func PredicateOf(ctx context.Context, k graph.Kind) Predicate {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return Predicate{allNodes: true}
	}
	p := Predicate{view: v, kind: k, scopes: v.Scopes(rules.Read, k), allNodes: k == graph.NodeKind}
	if k == graph.EdgeKind {
		p.nodes = v.Scopes(rules.Read, graph.NodeKind)
		p.allNodes = slices.ContainsFunc(p.nodes, rules.Scope.HasAll)
	}
	return p
}

// Limits reports whether the view shows only a part of a type's entities, or of all if typ is empty.
func (p Predicate) Limits(typ string) bool { return p.view != nil && p.Text(typ) != cypher.True }

// Text is the predicate for the entities of a type that the statement names, or of several types if typ is empty.
func (p Predicate) Text(typ string) cypher.Fragment {
	return p.TextWithEnds(typ, cypher.SourceEntity, cypher.TargetEntity)
}

// TextWithEnds is Text for edges of which only some ends are to be checked, because the user is known to see the others.
func (p Predicate) TextWithEnds(typ string, ends ...cypher.Entity) cypher.Fragment {
	if p.view == nil {
		return cypher.True
	}
	if p.kind == graph.NodeKind {
		return cypher.InScopes(cypher.NodeEntity, scopesFor(p.scopes, typ, 0))
	}
	var conditions []cypher.Fragment
	if own := cypher.InScopes(cypher.EdgeEntity, scopesFor(p.scopes, typ, 0)); own != cypher.True {
		conditions = append(conditions, own)
	}
	if !p.allNodes {
		nodes := scopesFor(p.nodes, "", conditionsOf(p.scopes))
		for _, end := range ends {
			conditions = append(conditions, cypher.InScopes(end, nodes))
		}
	}
	if len(conditions) == 0 {
		return cypher.True
	}
	return cypher.And(conditions)
}

// scopesFor are the scopes for a statement that names a type, or none; first is the position of the first condition. If they have many
// conditions, they are data: see addScopeData.
func scopesFor(scopes []rules.Scope, typ string, first int) []cypher.Scope {
	list := make([]cypher.Scope, len(scopes))
	start, asData := first, areData(scopes)
	for i, s := range scopes {
		list[i].First = first
		if !s.Covers(typ) {
			list[i].Types = s.Types
		}
		if asData {
			list[i].Data = &cypher.ScopeData{List: start, Index: i, Length: len(scopes)}
		}
		for _, c := range s.Conditions {
			list[i].Conditions = append(list[i].Conditions, cypher.Condition{Operator: Operator(c), Key: cypher.Quote(c.Property)})
		}
		first += len(s.Conditions)
	}
	return list
}

func conditionsOf(scopes []rules.Scope) int {
	count := 0
	for _, s := range scopes {
		count += len(s.Conditions)
	}
	return count
}

// With adds the literals of the predicate to a statement's parameters, and those of cypher.EndKeysOfView.
func (p Predicate) With(params map[string]any) map[string]any {
	if p.view != nil {
		literals := p.literals()
		if p.HidesAtEnds() {
			literals["end_keys"] = []any{conditionKeys(p.nodes), p.view.MayHide(graph.NodeKind)}
		}
		params["view"] = literals
	}
	return params
}

// MayBeLiteral reports whether the value of a property, in a statement with a predicate and conditions, may be one of their literals, which
// an index was asked for: see cypher.AllContent.
func MayBeLiteral(p Predicate, conditions graph.Filter, property string) bool {
	return conditions.ComparesNumber(property) || slices.ContainsFunc(slices.Concat(p.scopes, p.nodes), func(s rules.Scope) bool {
		return slices.ContainsFunc(s.Conditions, func(c graph.Condition) bool { return c.Property == property })
	})
}

// HidesAtEnds reports whether a property may be hidden at an end of a listed edge.
func (p Predicate) HidesAtEnds() bool {
	return p.view != nil && p.kind == graph.EdgeKind && len(p.view.MayHide(graph.NodeKind)) > 0
}

func (p Predicate) literals() map[string]any {
	literals := map[string]any{}
	addLiterals(literals, p.scopes, 0)
	addLiterals(literals, p.nodes, conditionsOf(p.scopes))
	return literals
}

// conditions is how many conditions the scopes have whose literals are those of the predicate.
func (p Predicate) conditions() int { return conditionsOf(p.scopes) + conditionsOf(p.nodes) }

// addLiterals adds those of the conditions of scopes as scopesFor numbers them; first is the position of the first condition.
func addLiterals(literals map[string]any, scopes []rules.Scope, first int) {
	if areData(scopes) {
		addScopeData(literals, scopes, first)
		return
	}
	for _, s := range scopes {
		for _, c := range s.Conditions {
			literals["v"+strconv.Itoa(first)] = Literal(c)
			first++
		}
	}
}

// areData reports whether scopes have so many conditions that statements have them as parameters.
func areData(scopes []rules.Scope) bool { return conditionsOf(scopes) > cypher.MaxScopeConditions }

// addScopeData adds scopes with their conditions: see cypher.ScopeData.
func addScopeData(literals map[string]any, scopes []rules.Scope, first int) {
	list := make([]any, len(scopes))
	for i, s := range scopes {
		tests := make([]any, len(s.Conditions))
		for n, c := range s.Conditions {
			tests[n] = []any{c.Property, cypher.OperatorNumber(Operator(c)), Literal(c)}
		}
		scope := map[string]any{"tests": tests, "types": nil}
		if s.Types != nil {
			scope["types"] = s.Types
		}
		list[i] = scope
	}
	literals["s"+strconv.Itoa(first)] = list
}

// Shown is the condition that a visible entity shows a property, by the definition of rules.Rights.Hides: a grant holds that does not hide
// it. The entity is a listed one, of a type that the statement names or of any if it is empty, or the end of a listed edge. The condition
// is empty if every visible entity shows the property, and cypher.False if none does.
func (p Predicate) Shown(side graph.Side, typ, property string) cypher.Fragment {
	switch {
	case p.view == nil:
		return cypher.Fragment{}
	case side != "":
		return shownAt(EntityAt(side), numberScopes(p.nodes, "", conditionsOf(p.scopes)), "", property)
	case p.kind == graph.EdgeKind:
		return shownAt(cypher.EdgeEntity, ofEdgeType(numberScopes(p.scopes, typ, 0), typ), typ, property)
	default:
		return shownAt(cypher.NodeEntity, numberScopes(p.scopes, typ, 0), typ, property)
	}
}

// ShownInTypes is Shown for the listed entities of several types.
func (p Predicate) ShownInTypes(types []string, property string) cypher.Fragment {
	first := p.Shown("", types[0], property)
	if first != (cypher.Fragment{}) && first != cypher.False || slices.ContainsFunc(types, func(typ string) bool {
		return p.Shown("", typ, property) != first
	}) {
		return p.Shown("", "", property)
	}
	return first
}

// KeyShown is cypher.KeyShown for the listed entities of a type, and its parameters. Properties are those that may be hidden.
func (p Predicate) KeyShown(typ string, properties []string) (condition cypher.Fragment, params map[string]any) {
	var conditions []cypher.Fragment
	var keys [][]string
	for _, property := range properties {
		shown := p.Shown("", typ, property)
		at := slices.Index(conditions, shown)
		switch {
		case shown == (cypher.Fragment{}):
		case at < 0:
			conditions, keys = append(conditions, shown), append(keys, []string{property})
		default:
			keys[at] = append(keys[at], property)
		}
	}
	literals := p.literals()
	literals["keys"] = keys
	return cypher.KeyShown(conditions), map[string]any{"view": literals}
}

// numberedScope is a scope as the grants define it, and in a statement.
type numberedScope struct {
	granted rules.Scope
	text    cypher.Scope
}

func numberScopes(scopes []rules.Scope, typ string, first int) []numberedScope {
	numbered := make([]numberedScope, len(scopes))
	for i, text := range scopesFor(scopes, typ, first) {
		numbered[i] = numberedScope{scopes[i], text}
	}
	return numbered
}

// ofEdgeType are the scopes that edges of a type can be in. An edge has one type, a node may have other labels than that of the list.
func ofEdgeType(scopes []numberedScope, typ string) []numberedScope {
	return slices.DeleteFunc(scopes, func(s numberedScope) bool { return typ != "" && !s.granted.Covers(typ) })
}

// shownAt is the condition that an entity is in a scope that shows a property: see Shown.
func shownAt(entity cypher.Entity, scopes []numberedScope, typ, property string) cypher.Fragment {
	granted, showing := make([]rules.Scope, len(scopes)), []cypher.Scope{}
	for i, s := range scopes {
		if granted[i] = s.granted; !s.granted.Hides(property) {
			showing = append(showing, s.text)
		}
	}
	if rules.ShowAlways(granted, typ, property) {
		return cypher.Fragment{}
	}
	return cypher.InScopes(entity, showing)
}

// EntityAt is the entity at an end of the edge that a statement binds, or the zero value, which is the edge itself.
func EntityAt(side graph.Side) cypher.Entity {
	switch side {
	case graph.SourceSide:
		return cypher.SourceEntity
	case graph.TargetSide:
		return cypher.TargetEntity
	default:
		return cypher.Entity{}
	}
}

// ShownSort drops the sort keys that no visible entity has. Without any the list has its default order: if that is not the one of ids
// (inIDOrder), the first key remains.
func (p Predicate) ShownSort(typ string, inIDOrder bool, keys graph.Sort) graph.Sort {
	shown := slices.DeleteFunc(slices.Clone(keys), func(key graph.SortKey) bool {
		return p.Shown(key.Side, typ, key.Property) == cypher.False
	})
	if len(shown) == 0 && len(keys) > 0 && !inIDOrder {
		return keys[:1]
	}
	return shown
}

// SortKeys are the keys of a statement that reads a type, or several if it is empty. Where a property is hidden, it has no value.
func (p Predicate) SortKeys(typ string, s graph.Sort) []cypher.SortKey {
	keys := make([]cypher.SortKey, len(s))
	for i, key := range s {
		keys[i] = cypher.SortKey{
			Of: EntityAt(key.Side), Property: key.Property, Descending: key.Descending, Shown: p.Shown(key.Side, typ, key.Property),
		}
	}
	return keys
}

// Names are the types that the user may see, completely or in part; all is true if they are not limited.
func (p Predicate) Names() (names []string, all bool) {
	if p.view == nil {
		return nil, true
	}
	return p.view.Names(rules.Read, p.kind)
}

// AnyOf is the expression of the types that a statement on all types has to read; none is true if there is nothing to read.
func (p Predicate) AnyOf(all cypher.Fragment) (types cypher.Fragment, none bool) {
	names, unlimited := p.Names()
	switch {
	case unlimited:
		return all, false
	case len(names) == 0:
		return all, true
	default:
		return cypher.QuoteAny(names), false
	}
}

// NamesOf returns the types that the user may see, in the given order.
func (p Predicate) NamesOf(names []string) []string {
	visible, all := p.Names()
	if all {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(visible, name) })
}
