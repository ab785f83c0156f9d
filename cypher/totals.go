package cypher

import "slices"

// EdgesAtInternal reports what edges there are at internal nodes.
var EdgesAtInternal = load("graph/edges_at_internal")

var (
	countNodes   = newTemplate("COUNT { (:{{label}}) }")
	countAtNodes = newTemplate("COUNT { (:{{label}})-[{{type}}]->() } + COUNT { (:{{label}})<-[{{type}}]-() }")
	ofType       = newTemplate(":{{type}}")
	difference   = newTemplate("{{all}} - ({{some}})")
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

// CountEdgesAt is an expression that counts, in the count store, the relationships of some types that begin or end at a node with one of
// the labels, of every type if none is given; one between two such nodes counts twice.
func CountEdgesAt(labels []string, types ...string) Fragment {
	ofTypes := literal(" ")
	if len(types) > 0 {
		ofTypes = ofType.fill(Slots{"type": QuoteAny(types)})
	}
	counts := []Fragment{number(0)}
	for _, label := range labels {
		counts = append(counts, countAtNodes.fill(Slots{"label": Quote(label), "type": ofTypes}))
	}
	return join(" + ", counts)
}

// CountVisibleEdgesAt is CountEdgesAt for edges of all types but the internal ones.
func CountVisibleEdgesAt(labels, internalTypes []string) Fragment {
	if len(internalTypes) == 0 {
		return CountEdgesAt(labels)
	}
	return difference.fill(Slots{"all": CountEdgesAt(labels), "some": CountEdgesAt(labels, internalTypes...)})
}
