package bench

import (
	"fmt"
	"math"
	"strings"
)

// throughputRow is what the gateway should reach with one operation: ratios to the throughput of other targets; noGoal is not asked.
type throughputRow struct {
	operation                        Operation
	clients                          int
	service, driver, queryAPI, limit float64
}

// noGoal stands for a ratio that is not asked.
var noGoal = math.NaN()

var throughputRows = []throughputRow{
	{NodeByID, 32, 4, 5, 8, 0.6},
	{EdgeByID, 32, 4, 5, 8, 0.6},
	{CreateNode, 32, noGoal, 3.5, 8, noGoal},
	{CreateEdge, 32, noGoal, 3.5, 8, noGoal},
	{UpdateNode, 32, noGoal, 3.5, 8, noGoal},
	{DeleteNode, 32, noGoal, 3, 8, noGoal},
	{Mix, 32, noGoal, 4, 8, noGoal},
	{ListDeep, 32, noGoal, 1.2, noGoal, noGoal},
	{NodeByID, 128, noGoal, 6, noGoal, noGoal},
	{EdgeByID, 128, noGoal, 6, noGoal, noGoal},
}

// writeRoom writes how much processor time the goals against the driver leave for an operation, and how much it takes: clients, gateway
// and database share the machine, so that its cores divided by the wanted throughput are all that there is for one of them.
func (r *Report) writeRoom(b *strings.Builder) {
	var rows strings.Builder
	for _, row := range throughputRows {
		own, driver := r.cell(row.operation, row.clients, Gateway), r.cell(row.operation, row.clients, Driver)
		limit := r.cell(row.operation, row.clients, Limit)
		if own == nil || driver == nil || limit == nil {
			continue
		}
		all := Number(1000 * Ratio(float64(r.Machine.Cores), row.driver*float64(driver.OpsPerSecond)))
		fmt.Fprintf(&rows, "| %s | %s | %s |", row.operation, clientCount(row.clients), formatRatio(row.driver))
		for _, millis := range []Number{all, limit.AllCPU, all - limit.AllCPU, own.AllCPU - limit.AllCPU, own.DatabaseCPU, driver.AllCPU} {
			fmt.Fprintf(&rows, " %s |", Short(1000*millis))
		}
		rows.WriteString("\n")
	}
	if rows.Len() == 0 {
		return
	}
	fmt.Fprintf(b, `## What the goals leave

The %d cores serve clients, gateway and database. At the throughput of a goal against the driver they leave each operation the time
of the fourth column. HTTP alone takes the next (all processes of the limit); the token, the limits, JSON, the batch, the audit, the
history and the database's work have the rest, and take "now", of which Neo4j takes the one after. The last is all that the driver
takes for one. Microseconds of processor time.

| operation | clients | goal | in all | HTTP | left | now | of it Neo4j | the driver |
|---|---|--:|--:|--:|--:|--:|--:|--:|
%s
`, r.Machine.Cores, rows.String())
}
