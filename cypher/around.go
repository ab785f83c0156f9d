package cypher

import "strconv"

// The statements that look around a node.
var (
	Degree     = load("graph/degree")
	ExpandOut  = load("graph/expand_out")
	ExpandIn   = load("graph/expand_in")
	ExpandBoth = load("graph/expand_both")
	PathsOut   = load("graph/paths_out")
	PathsBoth  = load("graph/paths_both")
)

// Which shortest paths (Neo4j manual, "Shortest paths"): one of them, or all that are as short.
var (
	AnyShortest = Name{"ANY SHORTEST"}
	AllShortest = Name{"ALL SHORTEST"}
)

// Depth is the most relationships of a path, for which Cypher takes no parameter.
func Depth(n int) Name { return Name{strconv.Itoa(n)} }
