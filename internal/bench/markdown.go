package bench

import (
	"fmt"
	"math"
	"strings"
)

// Markdown returns the report for people.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmark\n\nWritten by `graphrest-bench`; do not edit. Commit `%s`, %s, %s minutes.\n\n", r.Commit,
		r.Date.Format("2006-01-02 15:04 MST"), Short(r.Minutes))
	r.writeFigures(&b)
	r.writeSetting(&b)
	r.writeRatios(&b)
	r.writeCells(&b)
	return b.String()
}

func (r *Report) writeSetting(b *strings.Builder) {
	m := r.Machine
	fmt.Fprintf(b, "## What was measured\n\n")
	cpu := m.CPU
	if cpu != "" {
		cpu = " (" + cpu + ")"
	}
	fmt.Fprintf(b, "One machine with %d cores%s and %s of memory, %s, shared by the clients, the gateway and the database. Neo4j %s on "+
		"Java %s", m.Cores, cpu, m.Memory, m.System, m.Neo4j, m.Java)
	if r.HeapMB > 0 {
		fmt.Fprintf(b, " with %d MiB of heap and %d MiB of page cache", r.HeapMB, r.PageCacheMB)
	}
	fmt.Fprintf(b, "; gateway and clients built with Go %s.", m.Go)
	fmt.Fprintf(b, "\n\nThe graph: %d nodes of %d types, %d edges of %d types, and %d nodes of one more type for the lists, whose deep page "+
		"lies at depth %d.\n\n",
		r.Size.Nodes, r.Size.NodeTypes, r.Size.Edges, r.Size.EdgeTypes, r.Size.ListNodes, r.Size.ListDepth)
	fmt.Fprintf(b, `- **gateway**: HTTP with keep-alive, a bearer token checked and a rate limit counted on every request, JSON both ways.
- **service**: what a team would write by hand instead: gin, a bearer token checked and a rate limit counted in memory on every request,
  one `+"`neo4j.ExecuteQuery`"+` for each with the Cypher of its type, the same JSON. No audit, no history, no validation.
- **Query API**: Neo4j's own HTTP interface (v2) with basic authentication and keep-alive, the equivalent Cypher.
- **driver**: the Go driver's `+"`neo4j.ExecuteQuery`"+`, one call for each operation, the database named, reads routed as `+
		`reads; the same Cypher.
- **gateway uncoalesced**: the gateway with `+"`GRAPHREST_COALESCE=off`"+`.
- **gateway, no history**: the gateway with `+"`GRAPHREST_HISTORY=off`"+`; the audit is on in all of them.
- **limit**: a server of net/http that answers the bytes of the gateway's answers and does nothing else: what HTTP itself costs.

Clients ask one request after another, read every answer to its end and check it. In each cell
all of them warm up for %s s and then take turns, %d rounds of %s s each, in another order every round; the numbers are
medians over the rounds, times are per request. The rows "first read" come before all others: each node or edge
read once, after a run-in with the mix, so that the gateway's cache of ids helps none of them.

`, Short(r.WarmUp), r.RoundCount, Short(r.RoundSeconds))
}

func (r *Report) writeRatios(b *strings.Builder) {
	fmt.Fprintf(b, "## Ratios\n\nThroughput of the gateway against a service, the driver and the Query API.\n\n| operation |")
	for _, clients := range r.clients() {
		fmt.Fprintf(b, " %d: service | driver | Query API |", clients)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|--:|--:|", len(r.clients())) + "\n")
	for _, operation := range r.operations() {
		fmt.Fprintf(b, "| %s |", operation)
		for _, clients := range r.clients() {
			for _, target := range []Target{Service, Driver, QueryAPI} {
				fmt.Fprintf(b, " %s |", formatRatio(r.advantage(operation, clients, target)))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func (r *Report) writeCells(b *strings.Builder) {
	for _, clients := range r.clients() {
		fmt.Fprintf(b, "## %s\n\n| operation | target | operations/s | p50 ms | p99 ms | CPU ms per operation: server | "+
			"Neo4j | all processes "+
			"| server MiB | errors |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", countOfClients(clients))
		for _, operation := range r.operations() {
			for _, target := range r.targets() {
				c := r.cell(operation, clients, target)
				if c == nil {
					continue
				}
				fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |\n", operation, target,
					Short(c.OpsPerSecond), Short(c.P50), Short(c.P99), Short(c.ServerCPU), Short(c.DatabaseCPU), Short(c.AllCPU),
					Short(c.GatewayMiB), c.Errors)
			}
		}
		b.WriteString("\n")
	}
}

// Short writes a number with about three digits.
func Short(n Number) string {
	v := float64(n)
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case size >= 10_000:
		return fmt.Sprintf("%.0f", math.Round(v/100)*100)
	case size >= 100:
		return fmt.Sprintf("%.0f", v)
	case v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case size >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

func formatRatio(ratio float64) string {
	if math.IsNaN(ratio) {
		return "–"
	}
	return fmt.Sprintf("%.1fx", ratio)
}

func countOfClients(count int) string {
	if count == 1 {
		return "1 client"
	}
	return fmt.Sprintf("%d clients", count)
}
