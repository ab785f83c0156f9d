package bench

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"
)

// Number is a measured value. It is written with four significant digits, since more would be noise, and NaN, which
// means "not measured", as null.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(n), 'g', 4, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Round is the result of one turn of one target. Times of one request are milliseconds.
type Round struct {
	Operations   int    `json:"operations"`
	Errors       int    `json:"errors"`
	FirstError   string `json:"first_error,omitempty"`
	Seconds      Number `json:"seconds"`
	OpsPerSecond Number `json:"ops_per_second"`
	P50          Number `json:"p50_ms"`
	P99          Number `json:"p99_ms"`
	Max          Number `json:"max_ms"`
	GatewayCPU   Number `json:"gateway_cpu_seconds"`
	Neo4jCPU     Number `json:"neo4j_cpu_seconds"`
	ClientCPU    Number `json:"client_cpu_seconds"`
	GatewayMiB   Number `json:"gateway_rss_mib"`
}

// Cell is the result of one target for one operation with a number of clients: medians over the rounds.
type Cell struct {
	Operation    Operation `json:"operation"`
	Clients      int       `json:"clients"`
	Target       Target    `json:"target"`
	OpsPerSecond Number    `json:"ops_per_second"`
	P50          Number    `json:"p50_ms"`
	P99          Number    `json:"p99_ms"`
	// ServerCPU and DatabaseCPU are the processor time of the gateway, service or limit, and of Neo4j for one operation, in
	// milliseconds.
	ServerCPU   Number `json:"server_cpu_ms_per_op"`
	DatabaseCPU Number `json:"neo4j_cpu_ms_per_op"`
	// AllCPU is the processor time of client, gateway and database together for one operation, in milliseconds.
	AllCPU     Number  `json:"all_cpu_ms_per_op"`
	GatewayMiB Number  `json:"gateway_rss_mib"` // the largest
	Errors     int     `json:"errors"`
	Rounds     []Round `json:"rounds"`
}

func (c *Cell) summarize() {
	c.OpsPerSecond = c.median(func(r Round) Number { return r.OpsPerSecond })
	c.P50 = c.median(func(r Round) Number { return r.P50 })
	c.P99 = c.median(func(r Round) Number { return r.P99 })
	perOperation := func(of func(Round) Number) Number {
		return c.median(func(r Round) Number { return Number(1000 * Ratio(float64(of(r)), float64(r.Operations))) })
	}
	c.ServerCPU = perOperation(func(r Round) Number { return r.GatewayCPU })
	c.DatabaseCPU = perOperation(func(r Round) Number { return r.Neo4jCPU })
	c.AllCPU = c.median(func(r Round) Number {
		all := r.Neo4jCPU + r.ClientCPU
		if c.Target.isServer() {
			all += r.GatewayCPU
		}
		return Number(1000 * Ratio(float64(all), float64(r.Operations)))
	})
	c.GatewayMiB = Number(math.NaN())
	c.Errors = 0
	for _, r := range c.Rounds {
		c.Errors += r.Errors
		if !(c.GatewayMiB >= r.GatewayMiB) { // also when it is NaN
			c.GatewayMiB = r.GatewayMiB
		}
	}
}

func (c *Cell) median(of func(Round) Number) Number {
	values := make([]float64, len(c.Rounds))
	for i, r := range c.Rounds {
		values[i] = float64(of(r))
	}
	return Number(Median(values))
}

// Report is the complete result of one run of the benchmark.
type Report struct {
	Date         time.Time `json:"date"`
	Commit       string    `json:"commit"`
	Machine      Machine   `json:"machine"`
	Size         Size      `json:"size"`
	RoundCount   int       `json:"rounds"`
	RoundSeconds Number    `json:"round_seconds"`
	WarmUp       Number    `json:"warm_up_seconds"`
	HeapMB       int       `json:"neo4j_heap_mib"`
	PageCacheMB  int       `json:"neo4j_page_cache_mib"`
	Minutes      Number    `json:"minutes"`
	Cells        []*Cell   `json:"cells"`
}

// cell returns a cell, nil if it was not measured.
func (r *Report) cell(operation Operation, clients int, target Target) *Cell {
	for _, c := range r.Cells {
		if c.Operation == operation && c.Clients == clients && c.Target == target {
			return c
		}
	}
	return nil
}

// advantage returns the ratio of the gateway's operations per second to those of another target.
func (r *Report) advantage(operation Operation, clients int, over Target) float64 {
	a, b := r.cell(operation, clients, Gateway), r.cell(operation, clients, over)
	if a == nil || b == nil {
		return math.NaN()
	}
	return Ratio(float64(a.OpsPerSecond), float64(b.OpsPerSecond))
}

// clients lists the measured numbers of clients in ascending order.
func (r *Report) clients() []int {
	var counts []int
	for _, c := range r.Cells {
		counts = append(counts, c.Clients)
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// operations lists the measured operations.
func (r *Report) operations() []Operation {
	return slices.DeleteFunc(allOperations(), func(o Operation) bool {
		return !slices.ContainsFunc(r.Cells, func(c *Cell) bool { return c.Operation == o })
	})
}

// targets lists the measured targets.
func (r *Report) targets() []Target {
	return slices.DeleteFunc(Targets(), func(t Target) bool {
		return !slices.ContainsFunc(r.Cells, func(c *Cell) bool { return c.Target == t })
	})
}
