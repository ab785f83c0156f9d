package neo4jmatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/pattern"
	"graphrest/internal/typedjson"
)

// What a question that ran out of time answers: each part that is slow, and the index that would help.
func TestTimeoutsOfPatternsNameTheIndex(t *testing.T) {
	tree, f := typedjson.ParseTree("", `{"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33},"name":{"contains":"x"}}},
		{"hops":[1,3]},{"as":"b"}]],"sort":["a.name"],"offset":20}`)
	require.Nil(t, f)
	q, f := pattern.Parse("", tree, nil)
	require.Nil(t, f)
	messages := map[string]string{}
	for _, detail := range matchTimeoutDetails(q, bolt.PlanCost{Scanned: 1000, Sorts: true}, nil) {
		messages[detail.Field] = detail.Message
	}
	require.Contains(t, messages["match[0][0].filter.age"], "Person.age has no index")
	require.Contains(t, messages["match[0][0].filter.age"], "POST /api/admin/indexes")
	require.Contains(t, messages["match[0][0].filter.name"], "Person.name has no text index")
	require.Contains(t, messages["match[0][1].edge"], "name one")
	require.Contains(t, messages["match[0][1].hops"], "lower the second number")
	require.Contains(t, messages, "sort")
	require.Contains(t, messages, "offset")
}
