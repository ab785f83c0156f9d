package bench

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns a report of two operations in which the gateway has five times the throughput of the driver, eight times that of the
// service, ten times that of the Query API and a quarter of the limit's.
func sample() *Report {
	r := &Report{
		Commit: "abc", RoundCount: 1, Machine: Machine{Cores: 2, Neo4j: "5.26.30"}, Size: Size{ListDepth: 100_000},
	}
	for _, operation := range []Operation{NodeByID, ListFirst} {
		for _, clients := range []int{1, 32} {
			for target, speed := range map[Target]Number{
				Gateway: 1000, Service: 125, Driver: 200, QueryAPI: 100, Uncoalesced: 250, Limit: 4000,
			} {
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
	require.Contains(t, text, "| node by id | 1000 | 8.0x | 10.0x | 25 % | 1 ms | 8 ms |", "the first page")
	require.Contains(t, text, "| node by id | 8.0x | 5.0x | 10.0x | 8.0x | 5.0x | 10.0x |")
	require.NotContains(t, text, "NaN")
	require.NotContains(t, text, "%!")

	picture := r.Picture()
	require.NoError(t, xml.Unmarshal([]byte(picture), new(struct{})))
	require.Contains(t, picture, ">25 %</text>")
	require.Contains(t, picture, ">3 %</text>")
	require.NotContains(t, picture, "NaN")

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
