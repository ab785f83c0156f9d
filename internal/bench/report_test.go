package bench

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns a report of two operations in which the gateway has five times the throughput of the driver and ten times that of the
// Query API.
func sample() *Report {
	r := &Report{
		Commit: "abc", RoundCount: 1, Machine: Machine{Cores: 2, Neo4j: "5.26.30 <community>"}, Size: Size{ListDepth: 100_000},
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

func TestReportIsWrittenInEveryForm(t *testing.T) {
	r := sample()
	r.cell(NodeByID, 32, Gateway).AllCPU, r.cell(NodeByID, 32, Gateway).DatabaseCPU, r.cell(NodeByID, 32, Driver).AllCPU = 1.9, 0.4, 8

	text := r.Markdown()
	require.Contains(t, text, "| node by id | 5.0x | 10.0x | 5.0x | 10.0x |")
	require.NotContains(t, text, "NaN")
	require.NotContains(t, text, "%!")

	encoded, err := json.Marshal(r)
	require.NoError(t, err)
	var again Report
	require.NoError(t, json.Unmarshal(encoded, &again))
	require.Equal(t, r.cell(NodeByID, 32, Gateway).OpsPerSecond, again.cell(NodeByID, 32, Gateway).OpsPerSecond)
	require.True(t, math.IsNaN(float64(again.Cells[0].GatewayMiB)), "not measured stays not measured")
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
