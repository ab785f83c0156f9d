package cypher

// Matched is a value of a row: a node or an edge that the row binds, or a property of one.
type Matched struct {
	Of   Entity
	Kind MatchedKind
	// Key is the quoted key of a property, empty for the node or edge itself; or with Position the key is the parameter $keys.k<n>, because
	// the database has no such property.
	Key      Fragment
	Position int
	Shown    Fragment // as in Condition
	// Identified, unless empty, is the condition that the property holds the id of the entity: then it is none.
	Identified Fragment
	ID         Fragment // of a node or an edge: the expression for its own id; empty if none has one
}

// MatchedKind distinguishes the values of rows.
type MatchedKind uint8

// Kinds of values.
const (
	MatchedProperty MatchedKind = iota
	MatchedNode
	MatchedEdge
	MatchedValue // of a variable that is not an entity
)

// IsEntity reports whether the value is a node or an edge itself.
func (m Matched) IsEntity() bool { return m.Kind.isEntity() }

func (k MatchedKind) isEntity() bool { return k == MatchedNode || k == MatchedEdge }

// Ordered is a key that rows or groups are sorted by.
type Ordered struct {
	Matched
	Descending bool
}

// fragment is the expression for the value.
func (m Matched) fragment() Fragment {
	if m.Kind != MatchedProperty {
		return m.Of.expression
	}
	property := dynamicKey.fill(Slots{"variable": m.Of.expression, "key": numberedName("$keys.k", m.Position)})
	if m.Key != (Fragment{}) {
		property = keyTemplate.fill(Slots{"variable": m.Of.expression, "key": m.Key})
	}
	property = valueOf.fill(Slots{"property": property})
	if m.Identified != (Fragment{}) {
		property = unlessIdentified.fill(Slots{"identified": m.Identified, "property": property})
	}
	return shownValue(m.Shown, property)
}

// order are the keys of ORDER BY for a value: null is last. Entities are in the order of their own ids, then come those without one by the
// number of their element ids.
func (o Ordered) order() []Fragment {
	if o.Kind.isEntity() {
		var order []Fragment
		if o.ID != (Fragment{}) {
			order = o.orderOf(o.ID)
		}
		return append(order, o.direction(o.Of.expression))
	}
	return o.orderOf(o.fragment())
}

func (o Ordered) orderOf(value Fragment) []Fragment {
	if o.Descending {
		return []Fragment{isNull.fill(Slots{"value": value}), descendingValue.fill(Slots{"value": value})}
	}
	return []Fragment{value}
}

func (o Ordered) direction(value Fragment) Fragment {
	if o.Descending {
		return descendingValue.fill(Slots{"value": value})
	}
	return value
}

// MatchPage is the page of rows: sorted, if there are keys, and then by the ties.
func MatchPage(keys []Ordered, ties []Matched) Fragment {
	if len(keys) == 0 {
		return skipAndLimit
	}
	var order []Fragment
	for _, key := range keys {
		order = append(order, key.order()...)
	}
	for _, tie := range ties {
		order = append(order, Ordered{Matched: tie}.order()...)
	}
	return orderedPage.fill(Slots{"order": join(", ", order), "page": skipAndLimit})
}

var (
	unlessIdentified = newTemplate("CASE WHEN NOT {{identified}} THEN {{property}} END")
	isNull           = newTemplate("{{value}} IS NULL")
	descendingValue  = newTemplate("{{value}} DESC")
	skipAndLimit     = literal("SKIP $skip LIMIT $limit")
	orderedPage      = newTemplate("ORDER BY {{order}} {{page}}")
	// the labels are read only where there may be an id
	identifiedNode = newTemplate(
		"CASE WHEN {{entity}}.{{id}} > '' THEN any(l IN labels({{entity}}) WHERE l IN $managed_labels) ELSE false END")
	identifiedEdge = newTemplate("CASE WHEN {{entity}}.{{id}} > '' THEN type({{entity}}) IN $managed_types ELSE false END")
	ownID          = newTemplate("CASE WHEN {{identified}} THEN {{entity}}.{{id}} END")
)

// Identified is the condition that an entity has its own id: the property of this quoted key, in a managed type.
func (k MatchedKind) Identified(e Entity, id Fragment) Fragment {
	if k == MatchedEdge {
		return identifiedEdge.fill(Slots{"entity": e.expression, "id": id})
	}
	return identifiedNode.fill(Slots{"entity": e.expression, "id": id})
}

