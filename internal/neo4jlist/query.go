package neo4jlist

import (
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// listQuery is the query of a list of nodes or of edges, prepared for statements.
type listQuery struct {
	graph.EdgeQuery // of nodes: without ends
	kind            graph.Kind
	statements      *listStatements
	filter          Filter
	scope           []string // what determines which entities the query lists, and in which order
	fingerprint     uint32   // of the scope, in cursors
}

// newListQuery creates the query of a request. Its filter, and the sort that the user may see, are set afterwards: see listReader.read.
// Without the filter the query has no view, and would show everything.
func newListQuery(k graph.Kind, asked graph.EdgeQuery) *listQuery {
	q := &listQuery{EdgeQuery: asked, kind: k, statements: listStatementsOf[k]}
	q.scope = q.cursorScope()
	q.fingerprint = keyset.Fingerprint(q.scope...)
	return q
}

// isOfNode reports whether only the edges of some nodes are listed.
func (q *listQuery) isOfNode() bool {
	return q.SourceID != "" || q.TargetID != "" || q.NodeID != "" || q.Of != nil
}

// readsEnds reports whether a condition or a sort key is a property of an end.
func (q *listQuery) readsEnds() bool {
	return slices.ContainsFunc(q.Filter, func(c graph.Condition) bool { return c.Side != "" }) ||
		slices.ContainsFunc(q.Sort, func(key graph.SortKey) bool { return key.Side != "" })
}

func (q *listQuery) cursorScope() []string {
	conditions := graph.Fingerprint(q.Filter, q.Sort)
	if q.kind == graph.NodeKind {
		return []string{"nodes", string(q.Type), conditions}
	}
	of := graph.Around{}
	if q.Of != nil {
		of = *q.Of
	}
	return []string{"edges", string(q.Type), q.SourceID, q.TargetID, q.NodeID, of.NodeID, string(of.Direction), conditions}
}

// namesOf are the names in use that a list of all types depends on. A node that the user sees may be listed under a label that the user
// does not see: all labels matter.
func (q *listQuery) namesOf(e *neo4jentity.Exclusion) []string {
	if q.kind == graph.NodeKind {
		return e.LabelsInUse
	}
	return q.filter.View.NamesOf(e.TypesInUse)
}
