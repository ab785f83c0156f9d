package bolt_test

import (
	"context"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// An operator with two children shows both: the driver's own tree shows the last one twice.
func TestPlansHaveEveryChild(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, "EXPLAIN MATCH (a), (b:Person) RETURN a, b", nil)
	require.NoError(t, err)
	summary, err := result.Consume(ctx)
	require.NoError(t, err)

	plan, err := bolt.ReadPlan(summary.Plan())
	require.NoError(t, err)
	require.Equal(t, "ProduceResults", plan.Operator)
	product := plan.Children[0]
	require.Equal(t, "CartesianProduct", product.Operator)
	require.Len(t, product.Children, 2)
	leaves := map[string]string{}
	for _, child := range product.Children {
		leaves[child.Operator] = child.Details
	}
	require.Equal(t, map[string]string{"AllNodesScan": "a", "NodeByLabelScan": "b:Person"}, leaves)
	require.Positive(t, plan.Rows)
}