// OwnID is the expression for an entity's own id, null if it has none.
func (k MatchedKind) OwnID(e Entity, id Fragment) Fragment {
	return ownID.fill(Slots{"identified": k.Identified(e, id), "entity": e.expression, "id": id})
}

// MatchCells are the values of a page: the expression for a list of them.
func MatchCells(cells []Matched) Fragment {
	texts := make([]Fragment, len(cells))
	for i, c := range cells {
		texts[i] = c.fragment()
		if c.Kind.isEntity() {
			texts[i] = elementIDOf.fill(Slots{"entity": c.Of.expression})
		}
	}
	return listOf.fill(Slots{"members": join(", ", texts)})
}

var elementIDOf = newTemplate("elementId({{entity}})")

// MatchedEntities are the nodes and edges that the cells of a page need.
type MatchedEntities struct{ Nodes, Edges []Entity }

// Slots fills the slots collected, lists, found and bound of MatchEntities. The first nodes and edges stand in cells; the others are only
// bound for their properties. values are the variables of the other values of the page.
func (m MatchedEntities) Slots(shownNodes, shownEdges int, values []Entity) Slots {
	collected := []Fragment{collectedPage.fill(Slots{"members": joinEntitiesOr(values), "list": literal("vs")})}
	bound := []Fragment{}
	lists := []Fragment{literal("vs")}
	var found []Fragment
	add := func(entities []Entity, standing int, list Fragment, branch template) {
		if len(entities) == 0 {
			return
		}
		collected = append(collected, collectedPage.fill(Slots{"members": joinEntities(entities), "list": list}))
		lists = append(lists, list)
		for i, e := range entities {
			bound = append(bound, boundMember.fill(Slots{"list": list, "position": number(i), "entity": e.expression}))
		}
		if standing > 0 {
			found = append(found, branch.fill(Slots{"count": number(standing)}))
		}
	}
	add(m.Nodes, shownNodes, literal("ns"), foundNodes)
	add(m.Edges, shownEdges, literal("rs"), foundEdges)
	for i, e := range values {
		bound = append(bound, boundMember.fill(Slots{"list": literal("vs"), "position": number(i), "entity": e.expression}))
	}
	found = append(found, foundRows)
	return Slots{
		"collected": join(", ", collected), "lists": join(", ", lists), "found": join("\n  UNION ALL\n  ", found),
		"bound": join(", ", append([]Fragment{literal("part"), literal("node"), literal("edge")}, bound...)),
	}
}

func joinEntitiesOr(entities []Entity) Fragment {
	if len(entities) == 0 {
		return literal("null")
	}
	return joinEntities(entities)
}

var (
	collectedPage = newTemplate("collect([{{members}}]) AS {{list}}")
	boundMember   = newTemplate("{{list}}[at][{{position}}] AS {{entity}}")
	// The first row with an entity returns it. The shown ones are the first of each list.
	foundNodes = newTemplate("UNWIND range(0, size(vs) - 1) AS row UNWIND ns[row][..{{count}}] AS node\n" +
		"  WITH node, min(row) AS at RETURN at, 0 AS part, node, null AS edge")
	foundEdges = newTemplate("UNWIND range(0, size(vs) - 1) AS row UNWIND rs[row][..{{count}}] AS edge\n" +
		"  WITH edge, min(row) AS at RETURN at, 1 AS part, null AS node, edge")
	foundRows = literal("UNWIND range(0, size(vs) - 1) AS at RETURN at, 2 AS part, null AS node, null AS edge")
)

// ShownUnlessID is the condition that a property is shown and does not hold the id of the entity. condition is the first part,
// empty if it always is.
func ShownUnlessID(condition Fragment, kind MatchedKind, e Entity, id Fragment) Fragment {
	test := notIdentified.fill(Slots{"identified": kind.Identified(e, id)})
	if condition == (Fragment{}) {
		return test
	}
	return And([]Fragment{test, condition})
}

var notIdentified = newTemplate("NOT {{identified}}")

// MatchLines joins clauses.
func MatchLines(clauses ...Fragment) Fragment { return join("\n", clauses) }
