package cypher

// NodesPerType looks nodes up by id with one search per label, for the ids in the list at the label's index in $ids.
func NodesPerType(labels []string, id Fragment) Fragment {
	return unionPerType(nodesOfOneType, labels, id)
}

// EdgesPerType is NodesPerType for relationships.
func EdgesPerType(types []string, id Fragment) Fragment {
	return unionPerType(edgesOfOneType, types, id)
}

var (
	nodesOfOneType = newTemplate("UNWIND $ids[{{position}}] AS q MATCH (n:{{type}} { {{id}}: q[1]}) RETURN q[0] AS i, n")
	edgesOfOneType = newTemplate("UNWIND $ids[{{position}}] AS q MATCH (a)-[r:{{type}} { {{id}}: q[1]}]->(b) RETURN q[0] AS i, a, r, b")
)

// SeekNode and SeekEdge find the entity of the variable row by its element id, in a statement that changes it.
var (
	SeekNode = literal("MATCH (n) WHERE elementId(n) = row.element")
	SeekEdge = literal("MATCH (a)-[r]->(b) WHERE elementId(r) = row.element")
)

// SeekNodePerType is SeekNode, which finds a row without an element id by its id, in the label whose position is row.type.
func SeekNodePerType(labels []string, id Fragment) Fragment {
	return seek.fill(Slots{"found": literal("n"), "by_element": SeekNode, "each": unionPerType(soughtNodesOfOneType, labels, id)})
}

// SeekEdgePerType is SeekNodePerType for relationships.
func SeekEdgePerType(types []string, id Fragment) Fragment {
	return seek.fill(Slots{"found": literal("a, r, b"), "by_element": SeekEdge, "each": unionPerType(soughtEdgesOfOneType, types, id)})
}

var (
	seek = newTemplate(`CALL (row) {
    {{by_element}}
    RETURN {{found}}
    UNION ALL
    {{each}}
  }`)
	soughtNodesOfOneType = newTemplate("WITH row WHERE row.type = {{position}} MATCH (n:{{type}} { {{id}}: row.id}) RETURN n")
	soughtEdgesOfOneType = newTemplate("WITH row WHERE row.type = {{position}} MATCH (a)-[r:{{type}} { {{id}}: row.id}]->(b) RETURN a, r, b")
)

func unionPerType(search template, names []string, id Fragment) Fragment {
	all := make([]Fragment, len(names))
	for i, name := range names {
		all[i] = search.fill(Slots{"position": number(i), "type": Quote(name), "id": id})
	}
	return join("\n  UNION ALL\n  ", all)
}
