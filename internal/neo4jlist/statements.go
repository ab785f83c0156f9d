package neo4jlist

import (
	"graphrest/cypher"
	"graphrest/internal/graph"
)

// listStatements are the statements of lists of one kind, and what differs in their slots.
type listStatements struct {
	scan, scanCount                         cypher.Statement // of several small types, or of a type whose matching entities are sorted
	few                                     cypher.Statement // counts what an index finds
	indexed, indexedCount, within, idsAfter cypher.Statement // by the id index of a managed type
	first, behind, window, onward, skip     cypher.Statement // in the database's own order
	total, totalAll, matchCount             cypher.Statement
	top, near, sorted, chosen               cypher.Statement
	topAll, sortedAll                       cypher.Statement // of several types

	anyType      cypher.Fragment
	listed       func(cypher.Listed, cypher.Fragment) cypher.Fragment
	countRecords func(labels []string, typ string) cypher.Fragment // fills the slot records of the totals
}

var listStatementsOf = map[graph.Kind]*listStatements{
	graph.NodeKind: {
		scan: cypher.ListNodesScan, scanCount: cypher.ListNodesScanCount, few: cypher.ListNodesFew,
		indexed: cypher.ListNodesIndexed, indexedCount: cypher.ListNodesIndexedCount, within: cypher.ListNodesWithin,
		idsAfter: cypher.ListNodesIDsBehind,
		first:    cypher.ListNodesFirst, behind: cypher.ListNodesBehind, window: cypher.ListNodesWindow, onward: cypher.ListNodesOnward,
		skip:  cypher.ListNodesSkip,
		total: cypher.ListNodesTotal, totalAll: cypher.ListNodesTotalAll, matchCount: cypher.ListNodesSoughtCount,
		top: cypher.ListNodesTop, near: cypher.ListNodesNear, sorted: cypher.ListNodesSorted, chosen: cypher.ListNodesChosen,
		topAll: cypher.ListNodesTopAll, sortedAll: cypher.ListNodesSortedAll,
		anyType: cypher.AnyOrNone, listed: cypher.Listed.Nodes,
		countRecords: func(labels []string, _ string) cypher.Fragment { return cypher.CountNodesWith(labels) },
	},
	graph.EdgeKind: {
		scan: cypher.ListEdgesScan, scanCount: cypher.ListEdgesScanCount, few: cypher.ListEdgesFew,
		indexed: cypher.ListEdgesIndexed, indexedCount: cypher.ListEdgesIndexedCount, within: cypher.ListEdgesWithin,
		idsAfter: cypher.ListEdgesIDsBehind,
		first:    cypher.ListEdgesFirst, behind: cypher.ListEdgesBehind, window: cypher.ListEdgesWindow, onward: cypher.ListEdgesOnward,
		skip:  cypher.ListEdgesSkip,
		total: cypher.ListEdgesTotal, totalAll: cypher.ListEdgesTotalAll, matchCount: cypher.ListEdgesScanCount,
		top: cypher.ListEdgesTop, near: cypher.ListEdgesNear, sorted: cypher.ListEdgesSorted, chosen: cypher.ListEdgesChosen,
		topAll: cypher.ListEdgesTop, sortedAll: cypher.ListEdgesSorted,
		anyType: cypher.Any, listed: cypher.Listed.Edges,
		countRecords: func(labels []string, typ string) cypher.Fragment {
			if typ == "" {
				return cypher.CountEdgesAt(labels)
			}
			return cypher.CountEdgesAt(labels, typ)
		},
	},
}
