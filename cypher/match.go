package cypher

// The statements that answer questions over several hops: MatchValues where no column is a node or an edge, MatchEntities else.
var (
	MatchValues   = load("graph/match_values")
	MatchEntities = load("graph/match_entities")
)

// MatchNode is a node of a chain.
type MatchNode struct {
	Of     Entity
	Labels []Fragment // quoted; the node has them all
	// Where are the conditions on the node, Filter those of the question on its properties. Those of a node that several chains name are
	// with one of them only.
	Where, Filter []Fragment
	// Seen is true of a node that another part of the statement tests: see matchChain.
	Seen bool
}

// MatchHop is an edge between two nodes of a chain, or several one after another.
type MatchHop struct {
	Of       Entity
	Types    Fragment // quoted, joined by |; the zero value for any
	Left     Fragment // as in EdgesOut
	Right    Fragment
	Where    []Fragment
	Min, Max int
	// Repeated is set of a hop of several edges, each from Outer to Inner.
	Repeated     bool
	Outer, Inner Entity
	// OnBoth are conditions on both nodes of each edge. Those on Inner say it all, but Neo4j 5.26.30 does not test a node from which a
	// search in both directions returns to its start by a parallel edge, if it follows the chain from its end.
	OnBoth []Fragment
}

// MatchChain is one MATCH: no relationship is bound twice in it.
type MatchChain struct {
	Nodes []MatchNode
	Hops  []MatchHop
	// Join, unless empty, is a node at which what is found from both ends meets. The planner, which estimates by the average node, would
	// follow all edges of this node for each of the nodes at one end.
	Join Entity
}

// NumberedNode is the node variable of a pattern with a number, NumberedEdge that of an edge.
func NumberedNode(n int) Entity { return Entity{expression: numberedName("n", n)} }

// NumberedEdge is the variable of an edge.
func NumberedEdge(n int) Entity { return Entity{numberedName("r", n), true} }

// NumberedInner is the variable of the nodes that the edges of a hop lead to.
func NumberedInner(n int) Entity { return Entity{expression: numberedName("i", n)} }

// NumberedOuter is the variable of the nodes that the edges of a hop come from.
func NumberedOuter(n int) Entity { return Entity{expression: numberedName("o", n)} }

// MatchRows are the distinct bindings of names for which all chains exist and none of without. If distinct is false, the bindings are
// known to be distinct.
func MatchRows(chains, without []MatchChain, names []Entity, distinct bool) Fragment {
	clauses := make([]Fragment, 0, len(chains)+1)
	for i, c := range chains {
		conditions := c.conditions()
		if i == len(chains)-1 {
			for _, w := range without {
				conditions = append(conditions, notExists.fill(Slots{"match": w.clause(w.conditions())}))
			}
		}
		clauses = append(clauses, c.clause(conditions))
	}
	form := withRows
	if distinct {
		form = withDistinctRows
	}
	clauses = append(clauses, form.fill(Slots{"names": joinEntities(names)}))
	return join("\n", clauses)
}

func joinEntities(entities []Entity) Fragment {
	texts := make([]Fragment, len(entities))
	for i, e := range entities {
		texts[i] = e.expression
	}
	return join(", ", texts)
}

func (c MatchChain) clause(conditions []Fragment) Fragment {
	steps := []Fragment{c.Nodes[0].pattern()}
	for i, h := range c.Hops {
		steps = append(steps, h.pattern(), c.Nodes[i+1].pattern())
	}
	slots := Slots{"pattern": join("", steps), "where": allOf(conditions)}
	if c.Join != (Entity{}) {
		slots["pattern"] = joinedAt.fill(Slots{"pattern": slots["pattern"], "node": c.Join.expression})
	}
	if len(conditions) == 0 {
		return matchAll.fill(slots)
	}
	return matchWhere.fill(slots)
}

// conditions are those of the chain: that nothing of it is internal, and those of its nodes and hops.
func (c MatchChain) conditions() []Fragment {
	var conditions []Fragment
	for _, n := range c.Nodes {
		conditions = append(append(conditions, n.Where...), n.Filter...)
		if !n.Seen {
			conditions = append(conditions, n.visible(len(c.Hops) > 0))
		}
	}
	for _, h := range c.Hops {
		if !h.Repeated {
			conditions = append(conditions, h.conditions()...)
		}
	}
	return conditions
}

