package cypher

// The fragments of the statements that list the edges of a node, bound to the variable r. Edges are ordered by type, then by their own id,
// then (without one) by the number of their element id.

// The ends of a relationship pattern (n)left[r]right().
var (
	noArrow    = literal("-")
	leftArrow  = literal("<-")
	rightArrow = literal("->")
)

// EdgesOut fills the direction slots for the edges that leave the node.
func EdgesOut() Slots { return Slots{"left": noArrow, "right": rightArrow} }

// EdgesIn fills the direction slots for the edges that enter the node.
func EdgesIn() Slots { return Slots{"left": leftArrow, "right": noArrow} }

// EdgesBoth fills the direction slots for edges in both directions.
func EdgesBoth() Slots { return Slots{"left": noArrow, "right": noArrow} }

var (
	orderByNumber = literal("WITH r ORDER BY r")
	orderByType   = literal("WITH r ORDER BY type(r), r")
	orderByID     = newTemplate("WITH r, r.{{id}} AS id ORDER BY CASE WHEN id > '' THEN id END, r")
	orderByTypeID = newTemplate("WITH r, type(r) AS type, r.{{id}} AS id " +
		"ORDER BY type, CASE WHEN type IN $managed_types AND id > '' THEN id END, r")
)

// EdgeOrder is the clause that orders edges, of several types or of one, of which some are managed or none. Null sorts last, and a
// relationship itself sorts by its number. The database would read a type or an id again for each place that names it: each has a name.
func EdgeOrder(id Fragment, types, managed bool) Fragment {
	switch {
	case types && managed:
		return orderByTypeID.fill(Slots{"id": id})
	case types:
		return orderByType
	case managed:
		return orderByID.fill(Slots{"id": id})
	}
	return orderByNumber
}

// EdgeTypeAfter is true of edges whose type sorts after $after.
var EdgeTypeAfter = literal("type(r) > $after")

var (
	edgeAfter          = literal("id(r) > $number")
	edgeAfterID        = newTemplate("(r.{{id}} > $after OR NOT coalesce(r.{{id}} > '', false))")
	edgeWithoutIDAfter = newTemplate("NOT coalesce(r.{{id}} > '', false) AND id(r) > $number")
)

// EdgeAfter is true of edges of an unmanaged type after the edge with the number $number.
func EdgeAfter() Fragment { return edgeAfter }

// EdgeAfterID is true of edges of a managed type after the edge with the id $after.
func EdgeAfterID(id Fragment) Fragment { return edgeAfterID.fill(Slots{"id": id}) }

// EdgeWithoutIDAfter is true of edges of a managed type without their own id, after the one with the number $number.
func EdgeWithoutIDAfter(id Fragment) Fragment { return edgeWithoutIDAfter.fill(Slots{"id": id}) }

// VisibleEdge is true of edges that are not internal.
var VisibleEdge = And([]Fragment{
	withParts("{{>visible_type r}}"),
	visibleEnd.fill(Slots{"test": withParts("{{>visible_labels labels(startNode(r)) + labels(endNode(r))}}")}),
})

// visibleEnd is true of nodes at edges that are not internal. $ends_visible is that of visible_scanned_edge.part.
var visibleEnd = newTemplate("CASE WHEN $ends_visible THEN true ELSE {{test}} END")

// And joins conditions that must all be true.
func And(conditions []Fragment) Fragment { return join(" AND ", conditions) }
