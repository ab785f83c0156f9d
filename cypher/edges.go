package cypher

// The pieces of the statements that list the edges at a node, on a relationship r. An edge is behind another in the order of type, own
// id, and without one the number of its element id.

// The ends of a relationship pattern (n)left[r]right().
var (
	noArrow    = literal("-")
	leftArrow  = literal("<-")
	rightArrow = literal("->")
)

// EdgesOut fills the slots of a direction with that of the edges that leave the node.
func EdgesOut() Slots { return Slots{"left": noArrow, "right": rightArrow} }

// EdgesIn is EdgesOut for the edges that enter it.
func EdgesIn() Slots { return Slots{"left": leftArrow, "right": noArrow} }

// EdgesBoth is EdgesOut for either.
func EdgesBoth() Slots { return Slots{"left": noArrow, "right": noArrow} }

var (
	orderByNumber = literal("r")
	orderByType   = literal("type(r), r")
	orderByID     = newTemplate("CASE WHEN r.{{id}} > '' THEN r.{{id}} END, r")
	orderByTypeID = newTemplate("type(r), CASE WHEN type(r) IN $managed_types AND r.{{id}} > '' THEN r.{{id}} END, r")
)

// EdgeOrder is the order of edges: of several types, or of one, and of which some are managed, or none. A null comes last, and a
// relationship as such has the order of its number.
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

// EdgeTypeBehind is true of edges of types behind $after.
var EdgeTypeAfter = literal("type(r) > $after")

var (
	edgeAfter          = literal("id(r) > $number")
	edgeAfterID        = newTemplate("(r.{{id}} > $after OR NOT coalesce(r.{{id}} > '', false))")
	edgeWithoutIDAfter = newTemplate("NOT coalesce(r.{{id}} > '', false) AND id(r) > $number")
)

// EdgeBehind is true of edges of an unmanaged type behind the one of $number.
func EdgeAfter() Fragment { return edgeAfter }

// EdgeBehindID is true of edges of a managed type behind the one with the id $after.
func EdgeAfterID(id Fragment) Fragment { return edgeAfterID.fill(Slots{"id": id}) }

// EdgeWithoutIDBehind is true of edges of a managed type behind the one without an id of its own of $number.
func EdgeWithoutIDAfter(id Fragment) Fragment { return edgeWithoutIDAfter.fill(Slots{"id": id}) }

// VisibleEdge is true of edges that are not internal.
var VisibleEdge = literal("NOT toLower(type(r)) STARTS WITH '_graphrest'" +
	" AND none(l IN labels(startNode(r)) + labels(endNode(r)) WHERE toLower(l) STARTS WITH '_graphrest')")

// And joins conditions that must all hold.
func And(conditions []Fragment) Fragment { return join(" AND ", conditions) }
