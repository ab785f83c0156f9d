package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// mayFail is the share of requests that may fail, for example with a deadlock, before the benchmark gives up: with more
// failures the other requests are not representative.
const mayFail = 0.01

const (
	// runInFactor is how many times a cell's warm-up the run-in lasts: the database compiles itself and its plans.
	runInFactor = 4
	// firstReads bounds the time in which everything is read for the first time.
	firstReads = time.Minute
)

// runIn warms the processes up with a mix of all operations, and then reads each entity once.
func (r *run) runIn(ctx context.Context) error {
	clients := r.Clients[len(r.Clients)/2]
	for _, target := range r.Targets {
		if r.WarmUp == 0 {
			break
		}
		if _, err := r.play(ctx, target, turn{Operation: Mix, Clients: clients, Duration: runInFactor * r.WarmUp}); err != nil {
			return err
		}
	}
	for _, first := range []struct {
		measured, operation Operation
		entities            []entity
	}{
		{FirstNode, NodeByID, entities(r.data.Nodes)},
		{FirstEdge, EdgeByID, entities(r.data.Edges)},
	} {
		if !slices.Contains(r.Operations, first.operation) {
			continue
		}
		cells := make([]*Cell, len(r.Targets))
		for i, target := range r.Targets {
			round, err := r.play(ctx, target, turn{Operation: first.operation, Clients: clients, Duration: firstReads, Entities: first.entities})
			if err != nil {
				return err
			}
			cells[i] = &Cell{Operation: first.measured, Clients: clients, Target: target, Rounds: []Round{round}}
		}
		r.addCells(cells)
	}
	return nil
}

// addCells adds finished cells to the report and logs them.
func (r *run) addCells(cells []*Cell) {
	line := fmt.Sprintf("%-22s %3d clients", cells[0].Operation, cells[0].Clients)
	for _, c := range cells {
		c.summarize()
		line += fmt.Sprintf("  %s %.0f/s", c.Target, float64(c.OpsPerSecond))
	}
	r.progress("%s", line)
	r.report.Cells = append(r.report.Cells, cells...)
}

// measure fills the report's cells. In each cell the targets take turns, in another order every round.
func (r *run) measure(ctx context.Context) error {
	for _, operation := range r.Operations {
		for _, clients := range r.Clients {
			cells := make([]*Cell, len(r.Targets))
			for i, target := range r.Targets {
				cells[i] = &Cell{Operation: operation, Clients: clients, Target: target}
			}
			if err := r.measureCells(ctx, cells); err != nil {
				return fmt.Errorf("%s, %d clients: %w", operation, clients, err)
			}
		}
	}
	return nil
}

func (r *run) measureCells(ctx context.Context, cells []*Cell) error {
	rates := make([]float64, len(cells)) // from the warm-up: how much work to prepare
	for i, c := range cells {
		rates[i] = 500
		if r.WarmUp > 0 {
			warm, err := r.turn(ctx, c, r.WarmUp, 0, 10_000)
			if err != nil {
				return err
			}
			rates[i] = float64(warm.OpsPerSecond)
		}
	}
	for number := range r.Rounds {
		for i := range cells {
			index := (i + number) % len(cells)
			c := cells[index]
			round, err := r.turn(ctx, c, r.Duration, uint64(number)+1, 2*rates[index])
			if err != nil {
				return err
			}
			c.Rounds = append(c.Rounds, round)
		}
	}
	r.addCells(cells)
	return nil
}

// turn runs one target. Rate is the expected maximum of operations per second, for preparing data.
func (r *run) turn(ctx context.Context, c *Cell, duration time.Duration, seed uint64, rate float64) (Round, error) {
	t := turn{Operation: c.Operation, Clients: c.Clients, Duration: duration, Seed: seed}
	if c.Operation == DeleteNode {
		var err error
		if t.Entities, err = r.createNodesToDelete(ctx, int(rate*duration.Seconds())+50*c.Clients); err != nil {
			return Round{}, err
		}
	}
	return r.play(ctx, c.Target, t)
}

// play runs a turn and samples the processes during it.
func (r *run) play(ctx context.Context, target Target, t turn) (Round, error) {
	gatewayPid, neo4jPid := 0, 0
	if g := r.gateways[target]; g != nil {
		gatewayPid = g.pid()
	}
	if r.server != nil {
		neo4jPid = r.server.Pid()
	}
	pids := []int{gatewayPid, neo4jPid, os.Getpid()}
	before := cpuOf(pids)
	result, err := r.loads[target].play(ctx, t)
	if err != nil {
		return Round{}, err
	}
	after := cpuOf(pids)
	round := Round{
		Operations: result.Operations, Errors: result.Errors, FirstError: result.FirstError, Seconds: Number(result.Elapsed.Seconds()),
		OpsPerSecond: Number(Ratio(float64(result.Operations), result.Elapsed.Seconds())),
		P50:          milliseconds(result.P50), P99: milliseconds(result.P99), Max: milliseconds(result.Max),
		GatewayCPU: Number(after[0] - before[0]), Neo4jCPU: Number(after[1] - before[1]), ClientCPU: Number(after[2] - before[2]),
		GatewayMiB: Number(math.NaN()),
	}
	if gatewayPid > 0 {
		round.GatewayMiB = Number(residentMiB(gatewayPid))
	}
	if result.Operations == 0 || float64(result.Errors) > mayFail*float64(result.Operations) {
		return Round{}, fmt.Errorf("%s: %d of %d requests failed, first: %w", target, result.Errors, result.Errors+result.Operations,
			errors.New(result.FirstError))
	}
	return round, nil
}

func cpuOf(pids []int) []float64 {
	used := make([]float64, len(pids))
	for i, pid := range pids {
		used[i] = cpuSeconds(pid)
	}
	return used
}

func milliseconds(d time.Duration) Number { return Number(float64(d) / float64(time.Millisecond)) }

// createNodesToDelete creates nodes without edges for the deletes, of all types in turn.
func (r *run) createNodesToDelete(ctx context.Context, count int) ([]entity, error) {
	types := len(r.data.NodeTypes)
	doomed := make([]entity, count)
	var jobs []func(context.Context) error
	for i, name := range r.data.NodeTypes {
		ids, err := newIDs(name, (count+types-1-i)/types)
		if err != nil {
			return nil, err
		}
		for j, id := range ids {
			doomed[i+j*types] = entity{Type: i, ID: id}
		}
		if len(ids) > 0 {
			jobs = append(jobs, func(ctx context.Context) error { return r.db.createNodes(ctx, name, ids) })
		}
	}
	return doomed, runTwoAtOnce(ctx, jobs)
}

// entities returns all entities in random order.
func entities(byType [][]string) []entity {
	var all []entity
	for i, ids := range byType {
		for _, id := range ids {
			all = append(all, entity{Type: i, ID: id})
		}
	}
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same order in every run
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
