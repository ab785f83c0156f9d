package neo4jstore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
)

// A diff looks up the values that its operations claim in few statements, however many claims there are.
func TestManyClaimsAreLookedUpTogether(t *testing.T) {
	sent := &sentStatements{}
	s := openChangeSets(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	declare(t, s.Store, graph.Declaration{
		Kind: graph.NodeKind, Type: "Account", Level: graph.LevelStrict, Schema: `{}`, Unique: [][]string{{"mail"}, {"first", "last"}},
	})
	for _, p := range []graph.Properties{
		{"mail": "m7", "first": "f1", "last": "l2"},                // the names of two claims, but of none together
		{"mail": 250.0, "first": "f8", "last": "l8"},               // equal to an integer
		{"mail": int64(1<<53 + 1), "first": "other", "last": "l9"}, // which no index may find by equality
	} {
		_, err := s.CreateNode(as(t, "fill"), graph.NewNode{Type: "Account", Properties: p})
		require.NoError(t, err)
	}
	operations := make([]graph.Operation, 300)
	for i := range operations {
		operations[i] = account(graph.Properties{"mail": fmt.Sprintf("m%d", i), "first": fmt.Sprintf("f%d", i), "last": fmt.Sprintf("l%d", i)})
	}
	operations[50].Properties["mail"], operations[60].Properties["mail"] = int64(250), int64(1<<53+1)
	sent.take()
	diff, err := s.c.Diff(as(t, "diff"), changeset.Set{Author: ada}, ada, operations)
	require.NoError(t, err)
	var fields []string
	for _, v := range diff.Violations {
		fields = append(fields, v.Detail.Field)
	}
	require.Equal(t, []string{
		"operations[7].properties.mail", "operations[8].properties.first", "operations[50].properties.mail", "operations[60].properties.mail",
	}, fields)
	require.Less(t, len(sent.take()), 60)
}
