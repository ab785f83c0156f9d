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

func unionPerType(search template, names []string, id Fragment) Fragment {
	all := make([]Fragment, len(names))
	for i, name := range names {
		all[i] = search.fill(Slots{"position": number(i), "type": Quote(name), "id": id})
	}
	return join("\n  UNION ALL\n  ", all)
}
