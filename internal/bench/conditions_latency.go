package bench

import (
	"context"
	"slices"
	"time"
)

// LatencyStep are the cells with one latency before Neo4j.
type LatencyStep struct {
	Latency time.Duration
	Report  // only its cells
}

var (
	latencies         = []time.Duration{0, time.Millisecond, 5 * time.Millisecond}
	latencyOperations = []Operation{NodeByID, EdgeByID, CreateNode, UpdateNode, DeleteNode, ListAny, Mix}
	latencyClients    = []int{1, manyClients}
)

// distanceSettles is how long the gateway may take to notice that the database is further away (bolt.Client.Distance).
const distanceSettles = 20 * time.Second

// measureLatencies measures the main operations with several latencies before Neo4j. All targets reach it through the same proxy, also
// without latency, so that the proxy itself makes no difference.
func (c *conditions) measureLatencies(ctx context.Context) error {
	proxy, err := startLatencyProxy(c.at.URI)
	if err != nil {
		return err
	}
	defer proxy.stop()
	direct := c.at
	defer func() { c.at = direct }()
	c.at.URI = proxy.uri()
	defer c.stop()
	if err := c.start(ctx, Gateway, Service, Driver); err != nil {
		return err
	}
	for _, latency := range slices.Backward(latencies) { // at last without, when everything is warmest: the others are compared with that
		c.progress("%s before Neo4j", latency)
		if err := proxy.setLatency(ctx, latency); err != nil {
			return err
		}
		if err := sleepUntil(ctx, time.Now().Add(distanceSettles)); err != nil {
			return err
		}
		step := &LatencyStep{Latency: latency}
		for _, operation := range latencyOperations {
			for _, clients := range latencyClients {
				cells, err := c.measureOperation(ctx, operation, clients)
				if err != nil {
					return err
				}
				step.Cells = append(step.Cells, cells...)
			}
		}
		c.result.Latency = slices.Insert(c.result.Latency, 0, step)
	}
	return nil
}
