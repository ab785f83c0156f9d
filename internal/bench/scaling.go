package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
)

const (
	scalePrefix  = "BenchScale"
	scaleNodes   = 20_000 // in each of the two states
	scaleClients = 32
	// scaleSteps is how often each state is measured, in turns, so that a machine that becomes slower or faster
	// during the run favours neither.
	scaleSteps = 3
)

// TypeStep is the throughput of point reads with a number of managed types, the median of several steps.
type TypeStep struct {
	Types int `json:"types"`
	// First reads each node once, directly after the gateway's start, so that its cache of ids has no effect.
	First Number `json:"first_reads_per_second"`
	// Again reads nodes at random after that.
	Again Number `json:"reads_per_second"`
	P99   Number `json:"p99_ms"` // of Again
}

// NewType is how long the first request took after a new type had appeared, the longest of several.
type NewType struct {
	Request string `json:"request"`
	Times   int    `json:"times"`
	Median  Number `json:"median_ms"`
	Longest Number `json:"longest_ms"`
	// HasGoal reports whether the goal applies; it does not apply to requests that create the type.
	HasGoal bool `json:"has_goal"`
}

// scaling measures point reads with one managed type and with many, and first requests after a new type. Both graphs
// exist all the time; only the set of managed types changes.
func (r *run) scaling(ctx context.Context) error {
	one, err := scaleData(scalePrefix+"One", 1)
	if err != nil {
		return err
	}
	many, err := scaleData(scalePrefix, r.Types)
	if err != nil {
		return err
	}
	states := []struct {
		data *Dataset
		file string
		step TypeStep
		runs []scaleRun
	}{
		{data: one, file: filepath.Join(r.dir, "one-type"), step: TypeStep{Types: 1}},
		{data: many, file: filepath.Join(r.dir, "many-types"), step: TypeStep{Types: r.Types}},
	}
	for _, state := range states {
		for i, name := range state.data.NodeTypes {
			if err := r.db.createNodes(ctx, name, state.data.Nodes[i]); err != nil {
				return err
			}
		}
		if err := state.data.save(state.file); err != nil {
			return err
		}
	}
	for step := range scaleSteps + 1 {
		for i := range states {
			state := &states[i]
			if err := r.db.unmanage(ctx, states[1-i].data.NodeTypes...); err != nil {
				return err
			}
			if err := r.db.manageNodes(ctx, state.data.NodeTypes...); err != nil {
				return err
			}
			measured, err := r.scaleStep(ctx, state.data, state.file)
			if err != nil {
				return err
			}
			r.progress("%3d types, 32 clients: first reads %.0f/s, then %.0f/s", state.step.Types, measured.first, measured.again)
			if step > 0 { // the first step warms the database up
				state.runs = append(state.runs, measured)
			}
		}
	}
	for i := range states {
		r.report.TypeScaling = append(r.report.TypeScaling, summarizeScale(states[i].step, states[i].runs))
	}
	if err := r.newTypes(ctx, many); err != nil {
		return err
	}
	return r.db.clean(ctx)
}

func scaleData(prefix string, types int) (d *Dataset, err error) {
	d = &Dataset{}
	d.NodeTypes, d.Nodes, err = deal(prefix, scaleNodes, types)
	return d, err
}

type scaleRun struct{ first, again, p99 float64 }

func summarizeScale(step TypeStep, runs []scaleRun) TypeStep {
	of := func(value func(scaleRun) float64) Number {
		var values []float64
		for _, measured := range runs {
			values = append(values, value(measured))
		}
		return Number(Median(values))
	}
	step.First = of(func(measured scaleRun) float64 { return measured.first })
	step.Again = of(func(measured scaleRun) float64 { return measured.again })
	step.P99 = of(func(measured scaleRun) float64 { return measured.p99 })
	return step
}

