package cypher

// The statements that explore the graph around a node.
var (
	Degree     = load("graph/degree")
	Expand     = load("graph/expand")
	Paths      = load("graph/paths")
	EdgesAmong = load("graph/edges_among")

	// PathsVisible is Paths with the exclusion of internal data inside the search.
	PathsVisible = load("graph/paths_visible")
)

// Which shortest paths are returned: one of them, or all of the same length. These functions search from both ends, with predicates too;
// the quantified ANY SHORTEST expands from the first end only (Neo4j manual, "Shortest paths", planning).
var (
	AnyShortest = literal("shortestPath")
	AllShortest = literal("allShortestPaths")
)

// The end of a relationship pattern, after "]".
var (
	Undirected = literal("-")
	Directed   = literal("->")
)

// AnyEdge is the inside of a relationship pattern of any type, after the variable. The degree of a node is read only without a wildcard.
var AnyEdge = literal(" ")

var edgeOf = newTemplate(":{{type}}")

// EdgeOf is the inside of a relationship pattern of a quoted type, after the variable.
func EdgeOf(edgeType Fragment) Fragment { return edgeOf.fill(Slots{"type": edgeType}) }

var (
	anySteps   = newTemplate("*..{{depth}}")
	typedSteps = newTemplate(":{{type}}*..{{depth}}")
)

// Steps is the inside of a relationship pattern: up to depth relationships of a quoted type, or of Any. Cypher accepts no parameter for
// either, and no wildcard in a pattern of variable length. Types cannot be excluded here: that is a predicate on the relationships of the
// path, in each statement that has the slot steps.
func Steps(edgeType Fragment, depth int) Fragment {
	if edgeType == Any {
		return anySteps.fill(Slots{"depth": number(depth)})
	}
	return typedSteps.fill(Slots{"type": edgeType, "depth": number(depth)})
}

// Limit begins the LIMIT of a walk's relationships, which are returned as edge. For a user who sees every relationship the statement
// ends at the limit. The database's own order, and one by degree, depend on relationships that a limited view hides, so that those which
// the limit leaves out would reveal them: they are ordered first.
func Limit(limited bool) Fragment {
	if limited {
		return limitInOrder
	}
	return limit
}

var (
	limit        = literal("LIMIT")
	limitInOrder = literal("ORDER BY edge LIMIT")
)