// visible is the test that the node is not internal. The planner tests it before conditions that most nodes do not meet, and it reads the
// labels of each node, so it is made only where they hold, and not of nodes at edges if $ends_visible is true: see edges_at_internal.
func (n MatchNode) visible(atEdge bool) Fragment {
	test := visibleNode.fill(Slots{"variable": n.Of.expression})
	if len(n.Labels) > 0 { // which are not internal
		test = onlyLabelOr.fill(Slots{"node": n.Of.expression, "test": test})
	}
	if atEdge {
		test = visibleEnd.fill(Slots{"test": test})
	}
	if len(n.Filter) == 0 {
		return test
	}
	return ifMet.fill(Slots{"conditions": And(n.Filter), "test": test})
}

// conditions are those of each edge of the hop.
func (h MatchHop) conditions() []Fragment {
	if h.Types != (Fragment{}) {
		return h.Where
	}
	return append([]Fragment{visibleType.fill(Slots{"variable": h.Of.expression})}, h.Where...)
}

func (n MatchNode) pattern() Fragment {
	if len(n.Labels) == 0 {
		return anyNode.fill(Slots{"node": n.Of.expression})
	}
	return labelledNode.fill(Slots{"node": n.Of.expression, "labels": join("&", n.Labels)})
}

func (h MatchHop) pattern() Fragment {
	inner := h.Of.expression
	if h.Types != (Fragment{}) {
		inner = typedEdge.fill(Slots{"edge": h.Of.expression, "types": h.Types})
	}
	edge := edgePattern.fill(Slots{"left": h.Left, "edge": inner, "right": h.Right})
	if !h.Repeated {
		return edge
	}
	conditions := append(h.conditions(), h.OnBoth...)
	for _, node := range []Entity{h.Inner, h.Outer} {
		conditions = append(conditions, visibleEnd.fill(Slots{"test": visibleNode.fill(Slots{"variable": node.expression})}))
	}
	return repeatedEdge.fill(Slots{
		"edge": edge, "outer": h.Outer.expression, "inner": h.Inner.expression, "where": And(conditions),
		"open": literal("{"), "close": literal("}"),
		"min": number(h.Min), "max": number(h.Max),
	})
}

var (
	matchAll         = newTemplate("MATCH {{pattern}}")
	matchWhere       = newTemplate("MATCH {{pattern}}\nWHERE {{where}}")
	joinedAt         = newTemplate("{{pattern}}\nUSING JOIN ON {{node}}")
	notExists        = newTemplate("NOT EXISTS { {{match}} }")
	withRows         = newTemplate("WITH {{names}}")
	withDistinctRows = newTemplate("WITH DISTINCT {{names}}")
	anyNode          = newTemplate("({{node}})")
	labelledNode     = newTemplate("({{node}}:{{labels}})")
	typedEdge        = newTemplate("{{edge}}:{{types}}")
	edgePattern      = newTemplate("{{left}}[{{edge}}]{{right}}")
	repeatedEdge     = newTemplate("(({{outer}}){{edge}}({{inner}}) WHERE {{where}}){{open}}{{min}},{{max}}{{close}}")
	onlyLabelOr      = newTemplate("(size(labels({{node}})) = 1 OR {{test}})")
	ifMet            = newTemplate("CASE WHEN {{conditions}} THEN {{test}} ELSE false END")
	visibleNode      = newTemplateWithParts("{{>visible_node}}")
	visibleType      = newTemplateWithParts("{{>visible_type}}")
)

// MatchWhere are conditions on a node or an edge of a pattern. first is the position of the first of them among all of the pattern.
func MatchWhere(e Entity, first int, conditions []Condition) []Fragment {
	clauses := clausesOf(e.expression, first, conditions)
	texts := make([]Fragment, len(clauses))
	for i, c := range clauses {
		texts[i] = c.condition
	}
	return texts
}

// MatchElement is the condition that a node is the one with an element id, and its own id if it has one: element ids are reused. position
// is that of the node in the parameter $starts.
func MatchElement(e Entity, id Fragment, position int) Fragment {
	return isElement.fill(Slots{"node": e.expression, "start": numberedName("$starts.s", position), "id": id})
}

var isElement = newTemplate(
	"elementId({{node}}) = {{start}}.node AND ({{start}}.node_id IS NULL OR {{node}}.{{id}} = {{start}}.node_id)")

// MatchElements is MatchElement for a node that is one of several.
func MatchElements(e Entity, id Fragment, position int) Fragment {
	return isOneOfElements.fill(Slots{"node": e.expression, "start": numberedName("$starts.s", position), "id": id})
}

var isOneOfElements = newTemplate("elementId({{node}}) IN {{start}}.nodes AND " +
	"({{start}}.node_ids[elementId({{node}})] IS NULL OR {{node}}.{{id}} = {{start}}.node_ids[elementId({{node}})])")
