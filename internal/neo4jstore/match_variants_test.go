package neo4jstore_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/answer"
	"graphrest/internal/pattern"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// varyQuestion draws other literals, ids and limits of a question, of the same types: its statement stays the same.
func varyQuestion(r *rapid.T, question object, ids []string) {
	for _, part := range []string{"match", "without"} {
		chains, _ := question[part].([]any)
		for _, chain := range chains {
			for _, member := range chain.([]any) {
				member := member.(object)
				switch member["id"].(type) {
				case string:
					member["id"] = rapid.SampledFrom(ids).Draw(r, "id")
				case []string:
					member["id"] = rapid.SliceOfN(rapid.SampledFrom(ids), 1, 8).Draw(r, "ids")
				}
				varyFilter(r, member)
			}
		}
	}
	question["limit"] = rapid.SampledFrom([]int{7, 50, 1000}).Draw(r, "limit")
}

func varyFilter(r *rapid.T, member object) {
	filter, _ := member["filter"].(object)
	varied := object{}
	for property, operators := range filter {
		varied[property] = object{}
		for operator, literal := range operators.(object) {
			varied[property].(object)[operator] = otherLiteral(r, literal)
		}
	}
	if len(varied) > 0 {
		member["filter"] = varied
	}
}

// varyRole draws other literals of the conditions of a role.
func varyRole(r *rapid.T, role *rules.Role) {
	if role == nil {
		return
	}
	for _, g := range role.Grants {
		for i := range g.Where {
			if c := &g.Where[i]; c.User == "" && g.Type != "Unused" { // see drawManyConditions
				c.Value = otherLiteral(r, c.Value)
			}
		}
	}
}

// otherLiteral draws a literal of the type of one.
func otherLiteral(r *rapid.T, literal any) any {
	switch literal := literal.(type) {
	case int, int64:
		return rapid.Int64Range(0, 4).Draw(r, "integer")
	case json.Number:
		return rapid.SampledFrom([]json.Number{"0.0", "1.0", "1.5", "2.0"}).Draw(r, "float")
	case float64:
		return rapid.SampledFrom([]float64{0, 1, 1.5, 2, 3}).Draw(r, "float")
	case string:
		return rapid.SampledFrom([]string{"ann", "bob", "cid", "a", "b", "1", "p1", "R1", "x"}).Draw(r, "text")
	case bool:
		return literal
	case []any:
		others := make([]any, len(literal))
		for i, each := range literal {
			others[i] = otherLiteral(r, each)
		}
		return others
	}
	panic(fmt.Sprintf("a literal of type %T", literal))
}

func TestQuestionsThatNothingMeetsReadNothing(t *testing.T) {
	vg := newViewedGraph(t)
	for _, text := range []string{
		`{"match":[[{"as":"a","type":"Person"},{"edge":"UNUSED"},{"as":"b"}]],"sort":["a.name"]}`,
		`{"match":[[{"as":"a","type":"Person"},{"edge":"KNOWS","hops":[1,3]},{"as":"b","type":"Unused"}],[{"as":"b"},{"edge":"ROAD"},{}]],
			"measures":[{"op":"count"}]}`,
	} {
		cypher, hits := vg.profileMatch(t, text)
		require.Zero(t, hits, cypher)
	}
}

// TestNodesOfSeveralIDsAreSought: the statement is the same for other ids, and reads in proportion to them.
func TestNodesOfSeveralIDsAreSought(t *testing.T) {
	vg := newViewedGraph(t)
	ids := sortedIDs(vg.nodes)
	ask := func(ids []string) (cypher string, hits int64) {
		list, err := json.Marshal(ids)
		require.NoError(t, err)
		return vg.profileMatch(t, `{"match":[[{"as":"a","id":`+string(list)+`}]]}`)
	}
	few, hits := ask(ids[:2])
	require.NotContains(t, few, ids[0])
	require.Positive(t, hits)
	more, hitsOfMore := ask(ids[:20])
	require.Equal(t, few, more)
	require.LessOrEqual(t, hitsOfMore, 10*hits)
	none, hitsOfNone := ask([]string{"no such node"})
	require.Equal(t, few, none)
	require.Zero(t, hitsOfNone)
}

// profileMatch runs the statement of a question as somebody who sees everything.
func (vg *viewedGraph) profileMatch(t *testing.T, text string) (cypher string, hits int64) {
	t.Helper()
	tree, f := typedjson.ParseTree("", text)
	require.Nil(t, f)
	q, f := pattern.Parse("", tree, nil)
	require.Nil(t, f)
	explained, err := vg.store.Matches.ExplainMatch(t.Context(), q)
	require.NoError(t, err)
	result, err := neo4j.ExecuteQuery(t.Context(), vg.db.Driver, "PROFILE "+explained.Cypher, driverParameters(explained.Parameters),
		neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase(vg.db.Database))
	require.NoError(t, err, explained.Cypher)
	return explained.Cypher, hitsOf(result.Summary.Profile())
}

func driverParameters(of map[string]answer.Cell) map[string]any {
	parameters := map[string]any{}
	for name, value := range of {
		parameters[name] = value
		if m, isMap := value.(answer.Map); isMap {
			parameters[name] = driverParameters(m)
		}
	}
	return parameters
}

func hitsOf(plan neo4j.ProfiledPlan) int64 {
	hits := plan.DbHits()
	for _, child := range plan.Children() {
		hits += hitsOf(child)
	}
	return hits
}
