package bench

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns a report of two operations in which the gateway has five times the throughput of the driver and ten times that of the
// Query API.
func sample() *Report {
	r := &Report{
		Commit: "abc", RoundCount: 1, Machine: Machine{Cores: 2, Neo4j: "5.26.30 <community>"}, Size: Size{ListDepth: 100_000},
		TypeScaling: []TypeStep{{Types: 1, First: 100, Again: 100}, {Types: 200, First: 50, Again: 90}},
		NewTypes:    []NewType{{Request: "with a goal", Times: 5, Longest: 251, HasGoal: true}, {Request: "reported", Times: 5, Longest: 999}},
	}
	for _, operation := range []Operation{NodeByID, ListFirst} {
		for _, clients := range []int{1, 32} {
			for target, speed := range map[Target]Number{Gateway: 1000, Driver: 200, QueryAPI: 100, Uncoalesced: 250} {
				r.Cells = append(r.Cells, &Cell{
					Operation: operation, Clients: clients, Target: target, OpsPerSecond: speed, P50: 1000 / speed, P99: 5000 / speed,
					GatewayMiB: Number(math.NaN()),
				})
			}
		}
	}
	return r
}

func TestGoals(t *testing.T) {
	r := sample()
	verdicts := map[string]bool{}
	for _, g := range assessGoals(r) {
		verdicts[g.Goal] = g.Reached
	}
	require.Equal(t, map[string]bool{
		"node by id, 32 clients: throughput against the driver's ExecuteQuery":                           true,
		"node by id, 32 clients: throughput against the Query API":                                       true,
		"node by id, 1 client: p50 against the driver's ExecuteQuery":                                    true,
		"list 100, first page, 1 client: p50 against the driver's ExecuteQuery":                          true,
		"node by id, 32 clients: throughput with 200 types against 1 type":                               true,
		"node by id, 32 clients, each node for the first time: throughput with 200 types against 1 type": false,
		"first request after a new type: with a goal, longest of 5":                                      false,
		"node by id, 1 client: p99 against the gateway without coalescing":                               true,
		"node by id, 32 clients: p99 against the gateway without coalescing":                             true,
		"list 100, first page, 1 client: p99 against the gateway without coalescing":                     true,
		"list 100, first page, 32 clients: p99 against the gateway without coalescing":                   true,
	}, verdicts, "what was not measured is no goal")

	r.cell(NodeByID, 32, Gateway).OpsPerSecond = 799 // less than 5 times the driver, less than 8 times the Query API
	r.cell(NodeByID, 1, Gateway).P50 = r.cell(NodeByID, 1, Driver).P50 * 1.26
	r.cell(NodeByID, 32, Gateway).P99 = r.cell(NodeByID, 32, Uncoalesced).P99 * 1.2
	for _, g := range assessGoals(r) {
		if strings.HasPrefix(g.Goal, "node by id") && !strings.Contains(g.Goal, "types against") && !strings.Contains(g.Goal, "1 client: p99") {
			require.False(t, g.Reached, g.Goal)
		}
	}
}

func TestReportIsWrittenInEveryForm(t *testing.T) {
	r := sample()
	r.Goals = assessGoals(r)
	r.cell(NodeByID, 32, Gateway).AllCPU, r.cell(NodeByID, 32, Gateway).DatabaseCPU, r.cell(NodeByID, 32, Driver).AllCPU = 1.9, 0.4, 8
	r.Cells = append(r.Cells, &Cell{Operation: NodeByID, Clients: 32, Target: Limit, OpsPerSecond: 9000, AllCPU: 0.25})

	text := r.Markdown("latest.svg")
	require.Contains(t, text, "| node by id | – | 5.0x | 10.0x | – | 5.0x | 10.0x |")
	require.Contains(t, text, "| node by id | 32 clients | 5.0x | 2000 | 250 | 1750 | 1650 | 400 | 8000 |",
		"2 cores serve 5 times 200 operations a second")
	require.Contains(t, text, "**missed**")
	require.NotContains(t, text, "NaN")
	require.NotContains(t, text, "%!")

	encoded, err := json.Marshal(r)
	require.NoError(t, err)
	var again Report
	require.NoError(t, json.Unmarshal(encoded, &again))
	require.Equal(t, r.cell(NodeByID, 32, Gateway).OpsPerSecond, again.cell(NodeByID, 32, Gateway).OpsPerSecond)
	require.True(t, math.IsNaN(float64(again.Cells[0].GatewayMiB)), "not measured stays not measured")

	decoder := xml.NewDecoder(strings.NewReader(r.Plot()))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	require.NotContains(t, r.Plot(), "NaN")
	require.Contains(t, r.Plot(), "5.26.30 &lt;community&gt;")
}

func TestParseStat(t *testing.T) {
	for _, row := range []struct {
		name, stat string
		want       float64
	}{
		{"a plain name", "42 (java) S 1 42 42 0 -1 4194304 1 2 3 4 250 50 7 8 20 0 30 0 100", 3},
		{"a name with spaces and parentheses", "42 (a) b (c) R 1 42 42 0 -1 4194304 1 2 3 4 10 5 7 8 20 0", 0.15},
		{"cut short", "42 (java) S 1 42", math.NaN()},
	} {
		t.Run(row.name, func(t *testing.T) { same(t, row.want, parseStat([]byte(row.stat))) })
	}
}
