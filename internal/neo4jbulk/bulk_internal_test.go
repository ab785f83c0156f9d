package neo4jbulk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

func nodeLine(number int64, ref, id string) *importLine {
	node := &graph.BulkNode{ID: id, Ref: ref, Labels: []graph.TypeName{"Person"}}
	return &importLine{
		line: graph.BulkLine{Number: number, Node: node}, id: id, types: []string{"Person"}, result: &graph.BulkResult{},
	}
}

// TestEdgesOfAnImportMeanNodesOfEarlierLines: a ref or an id of a later line is not known yet.
func TestEdgesOfAnImportMeanNodesOfEarlierLines(t *testing.T) {
	earlier := newEarlierLines()
	node := neo4jentity.Reference{ElementID: somePrefix + "7", Own: "ann"}
	earlier.rememberNode(nodeLine(5, "a", "ann"), node)

	for _, end := range []graph.BulkEnd{{Ref: "a"}, {ID: "ann"}} {
		at, known := earlier.lookUpEnd(end, 6)
		require.True(t, known)
		require.Equal(t, node, at)
		_, known = earlier.lookUpEnd(end, 4)
		require.False(t, known)
	}
	_, known := earlier.lookUpEnd(graph.BulkEnd{Ref: "ann"}, 6)
	require.False(t, known, "refs and ids are apart")
}

// TestAssumedNodesAreSeenAsTheyWereAssumed: a check of an import treats its nodes as created, and answers for the user whether an edge
// may be made to each.
func TestAssumedNodesAreSeenAsTheyWereAssumed(t *testing.T) {
	earlier := newEarlierLines()
	earlier.assumeNode(nodeLine(1, "seen", ""), true)
	earlier.assumeNode(nodeLine(2, "hidden", ""), false)

	for ref, expected := range map[string]bool{"seen": true, "hidden": false} {
		at, known := earlier.lookUpEnd(graph.BulkEnd{Ref: ref}, 3)
		require.True(t, known)
		seen, assumed := earlier.isAssumed(at.ElementID)
		require.True(t, assumed)
		require.Equal(t, expected, seen, ref)
	}
	_, assumed := earlier.isAssumed(somePrefix + "7")
	require.False(t, assumed)
}

// TestLineCheckerRefusesRefsThatAreTaken: and names the line that has it.
func TestLineCheckerRefusesRefsThatAreTaken(t *testing.T) {
	earlier := newEarlierLines()
	earlier.rememberNode(nodeLine(5, "a", ""), neo4jentity.Reference{ElementID: somePrefix + "7"})
	checks := &lineChecker{importCore: &importCore{Bulk: &Bulk{config: &neo4jentity.Config{}}, checkOnly: true, earlier: earlier}}

	require.NoError(t, checks.validateLine(t.Context(), graph.NodeKind, nodeLine(6, "b", ""), true, nil))
	err := checks.validateLine(t.Context(), graph.NodeKind, nodeLine(6, "a", ""), true, nil)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Equal(t, []fault.Detail{{Field: "ref", Message: "is used by line 5 already"}}, fault.As(err).Details)
}

// TestMergesWhoseTransactionDoesNotBeginFail: each line has the fault, although none was read.
func TestMergesWhoseTransactionDoesNotBeginFail(t *testing.T) {
	core := neo4jentitytest.Open(t, neo4jtest.OpenPrepared(t))
	_, err := core.Catalog.Get(t.Context())
	require.NoError(t, err)
	merger := &lineMerger{importCore: &importCore{Bulk: New(core)}}
	require.NoError(t, core.Client.Close(t.Context()))
	results, err := merger.mergeJudged(t.Context(), graph.NodeKind, []*importLine{nodeLine(1, "", "ann"), nodeLine(2, "", "ben")},
		map[string]*neo4jentity.Record{"ann": {ElementID: somePrefix + "7"}, "ben": {ElementID: somePrefix + "8"}})
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.Error(t, results[0].Err)
	require.Error(t, results[1].Err)
}
