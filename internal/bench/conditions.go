package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// Condition is one of the conditions under which MeasureConditions measures.
type Condition string

// The conditions.
const (
	RemoteDatabase   Condition = "remote"   // a database that is not on the same machine
	ReadsBesideWrite Condition = "writes"   // reads while other clients write
	Overloaded       Condition = "overload" // many more clients than can be served at a time
	EqualReads       Condition = "equal"    // clients that ask for the same
)

// Conditions lists all conditions in the order of the report.
func Conditions() []Condition {
	return []Condition{RemoteDatabase, ReadsBesideWrite, Overloaded, EqualReads}
}

// ConditionsOptions are the options of MeasureConditions. All but Version, Commit and Log are required.
type ConditionsOptions struct {
	Conditions  []Condition
	Gateway     string        // the program
	Load        []string      // the command that runs ServeLoad
	Serve       []string      // the command that runs ServeTarget
	Rounds      int           // of each target in each cell
	Round       time.Duration // length of one
	WarmUp      time.Duration // of each target before the rounds of a cell
	RunIn       time.Duration // of each target after its start
	Overload    time.Duration // how long there are too many clients
	Version     string        // of the Neo4j to start
	HeapMB      int           // of Neo4j
	PageCacheMB int
	Commit      string
	Log         io.Writer // progress
}

// conditionsSize is large enough that the schema is read from samples, as that of most graphs.
var conditionsSize = Size{
	Nodes: 30_000, Edges: 40_000, NodeTypes: 20, EdgeTypes: 20, ListNodes: 20_000, ListDepth: pageSize, WorkingSet: 10_000,
}

// manyClients is the number of clients in the cells with more than one.
const manyClients = 32

// ConditionsReport is the result of MeasureConditions. A condition that was not measured has no results.
type ConditionsReport struct {
	Date     time.Time
	Commit   string
	Machine  Machine
	Minutes  Number
	Options  ConditionsOptions
	Latency  []*LatencyStep
	Beside   []*BesideWrites
	Overload *OverloadResult
	Equal    *Report // only its cells
	Goals    []Goal
}

type conditions struct {
	run
	options ConditionsOptions
	result  *ConditionsReport
}

// MeasureConditions measures what `make bench` does not: a gateway whose database is far away, that is read while it is written, that has
// too many clients, and that is asked the same by several clients at once. Each target runs in a separate process, on one Neo4j that
// this function starts.
func MeasureConditions(ctx context.Context, o ConditionsOptions) (result *ConditionsReport, err error) {
	switch {
	case o.Rounds < 1 || o.Round <= 0 || o.WarmUp <= 0 || o.RunIn < 0:
		return nil, errors.New("there must be a round at least, and time for it and for its warm-up")
	case o.Overload < time.Second:
		return nil, errors.New("too many clients need a second at least")
	}
	c := &conditions{options: o, run: run{
		Options: Options{
			Size: conditionsSize, Rounds: o.Rounds, Duration: o.Round, WarmUp: o.WarmUp, Gateway: o.Gateway, Load: o.Load, Serve: o.Serve,
			Version: o.Version, HeapMB: o.HeapMB, PageCacheMB: o.PageCacheMB, Log: o.Log, Operations: []Operation{ListAny},
		},
		began: time.Now(), secrets: newSecrets(), gateways: map[Target]*gateway{}, loads: map[Target]*loadChild{}, report: &Report{},
	}}
	if c.dir, err = os.MkdirTemp("", "graphrest-bench-*"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.end(context.WithoutCancel(ctx))) }()
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	c.result = &ConditionsReport{
		Date: time.Now().UTC().Truncate(time.Second), Commit: o.Commit, Machine: c.report.Machine, Options: o,
	}
	if err := c.loadData(ctx); err != nil {
		return nil, err
	}
	for _, each := range []struct {
		condition Condition
		measure   func(context.Context) error
	}{
		{RemoteDatabase, c.measureLatencies}, {ReadsBesideWrite, c.measureBeside}, {Overloaded, c.measureOverload}, {EqualReads, c.measureEqual},
	} {
		if !slices.Contains(o.Conditions, each.condition) {
			continue
		}
		if err := each.measure(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", each.condition, err)
		}
	}
	c.result.Minutes = Number(time.Since(c.began).Minutes())
	c.result.Goals = c.result.goals()
	return c.result, nil
}

// start starts targets and runs each in: it reads and writes for the time of RunIn, so that the database has compiled itself and its plans.
// A gateway also reads everything once that is read later, as in the benchmark, which measures such first reads separately.
func (c *conditions) start(ctx context.Context, targets ...Target) error {
	c.Targets = targets
	if err := c.startTargets(ctx); err != nil {
		return err
	}
	for _, target := range targets {
		for _, clients := range []int{manyClients, 1} {
			if _, err := c.play(ctx, target, turn{Operation: BusyMix, Clients: clients, Duration: c.options.RunIn / 2}); err != nil {
				return fmt.Errorf("run in: %w", err)
			}
		}
		if !target.isGateway() {
			continue
		}
		for operation, all := range map[Operation][]entity{NodeByID: entities(c.working.Nodes), EdgeByID: entities(c.working.Edges)} {
			if _, err := c.play(ctx, target, turn{Operation: operation, Clients: manyClients, Duration: firstReads, Entities: all}); err != nil {
				return fmt.Errorf("first reads: %w", err)
			}
		}
	}
	return nil
}

// stop stops what start started.
func (c *conditions) stop() {
	for _, target := range c.Targets {
		c.stopTarget(target)
	}
}

// measureOperation measures a cell of each target and returns them.
func (c *conditions) measureOperation(ctx context.Context, operation Operation, clients int) ([]*Cell, error) {
	cells := make([]*Cell, len(c.Targets))
	for i, target := range c.Targets {
		cells[i] = &Cell{Operation: operation, Clients: clients, Target: target}
	}
	if err := c.measureCells(ctx, cells); err != nil {
		return nil, fmt.Errorf("%s, %s: %w", operation, clientCount(clients), err)
	}
	return cells, nil
}

// measureEqual measures clients that ask for the same at once, beside distinct pages.
func (c *conditions) measureEqual(ctx context.Context) error {
	if err := c.start(ctx, Gateway, Uncoalesced, Driver); err != nil {
		return err
	}
	defer c.stop()
	c.result.Equal = &Report{}
	for _, operation := range append([]Operation{ListAny}, equalOperations...) {
		cells, err := c.measureOperation(ctx, operation, manyClients)
		if err != nil {
			return err
		}
		c.result.Equal.Cells = append(c.result.Equal.Cells, cells...)
	}
	return nil
}

var equalOperations = []Operation{ListFirst, Degree, Count, CountSome, Schema}
