package neo4jbulk

import (
	"cmp"
	"strconv"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// earlierLines remembers what the lines of an import that are done have created or found.
type earlierLines struct {
	refs *bulkRefs
	// created are the elements that this import has created. If an entity was deleted since a graph was exported from this same database, a
	// new entity may get its element id: a line that refers to that element id does not mean the new entity.
	created map[graph.Kind]elementSet
	// assumed holds, for each node that an import which writes nothing would have created, whether the user sees it; the numbers of their
	// invented element ids begin at firstAssumed.
	assumed []bool
}

func newEarlierLines() *earlierLines {
	return &earlierLines{refs: newBulkRefs(), created: map[graph.Kind]elementSet{graph.NodeKind: {}, graph.EdgeKind: {}}}
}

// firstAssumed is greater than the number of any node in a database.
const firstAssumed = 1 << 62

// lookUpEnd returns a node that an earlier line has created or found.
func (el *earlierLines) lookUpEnd(end graph.BulkEnd, before int64) (neo4jentity.Reference, bool) {
	key := el.refs.idKey(end.ID)
	if end.Ref != "" {
		key = el.refs.refKey(end.Ref)
	}
	at, line, known := el.refs.get(key)
	if !known || line > before {
		return neo4jentity.Reference{}, false
	}
	return at, true
}

// rememberNode makes a node known to the following lines.
func (el *earlierLines) rememberNode(it *importLine, at neo4jentity.Reference) {
	if it.line.Node.Ref != "" {
		el.refs.put(el.refs.refKey(it.line.Node.Ref), at, it.line.Number)
	}
	if it.id != "" {
		el.refs.put(el.refs.idKey(it.id), at, it.line.Number)
	}
}

// isAssumed reports whether an element id is that of a node which the import would have created, and whether the user would see it.
func (el *earlierLines) isAssumed(elementID string) (seen, isAssumed bool) {
	number, err := keyset.NumberOf(elementID)
	if err != nil || number < firstAssumed {
		return false, false
	}
	return el.assumed[number-firstAssumed], true
}

// assumeNode treats a line as if it had created its node, which the user sees or not.
func (el *earlierLines) assumeNode(it *importLine, seen bool) {
	number := uint64(firstAssumed + len(el.assumed))
	el.assumed = append(el.assumed, seen)
	el.rememberNode(it, neo4jentity.Reference{ElementID: cmp.Or(el.refs.prefix, "4:assumed:") + strconv.FormatUint(number, 10)})
}