// scaleStep starts a gateway, reads every node once, and then at random.
func (r *run) scaleStep(ctx context.Context, d *Dataset, file string) (scaleRun, error) {
	defer r.stopTarget(Gateway)
	g, err := startGateway(ctx, r.Gateway, r.at, r.secrets, "on")
	if err != nil {
		return scaleRun{}, err
	}
	r.gateways[Gateway] = g
	if err := r.startLoad(ctx, Gateway, file, ""); err != nil {
		return scaleRun{}, err
	}
	all := entities(d.Nodes)
	// Half of the nodes warm connections and statements up; the gateway has not read the other half before.
	if _, err := r.play(ctx, Gateway,
		turn{Operation: NodeByID, Clients: scaleClients, Duration: time.Minute, Entities: all[:len(all)/2]}); err != nil {
		return scaleRun{}, err
	}
	first, err := r.play(ctx, Gateway, turn{Operation: NodeByID, Clients: scaleClients, Duration: time.Minute, Entities: all[len(all)/2:]})
	if err != nil {
		return scaleRun{}, err
	}
	again, err := r.play(ctx, Gateway, turn{Operation: NodeByID, Clients: scaleClients, Duration: r.Duration, Seed: 1})
	return scaleRun{first: float64(first.OpsPerSecond), again: float64(again.OpsPerSecond), p99: float64(again.P99)}, err
}

// entities lists all entities in a fixed, mixed order.
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

// newTypes measures the first requests after a new type has appeared in a database with many types.
func (r *run) newTypes(ctx context.Context, many *Dataset) error {
	g, err := startGateway(ctx, r.Gateway, r.at, r.secrets, "on")
	if err != nil {
		return err
	}
	defer g.stop()
	const rounds = 5
	var all newTypeTimes
	for i := range rounds {
		oldType := many.NodeTypes[i%len(many.NodeTypes)]
		if err := r.timeNewType(ctx, g, i, oldType, &all); err != nil {
			return err
		}
	}
	r.addNewType("the new type's node by id, type made by another program", all.outside, true)
	r.addNewType("a node by an id that others made, type made by another program", all.other, true)
	r.addNewType("a node by id, type made through the gateway", all.reads, true)
	r.addNewType("the create that makes the type, its constraint included", all.creates, false)
	return nil
}

// newTypeTimes are the durations, in milliseconds, of each kind of request that newTypes measures.
type newTypeTimes struct{ outside, other, creates, reads []float64 }

// timeNewType times one round of newTypes: two reads after another program has created a type, and a create and a read after
// the gateway has created one.
func (r *run) timeNewType(ctx context.Context, g *gateway, round int, oldType string, times *newTypeTimes) error {
	timed := func(times *[]float64, method, path string, body any, want int) error {
		began := time.Now()
		status, answer, err := g.call(ctx, method, path, g.tokens[0], body, nil)
		*times = append(*times, float64(milliseconds(time.Since(began))))
		if err != nil || status != want {
			return fmt.Errorf("%s %s: %w", method, path, failure(status, answer, err))
		}
		return nil
	}
	// A type that another program creates, and an immediate read of its node.
	name := fmt.Sprintf("%sOutside%d", scalePrefix, round)
	ids, err := newIDs(name, 1)
	if err != nil {
		return err
	}
	if err := r.db.manageNodes(ctx, name); err != nil {
		return err
	}
	if err := r.db.createNodes(ctx, name, ids); err != nil {
		return err
	}
	if err := timed(&times.outside, http.MethodGet, "/api/nodes/"+ids[0], nil, http.StatusOK); err != nil {
		return err
	}
	// A node of an old type with an id that the gateway did not generate and has not cached: the lookup searches all types,
	// including the new one.
	foreign := uuid.NewString()
	if err := r.db.createNodes(ctx, oldType, []string{foreign}); err != nil {
		return err
	}
	if err := timed(&times.other, http.MethodGet, "/api/nodes/"+foreign, nil, http.StatusOK); err != nil {
		return err
	}
	// A type that the gateway creates, and the next request.
	own := map[string]any{"type": fmt.Sprintf("%sInside%d", scalePrefix, round), "properties": map[string]any{"name": "first"}}
	if err := timed(&times.creates, http.MethodPost, "/api/nodes", own, http.StatusCreated); err != nil {
		return err
	}
	return timed(&times.reads, http.MethodGet, "/api/nodes/"+ids[0], nil, http.StatusOK)
}

func (r *run) addNewType(request string, times []float64, hasGoal bool) {
	n := NewType{Request: request, Times: len(times), Median: Number(Median(times)), Longest: Number(slices.Max(times)), HasGoal: hasGoal}
	r.progress("after a new type: %s: %.0f ms at most", n.Request, float64(n.Longest))
	r.report.NewTypes = append(r.report.NewTypes, n)
}
