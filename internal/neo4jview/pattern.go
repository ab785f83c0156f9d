package neo4jview

import (
	"slices"

	"graphrest/cypher"
)

// The parts of a pattern are nodes and edges that a statement binds to numbered variables. Their predicate is that of edges, which has the
// scopes of nodes too: PredicateOf(ctx, graph.EdgeKind).

// AtNode is the condition that the user sees a node of a pattern, of a type that the statement names or of any if typ is empty.
func (p Predicate) AtNode(e cypher.Entity, typ string) cypher.Fragment {
	if p.view == nil || p.allNodes {
		return cypher.True
	}
	return cypher.InScopes(e, scopesFor(p.nodes, typ, conditionsOf(p.scopes)))
}

// AtEdge is the condition that the user sees an edge of a pattern, whose ends are tested as nodes of it. It is cypher.False for a type of
// which the user sees none: an edge has one type, so that the scopes of others do not matter.
func (p Predicate) AtEdge(e cypher.Entity, typ string) cypher.Fragment {
	if p.view == nil {
		return cypher.True
	}
	ofType := slices.DeleteFunc(scopesFor(p.scopes, typ, 0), func(s cypher.Scope) bool { return typ != "" && len(s.Types) > 0 })
	return cypher.InScopes(e, ofType)
}

// ShownAtNode is Shown for a property of a node of a pattern.
func (p Predicate) ShownAtNode(e cypher.Entity, typ, property string) cypher.Fragment {
	if p.view == nil {
		return cypher.Fragment{}
	}
	return shownAt(e, numberScopes(p.nodes, typ, conditionsOf(p.scopes)), typ, property)
}

// ShownAtEdge is Shown for a property of an edge of a pattern.
func (p Predicate) ShownAtEdge(e cypher.Entity, typ, property string) cypher.Fragment {
	if p.view == nil {
		return cypher.Fragment{}
	}
	return shownAt(e, ofEdgeType(numberScopes(p.scopes, typ, 0), typ), typ, property)
}

// SeesEverything reports whether no rules limit what the user sees.
func (p Predicate) SeesEverything() bool { return p.view == nil }
