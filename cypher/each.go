package cypher

import (
	"fmt"
	"strings"
)

// EachNode looks nodes up by id, type by type: one search for each label, which takes the list at the label's place in $ids.
func EachNode(labels []string, id Name) Name {
	return each(labels, "MATCH (n:%s {%s: q[1]}) RETURN q[0] AS i, n", id)
}

// EachEdge is EachNode for relationships.
func EachEdge(types []string, id Name) Name {
	return each(types, "MATCH (a)-[r:%s {%s: q[1]}]->(b) RETURN q[0] AS i, a, r, b", id)
}

func each(names []string, search string, id Name) Name {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("UNWIND $ids[%d] AS q "+search, i, Quote(name).quoted, id.quoted)
	}
	return Name{strings.Join(all, "\n  UNION ALL\n  ")}
}
