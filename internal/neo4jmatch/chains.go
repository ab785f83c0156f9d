package neo4jmatch

import (
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/neo4jwalk"
	"graphrest/internal/pattern"
)

// rows composes the chains of a question and the bindings of its names.
func (c *matchComposer) rows() cypher.Fragment {
	named := map[string][]pattern.Node{} // the nodes of each name in match
	for _, chain := range c.q.Match {
		for _, n := range chain.Nodes {
			if n.As != "" {
				named[n.As] = append(named[n.As], n)
			}
		}
	}
	var chains, without []cypher.MatchChain
	for _, chain := range c.q.Match {
		chains = append(chains, c.chain(chain, c.matched, func(n pattern.Node) []pattern.Node { return named[n.As] }))
	}
	for _, chain := range c.q.Without {
		own := map[string]cypher.Entity{}
		for name, entity := range c.matched {
			own[name] = entity
		}
		without = append(without, c.withoutChain(chain, own))
	}
	names := make([]cypher.Entity, len(c.q.Names))
	for i, name := range c.q.Names {
		names[i] = c.matched[name.Text]
	}
	return cypher.MatchRows(chains, without, names, !c.bindsEverything())
}

// bindsEverything reports whether all nodes and edges of the chains have names: then no two bindings of the pattern are the same row.
func (c *matchComposer) bindsEverything() bool {
	for _, chain := range c.q.Match {
		for _, n := range chain.Nodes {
			if n.As == "" {
				return false
			}
		}
		for _, h := range chain.Hops {
			if h.As == "" {
				return false
			}
		}
	}
	return true
}

// plannedIDs is how many ids the planner expects in a list that is a parameter. Of more, it follows too many edges for each.
const plannedIDs = 25

// chain composes a chain. A named node has the conditions of all nodes of its name where it appears first.
func (c *matchComposer) chain(
	chain pattern.Chain, bound map[string]cypher.Entity, same func(pattern.Node) []pattern.Node,
) cypher.MatchChain {
	composed := cypher.MatchChain{}
	var ends []int // the nodes that are one of many, in a chain that binds each of its nodes
	binds := true
	for i, n := range chain.Nodes {
		if len(n.IDs) > plannedIDs {
			ends = append(ends, i)
		}
		entity, isBound := bound[n.As]
		if isBound && n.As != "" {
			binds = false
			composed.Nodes = append(composed.Nodes, cypher.MatchNode{Of: entity, Seen: true})
		} else {
			all := []pattern.Node{n}
			if n.As != "" {
				all = same(n)
			}
			composed.Nodes = append(composed.Nodes, c.newNode(all, bound))
		}
		if i < len(chain.Hops) {
			composed.Hops = append(composed.Hops, c.hop(chain.Hops[i], bound))
		}
	}
	if binds && len(ends) == 2 && ends[1]-ends[0] > 1 && !slices.ContainsFunc(chain.Hops, func(h pattern.Hop) bool { return !h.IsOne() }) {
		composed.Join = composed.Nodes[(ends[0]+ends[1])/2].Of
	}
	return composed
}

// withoutChain composes a chain of without: the conditions on a node of match are those of the chain only.
func (c *matchComposer) withoutChain(chain pattern.Chain, own map[string]cypher.Entity) cypher.MatchChain {
	matched := map[string]bool{}
	for name := range own {
		matched[name] = true
	}
	same := func(n pattern.Node) []pattern.Node {
		var all []pattern.Node
		for _, other := range chain.Nodes {
			if other.As == n.As {
				all = append(all, other)
			}
		}
		return all
	}
	composed := c.chain(chain, own, same)
	for i, n := range chain.Nodes {
		if matched[n.As] && n.As != "" {
			node := &composed.Nodes[i]
			c.addTerms(node, []pattern.Node{n}, c.typeOfNames[n.As])
		}
	}
	return composed
}

// newNode binds a node to a new variable; all are the places of its name.
func (c *matchComposer) newNode(all []pattern.Node, bound map[string]cypher.Entity) cypher.MatchNode {
	node := cypher.MatchNode{Of: cypher.NumberedNode(c.nextNode)}
	c.nextNode++
	typ := ""
	for _, n := range all {
		if c.used[neo4jentity.TypeKey{Kind: graph.NodeKind, Name: string(n.Type)}] {
			typ = string(n.Type)
			break
		}
	}
	if as := all[0].As; as != "" {
		bound[as] = node.Of
		if _, isMatched := c.matched[as]; isMatched {
			c.typeOfNames[as] = typ
		}
	}
	c.addTerms(&node, all, typ)
	if seen := c.view.AtNode(node.Of, typ); seen != cypher.True {
		node.Where = append(node.Where, seen)
	}
	return node
}

