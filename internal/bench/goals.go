package bench

import (
	"fmt"
	"math"
)

// Goal is one value that the gateway should reach, usually a ratio.
type Goal struct {
	Goal     string `json:"goal"`
	Wanted   Number `json:"wanted"`
	AtMost   bool   `json:"at_most"` // otherwise at least
	Measured Number `json:"measured"`
	Unit     string `json:"unit"` // x, ms or MiB
	Reached  bool   `json:"reached"`
}

// noise is the ratio by which two equal targets may differ in a measurement of 99th percentiles.
const noise = 1.10

type goalList struct{ goals []Goal }

func (l *goalList) atLeast(measured, wanted float64, format string, args ...any) {
	l.add(Goal{Goal: fmt.Sprintf(format, args...), Wanted: Number(wanted), Measured: Number(measured), Unit: "x", Reached: measured >= wanted})
}

func (l *goalList) atMost(measured, wanted float64, unit, format string, args ...any) {
	l.add(Goal{
		Goal: fmt.Sprintf(format, args...), Wanted: Number(wanted), AtMost: true, Measured: Number(measured), Unit: unit,
		Reached: measured <= wanted,
	})
}

// add leaves out what was not measured.
func (l *goalList) add(g Goal) {
	if !math.IsNaN(float64(g.Measured)) {
		l.goals = append(l.goals, g)
	}
}

// assessGoals returns the goals of a report and whether it reaches them.
func assessGoals(r *Report) []Goal {
	var l goalList
	throughputGoals(&l, r)
	for _, operation := range Operations() {
		p50 := func(c *Cell) Number { return c.P50 }
		own := r.cell(operation, 1, Gateway)
		l.atMost(compare(own, r.cell(operation, 1, Service), p50), 1, "x", "%s, 1 client: p50 against a service", operation)
		l.atMost(compare(own, r.cell(operation, 1, Driver), p50), 1.25, "x", "%s, 1 client: p50 against the driver's ExecuteQuery", operation)
	}
	processorGoals(&l, r)
	for _, clients := range r.clients() {
		p50 := func(c *Cell) Number { return c.P50 }
		l.atMost(compare(r.cell(ListDeep, clients, Gateway), r.cell(ListFirst, clients, Gateway), p50), 1.2, "x",
			"a page of 100 at depth %d by cursor, %s: p50 against the first page", r.Size.ListDepth, clientCount(clients))
	}
	scalingGoals(&l, r)
	importGoals(&l, r)
	for _, clients := range r.clients() {
		for _, operation := range Operations() {
			p99 := func(c *Cell) Number { return c.P99 }
			l.atMost(compare(r.cell(operation, clients, Gateway), r.cell(operation, clients, Uncoalesced), p99), noise, "x",
				"%s, %s: p99 against the gateway without coalescing", operation, clientCount(clients))
		}
	}
	most := math.NaN()
	for _, c := range r.Cells {
		if c.Clients == 128 && c.Target == Gateway && !(most >= float64(c.GatewayMiB)) {
			most = float64(c.GatewayMiB)
		}
	}
	l.atMost(most, 100, "MiB", "resident memory of the gateway with 128 clients")
	return l.goals
}

// throughputGoals compares the throughput with that of other targets.
func throughputGoals(l *goalList, r *Report) {
	for _, row := range throughputRows {
		for _, other := range []struct {
			target Target
			name   string
			wanted float64
		}{
			{Service, "a service", row.service},
			{Driver, "the driver's ExecuteQuery", row.driver},
			{QueryAPI, "the Query API", row.queryAPI},
			{Limit, "the limit", row.limit},
		} {
			if !math.IsNaN(other.wanted) {
				l.atLeast(r.advantage(row.operation, row.clients, other.target), other.wanted, "%s, %s: throughput against %s",
					row.operation, clientCount(row.clients), other.name)
			}
		}
	}
}

// processorGoals compares the processor time of one operation.
func processorGoals(l *goalList, r *Report) {
	databaseCPU := func(c *Cell) Number { return c.DatabaseCPU }
	for _, row := range []struct {
		operation Operation
		wanted    float64
	}{{NodeByID, 1.0 / 6}, {EdgeByID, 1.0 / 6}, {CreateNode, 1.0 / 3}, {CreateEdge, 1.0 / 3}} {
		l.atMost(compare(r.cell(row.operation, 32, Gateway), r.cell(row.operation, 32, Driver), databaseCPU), row.wanted, "x",
			"%s, 32 clients: processor time of Neo4j against the driver's ExecuteQuery", row.operation)
	}
	both := func(c *Cell) Number { return c.ServerCPU + c.DatabaseCPU }
	for _, clients := range []int{32, 128} {
		for _, operation := range []Operation{CreateNode, CreateEdge, UpdateNode, DeleteNode} {
			l.atMost(compare(r.cell(operation, clients, Gateway), r.cell(operation, clients, Unrecorded), both), 1.3, "x",
				"%s, %s: processor time of gateway and Neo4j against no history", operation, clientCount(clients))
		}
	}
}

func scalingGoals(l *goalList, r *Report) {
	if len(r.TypeScaling) == 2 {
		one, many := r.TypeScaling[0], r.TypeScaling[1]
		l.atLeast(Ratio(float64(many.Again), float64(one.Again)), 0.7, "node by id, 32 clients: throughput with %d types against 1 type",
			many.Types)
		l.atLeast(Ratio(float64(many.First), float64(one.First)), 0.7,
			"node by id, 32 clients, each node for the first time: throughput with %d types against 1 type", many.Types)
	}
	for _, n := range r.NewTypes {
		if n.HasGoal {
			l.atMost(float64(n.Longest), 250, "ms", "first request after a new type: %s, longest of %d", n.Request, n.Times)
		}
	}
}

// compare returns the ratio of a value of two cells, NaN if one was not measured.
func compare(of, to *Cell, value func(*Cell) Number) float64 {
	if of == nil || to == nil {
		return math.NaN()
	}
	return Ratio(float64(value(of)), float64(value(to)))
}

func clientCount(n int) string {
	if n == 1 {
		return "1 client"
	}
	return fmt.Sprintf("%d clients", n)
}
