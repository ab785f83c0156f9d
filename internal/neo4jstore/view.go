package neo4jstore

import (
	"context"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// A user's view (rules.View) is applied twice: statements that select or count entities contain it as a predicate, and entities that were
// read are judged once more in Go, which also removes hidden properties. See docs/adr/0015-rules.md.

// viewPredicate is the part of a view that concerns nodes or edges, as a predicate of statements. Its zero value shows everything.
type viewPredicate struct {
	view        *rules.View
	kind        kind
	scopes      []rules.Scope // of the listed entities
	nodes       []rules.Scope // of the ends of listed edges
	allEntities bool          // the view limits the ends only
	allNodes    bool
}

// viewOf returns the predicate for a list, and nothing to test for a context without a view.
func viewOf(ctx context.Context, k kind) viewPredicate {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return viewPredicate{allEntities: true, allNodes: true}
	}
	p := viewPredicate{view: v, kind: k, scopes: v.Scopes(rules.Read, k), allNodes: k == nodes}
	if k == edges {
		p.nodes = v.Scopes(rules.Read, graph.NodeKind)
		p.allNodes = slices.ContainsFunc(p.nodes, rules.Scope.HasAll)
	}
	return p
}

// limits says whether the view shows only a part of a type's entities, or of all if typ is empty.
func (p viewPredicate) limits(typ string) bool { return p.view != nil && p.text(typ) != cypher.True }

// text is the predicate for the entities of a type that the statement names, or of several types if typ is empty.
func (p viewPredicate) text(typ string) cypher.Fragment {
	return p.textWithEnds(typ, cypher.SourceEntity, cypher.TargetEntity)
}

// textWithEnds is text for edges of which only some ends are to be judged, because the user is known to see the others.
func (p viewPredicate) textWithEnds(typ string, ends ...cypher.Entity) cypher.Fragment {
	if p.view == nil {
		return cypher.True
	}
	if p.kind == nodes {
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

// scopesFor are the scopes for a statement that names a type, or none; first is the position of the first condition.
func scopesFor(scopes []rules.Scope, typ string, first int) []cypher.Scope {
	list := make([]cypher.Scope, len(scopes))
	for i, s := range scopes {
		list[i].First = first
		if !s.Covers(typ) {
			list[i].Types = s.Types
		}
		for _, c := range s.Conditions {
			list[i].Conditions = append(list[i].Conditions, cypher.Condition{Operator: operatorOf(c), Key: cypher.Quote(c.Property)})
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

// with adds the literals of the predicate to a statement's parameters.
func (p viewPredicate) with(params map[string]any) map[string]any {
	if p.view != nil {
		params["view"] = p.literals()
	}
	return params
}

func (p viewPredicate) literals() map[string]any {
	literals := map[string]any{}
	for _, s := range slices.Concat(p.scopes, p.nodes) {
		for _, c := range s.Conditions {
			literals["v"+strconv.Itoa(len(literals))] = literalParam(c)
		}
	}
	return literals
}

// shown is the condition that a property of a listed entity is shown; empty if it always is.
func (p viewPredicate) shown(property string) cypher.Fragment {
	if p.view == nil {
		return cypher.Fragment{}
	}
	all := scopesFor(p.scopes, "", 0)
	var showing []cypher.Scope
	for i, s := range p.scopes {
		if !slices.Contains(s.Hidden, property) {
			showing = append(showing, all[i])
		}
	}
	if len(showing) == len(all) {
		return cypher.Fragment{}
	}
	if p.kind == edges {
		return cypher.InScopes(cypher.EdgeEntity, showing)
	}
	return cypher.InScopes(cypher.NodeEntity, showing)
}

// shownSort drops the sort keys whose property a grant hides: the list is as if no entity had it.
func (p viewPredicate) shownSort(keys graph.Sort) graph.Sort {
	if p.view == nil {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key graph.SortKey) bool { return p.shown(key.Property) != cypher.Fragment{} })
}

// names are the types that the user may see, completely or in part; all is true if they are not limited.
func (p viewPredicate) names() (names []string, all bool) {
	if p.view == nil {
		return nil, true
	}
	return p.view.Names(rules.Read, p.kind)
}

// anyOf is the expression of the types that a statement on all types has to read; none is true if there is nothing to read.
func (p viewPredicate) anyOf(all cypher.Fragment) (types cypher.Fragment, none bool) {
	names, unlimited := p.names()
	switch {
	case unlimited:
		return all, false
	case len(names) == 0:
		return all, true
	default:
		return cypher.QuoteAny(names), false
	}
}

// namesOf returns the types that the user may see, in the given order.
func (p viewPredicate) namesOf(names []string) []string {
	visible, all := p.names()
	if all {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(visible, name) })
}

// showNode judges a node that was read, and removes what the user may not see of it. False: the user does not see it.
func showNode(ctx context.Context, n *graph.Node) bool {
	rights := rules.ViewOf(ctx).NodeRights(rules.Read, n.Labels, n.Properties)
	n.Properties = rights.Project(n.Properties)
	return rights.Granted()
}

// showEdge judges an edge that was read, without its ends, as showNode does. The ends have no captions if a grant hides a property of
// nodes, because it may be the one that names them.
func showEdge(ctx context.Context, e *graph.Edge) bool {
	v := rules.ViewOf(ctx)
	rights := v.EdgeRights(rules.Read, e.Type, e.Properties)
	e.Properties = rights.Project(e.Properties)
	if e.Ends != nil && !v.AllowsAll(rules.Read) &&
		slices.ContainsFunc(v.Scopes(rules.Read, graph.NodeKind), func(s rules.Scope) bool { return len(s.Hidden) > 0 }) {
		e.Ends = &graph.Ends{Source: graph.End{Type: e.Ends.Source.Type}, Target: graph.End{Type: e.Ends.Target.Type}}
	}
	return rights.Granted()
}

// findVisibleNode is find for a node that the user sees; it returns nil for any other.
func (s *Store) findVisibleNode(ctx context.Context, id string) (*managedTypes, *element, error) {
	m, e, err := s.find(ctx, nodes, id)
	if err != nil || e == nil || rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return m, e, err
	}
	n, err := s.node(ctx, m, e.clone())
	if err != nil {
		return m, nil, bolt.Translate(err)
	}
	if !showNode(ctx, &n) {
		if err := s.notVisible(ctx, m, nodes, id, endNeeds{}); fault.CodeOf(err) != fault.NotFound {
			return m, nil, err
		}
		return m, nil, nil
	}
	return m, e, nil
}
