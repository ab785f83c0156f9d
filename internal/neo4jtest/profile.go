package neo4jtest

import (
	"context"
	"regexp"
	"strconv"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
)

var hitsPattern = regexp.MustCompile(`Total database accesses: (\d+)`)

// Profile runs a statement and returns its db hits and the number of rows; a list of rows in one column counts by its length.
func Profile(t testing.TB, db *DB, text string, params map[string]any) (hits int64, found int) {
	t.Helper()
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, "PROFILE "+text, params)
	require.NoError(t, err, text)
	for result.Next(ctx) {
		found++
		if list, isList := result.Record().Values[0].([]any); isList && len(result.Record().Values) == 1 {
			found += len(list) - 1
		}
	}
	require.NoError(t, result.Err(), text)
	summary, err := result.Consume(ctx)
	require.NoError(t, err, text)
	plan, _ := summary.Profile().Arguments()["string-representation"].(string)
	total := hitsPattern.FindStringSubmatch(plan)
	require.NotNil(t, total, plan)
	hits, err = strconv.ParseInt(total[1], 10, 64)
	require.NoError(t, err)
	return hits, found
}

// Plan is the text of a statement's plan.
func Plan(t testing.TB, db *DB, text string, params map[string]any) string {
	t.Helper()
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, "EXPLAIN "+text, params)
	require.NoError(t, err, text)
	summary, err := result.Consume(ctx)
	require.NoError(t, err, text)
	plan, _ := summary.Plan().Arguments()["string-representation"].(string)
	return plan
}
