package cypher

import "slices"

var (
	countNodes   = newTemplate("COUNT { (:{{label}}) }")
	countAtNodes = newTemplate("COUNT { (:{{label}})-[{{type}}]->() } + COUNT { (:{{label}})<-[{{type}}]-() }")
	ofType       = newTemplate(":{{type}}")
)

// unorderedLabel is a second label of records of changes that have no position in the feed yet.
const unorderedLabel = "_GraphrestUnordered"

// PrimaryLabels are the gateway's own labels of which each of its nodes has exactly one.
func PrimaryLabels() []string {
	return slices.DeleteFunc(OwnLabels(), func(label string) bool { return label == unorderedLabel })
}

// CountNodesWith is an expression that counts, in the count store, the nodes with each of the labels; a node with two of them counts twice.
func CountNodesWith(labels []string) Fragment {
	counts := []Fragment{number(0)}
	for _, label := range labels {
		counts = append(counts, countNodes.fill(Slots{"label": Quote(label)}))
	}
	return join(" + ", counts)
}

// CountEdgesAt is an expression that counts, in the count store, the relationships of a type that begin or end at a node with one of the
// labels, of every type if it is empty; one between two such nodes counts twice.
func CountEdgesAt(labels []string, typ string) Fragment {
	counts := []Fragment{number(0)}
	for _, label := range labels {
		slots := Slots{"label": Quote(label), "type": literal(" ")}
		if typ != "" {
			slots["type"] = ofType.fill(Slots{"type": Quote(typ)})
		}
		counts = append(counts, countAtNodes.fill(slots))
	}
	return join(" + ", counts)
}
