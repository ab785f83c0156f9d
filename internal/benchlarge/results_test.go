package benchlarge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bench"
)

func TestCompareWithGoal(t *testing.T) {
	counted := Plan{Name: "count", DBHits: 1, Operators: []string{"NodeCountFromCountStore"}}
	selected := Plan{Name: "list_nodes_chosen", DBHits: 100, Operators: []string{"Sort", "NodeByElementIdSeek"}}
	sorted := Plan{Name: "sort", DBHits: 100, Operators: []string{"Top", "NodeByLabelScan"}}
	for name, test := range map[string]struct {
		goal    goal
		answer  Answer
		reached bool
	}{
		"ratio reached":                       {goal{Ratio: 1.5}, Answer{Gateway: 3, Ratio: 1.5}, true},
		"ratio missed":                        {goal{Ratio: 1.5}, Answer{Gateway: 3, Ratio: 1.51}, false},
		"no answer":                           {goal{Ratio: 1.5}, Answer{Gateway: notMeasured, Ratio: notMeasured, Failure: "504"}, false},
		"the Cypher gives no answer":          {goal{Ratio: 1.5}, Answer{Gateway: 3, Ratio: notMeasured, CypherFailure: "timeout"}, true},
		"versus another question":             {goal{Ratio: 1.2, Versus: "first"}, Answer{Gateway: 11}, true},
		"versus another question, missed":     {goal{Ratio: 1.2, Versus: "first"}, Answer{Gateway: 13}, false},
		"versus a question that was left out": {goal{Ratio: 1.2, Versus: "none"}, Answer{Gateway: 11}, false},
		"count store":                         {goal{Ratio: 2, CountStore: true}, Answer{Gateway: 1, Ratio: 1, Plans: []Plan{counted}}, true},
		"counts, but scans too":               {goal{CountStore: true}, Answer{Gateway: 1, Plans: []Plan{counted, {DBHits: 50_000}}}, false},
		"no count":                            {goal{CountStore: true}, Answer{Gateway: 1}, false},
		"sort":                                {goal{NoSort: true}, Answer{Gateway: 1, Plans: []Plan{counted, sorted}}, false},
		"sort of the selected entities":       {goal{NoSort: true}, Answer{Gateway: 1, Plans: []Plan{counted, selected}}, true},
		"no sort":                             {goal{NoSort: true}, Answer{Gateway: 1, Plans: []Plan{counted}}, true},
		"times":                               {goal{Milliseconds: 50, FirstMilliseconds: 1000}, Answer{Gateway: 50, GatewayFirst: 1000}, true},
		"first too slow":                      {goal{Milliseconds: 50, FirstMilliseconds: 1000}, Answer{Gateway: 50, GatewayFirst: 1001}, false},
		"first against the median":            {goal{FirstRatio: 3}, Answer{Gateway: 10, GatewayFirst: 31}, false},
	} {
		table := &Table{Answers: []Answer{{Question: "first", Gateway: 10}}}
		answer := test.answer
		table.compareWithGoal(question{Goal: test.goal}, &answer)
		require.Equal(t, test.reached, answer.Reached, name)
		require.NotEmpty(t, answer.Goal, name)
	}
}

// An answer may grow with the graph only if the question demands it, and then by a tenth more than the graph at most.
func TestGrowth(t *testing.T) {
	for name, test := range map[string]struct {
		before, after bench.Number
		scan, reached bool
	}{
		"as long":             {10, 13, false, true},
		"longer":              {10, 13.1, false, false},
		"below a millisecond": {1, 1.9, false, true},
		"a scan":              {10, 109, true, true},
		"a scan, longer":      {10, 111, true, false},
	} {
		_, reached := grows(&Answer{Gateway: test.before}, &Answer{Gateway: test.after, Scan: test.scan}, 10)
		require.Equal(t, test.reached, reached, name)
	}
}

// Each question has a unique name and a goal, and compares with a question that is asked before it.
func TestQuestions(t *testing.T) {
	asked := map[string]bool{}
	for _, q := range allQuestions() {
		require.False(t, asked[q.Name], q.Name)
		require.True(t, q.Goal != goal{} || q.As != "", q.Name)
		if q.Goal.Versus != "" {
			require.True(t, asked[q.Goal.Versus], "%s compares with %s", q.Name, q.Goal.Versus)
		}
		asked[q.Name] = true
	}
}