// addTerms adds the types, ids and filters of a node. typ is a type that the node has, or empty.
func (c *matchComposer) addTerms(node *cypher.MatchNode, all []pattern.Node, typ string) {
	for _, n := range all {
		switch {
		case n.Type == "":
		case c.used[neo4jentity.TypeKey{Kind: graph.NodeKind, Name: string(n.Type)}]:
			node.Labels = append(node.Labels, cypher.Quote(string(n.Type)))
		default:
			node.Where = append(node.Where, cypher.False)
		}
		if n.ID != "" {
			if at := c.starts[n.ID]; at >= 0 {
				node.Where = append(node.Where, cypher.MatchElement(node.Of, c.id, at))
			} else {
				node.Where = append(node.Where, cypher.False)
			}
		}
		if n.IDs != nil {
			node.Where = append(node.Where, cypher.MatchElements(node.Of, c.id, c.lists[n.Place]))
		}
		node.Filter = append(node.Filter, c.filter(graph.NodeKind, node.Of, typ, n.Filter)...)
	}
}

// hop composes a hop and binds its name.
func (c *matchComposer) hop(h pattern.Hop, bound map[string]cypher.Entity) cypher.MatchHop {
	hop := cypher.MatchHop{Of: cypher.NumberedEdge(c.nextEdge), Min: h.Min, Max: h.Max, Repeated: !h.IsOne()}
	hop.Outer, hop.Inner = cypher.NumberedOuter(c.nextEdge), cypher.NumberedInner(c.nextEdge)
	c.nextEdge++
	direction := neo4jwalk.DirectionSlots(h.Direction)
	hop.Left, hop.Right = direction["left"], direction["right"]
	types, typ := c.usedTypes(h), ""
	switch {
	case len(types) > 0:
		hop.Types = cypher.QuoteAny(types)
		if len(types) == 1 {
			typ = types[0]
		}
	case len(h.Types) > 0:
		hop.Where = append(hop.Where, cypher.False)
	}
	if h.As != "" {
		bound[h.As] = hop.Of
		c.typeOfNames[h.As] = typ
	}
	hop.Where = append(hop.Where, c.filter(graph.EdgeKind, hop.Of, typ, h.Filter)...)
	if seen := c.view.AtEdge(hop.Of, typ); seen != cypher.True {
		hop.Where = append(hop.Where, seen)
	}
	for _, node := range []cypher.Entity{hop.Inner, hop.Outer} {
		if seen := c.view.AtNode(node, ""); seen != cypher.True {
			hop.OnBoth = append(hop.OnBoth, seen)
		}
	}
	return hop
}

// filter composes conditions on a node or an edge.
func (c *matchComposer) filter(k graph.Kind, e cypher.Entity, typ string, conditions graph.Filter) []cypher.Fragment {
	composed := make([]cypher.Condition, len(conditions))
	for i, condition := range conditions {
		composed[i] = cypher.Condition{Operator: neo4jview.Operator(condition), Any: condition.Any, Shown: c.shown(k, e, typ, condition.Property)}
		if composed[i].Shown != cypher.False && condition.Property == c.idKey && c.anyManaged(matchedKindOf(k)) {
			composed[i].Shown = cypher.ShownUnlessID(composed[i].Shown, matchedKindOf(k), e, c.id)
		}
		if c.known[condition.Property] {
			composed[i].Key = cypher.Quote(condition.Property)
		}
	}
	first := len(c.conditions)
	c.conditions = append(c.conditions, conditions...)
	return cypher.MatchWhere(e, first, composed)
}

// shown is the condition that the user sees a property of a visible entity.
func (c *matchComposer) shown(k graph.Kind, e cypher.Entity, typ, property string) cypher.Fragment {
	if k == graph.EdgeKind {
		return c.view.ShownAtEdge(e, typ, property)
	}
	return c.view.ShownAtNode(e, typ, property)
}
