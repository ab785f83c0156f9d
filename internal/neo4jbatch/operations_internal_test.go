package neo4jbatch

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// indicesOf are the indices of the operations of each group.
func indicesOf(groups []*operationGroup) (all [][]int) {
	for _, g := range groups {
		var indices []int
		for _, o := range g.operations {
			indices = append(indices, o.index)
		}
		all = append(all, indices)
	}
	return all
}

func createNode(ref string) graph.Operation {
	return graph.Operation{Op: graph.OpCreateNode, Ref: ref, Type: "Person"}
}

func createEdge(source, target string) graph.Operation {
	return graph.Operation{
		Op: graph.OpCreateEdge, Type: "KNOWS", Source: graph.EntityRef{Ref: source}, Target: graph.EntityRef{Ref: target},
	}
}

// TestNewNodesAreCreatedBeforeTheEdgesBetweenThem: a list that alternates between nodes and edges needs two statements.
func TestNewNodesAreCreatedBeforeTheEdgesBetweenThem(t *testing.T) {
	all := newOperationList([]graph.Operation{
		createNode("a"), createNode("b"), createEdge("a", "b"), createNode("c"), createEdge("b", "c"),
	})
	grouper := &operationGrouper{all: all, seesAll: true, alone: map[int]bool{}}
	groups, moved := grouper.groups()
	require.Equal(t, [][]int{{0, 1, 3}, {2, 4}}, indicesOf(groups))
	require.True(t, moved)

	grouper.inOrder = true
	groups, moved = grouper.groups()
	require.Equal(t, [][]int{{0, 1}, {2}, {3}, {4}}, indicesOf(groups))
	require.False(t, moved)
}

// TestAnOperationThatFailedWithOthersRunsAlone: so that the one at fault is found.
func TestAnOperationThatFailedWithOthersRunsAlone(t *testing.T) {
	all := newOperationList([]graph.Operation{createNode("a"), createNode("b"), createNode("c")})
	grouper := &operationGrouper{all: all, seesAll: true, alone: map[int]bool{1: true}}
	groups, _ := grouper.groups()
	require.Equal(t, [][]int{{0}, {1}, {2}}, indicesOf(groups))
}

// TestTheFaultOfABatchNamesTheOperation: but not if the database is at fault.
func TestTheFaultOfABatchNamesTheOperation(t *testing.T) {
	all := newOperationList([]graph.Operation{createNode("a"), createNode("b")})
	f := fault.As(all.operationFault(1, fault.Invalid("type", "is unknown")))
	require.Equal(t, []fault.Detail{{Field: "operations[1].type", Message: "is unknown"}}, f.Details)
	f = fault.As(all.operationFault(1, fault.Wrap(errors.New("down"), fault.DatabaseUnavailable, "unavailable")))
	require.Empty(t, f.Details)
}
