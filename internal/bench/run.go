// Package bench compares the gateway with its alternatives: the Go driver's ExecuteQuery and
// Neo4j's own HTTP Query API. All targets work on the same real Neo4j and the same graph, in the same run and in
// turns, each driven by a separate load process that checks every answer.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphrest/internal/neo4jdev"
)

// Options are the options of a run. Size, Clients, Rounds, Duration, Operations, Targets, Gateway and Load are required.
type Options struct {
	Size       Size
	Clients    []int
	Rounds     int           // of each target in each cell
	Duration   time.Duration // of a round
	WarmUp     time.Duration // of each target before the rounds of a cell
	Operations []Operation
	Targets    []Target
	// Scaling adds the run with one type and with Types types.
	Scaling bool
	Types   int
	Import  int      // number of nodes, and of edges, to import; 0 skips the import
	Gateway string   // the program
	Load    []string // the command that runs ServeLoad
	Serve   []string // the command that runs ServeTarget
	// Neo4j is a running server that is empty, or contains only what the gateway and an earlier run left;
	// what the benchmark loads is removed at the end. Nil starts a server and deletes it at the end.
	Neo4j               *Neo4j
	Version             string // of the Neo4j to start
	HeapMB, PageCacheMB int
	Commit              string
	Log                 io.Writer // progress
}

type run struct {
	Options
	began    time.Time
	at       Neo4j
	db       *database
	server   *neo4jdev.Server // nil if the run did not start the server
	dir      string
	secrets  secrets
	data     *Dataset
	working  *Dataset // the part that the clients work on
	cursors  []string // of all pages of the list, if ListAny is measured
	gateways map[Target]*gateway
	loads    map[Target]*loadChild
	report   *Report
}

// Run measures and returns the report. Everything it started is stopped when it returns, also when ctx ends.
func Run(ctx context.Context, o Options) (report *Report, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &run{
		Options: o, began: time.Now(), secrets: newSecrets(),
		gateways: map[Target]*gateway{}, loads: map[Target]*loadChild{},
		report: &Report{
			Date: time.Now().UTC().Truncate(time.Second), Commit: o.Commit, Size: o.Size, RoundCount: o.Rounds,
			RoundSeconds: Number(o.Duration.Seconds()), WarmUp: Number(o.WarmUp.Seconds()),
		},
	}
	if r.dir, err = os.MkdirTemp("", "graphrest-bench-*"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.end(context.WithoutCancel(ctx))) }()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	if o.Scaling {
		if err := r.scaling(ctx); err != nil {
			return nil, fmt.Errorf("the run with %d types: %w", o.Types, err)
		}
	}
	if o.Import > 0 {
		if err := r.imports(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.loadData(ctx); err != nil {
		return nil, err
	}
	if err := r.startTargets(ctx); err != nil {
		return nil, err
	}
	if err := r.runIn(ctx); err != nil {
		return nil, fmt.Errorf("run in: %w", err)
	}
	if err := r.measure(ctx); err != nil {
		return nil, err
	}
	r.report.OtherCPU = r.report.otherCPU()
	r.report.Minutes = Number(time.Since(r.began).Minutes())
	r.report.Goals = assessGoals(r.report)
	return r.report, nil
}

func (o *Options) check() error {
	switch {
	case len(o.Clients) == 0 || slices.Min(o.Clients) < 1 || slices.Max(o.Clients) > 250:
		return errors.New("numbers of clients go from 1 to 250")
	case o.Rounds < 1 || o.Duration <= 0 || o.WarmUp < 0:
		return errors.New("there must be a round at least, and time for it")
	case o.Size.NodeTypes < 1 || o.Size.EdgeTypes < 1 || o.Size.NodeTypes > 999 || o.Size.EdgeTypes > 999:
		return errors.New("numbers of types go from 1 to 999")
	case o.Size.Nodes < o.Size.NodeTypes || o.Size.Edges < o.Size.EdgeTypes:
		return errors.New("every type needs a node or edge at least")
	case o.Size.ListDepth < 1 || o.Size.ListDepth%pageSize != 0 || o.Size.ListNodes < o.Size.ListDepth+pageSize:
		return fmt.Errorf("the depth of a list is a multiple of %d, with a page after it", pageSize)
	case o.Size.WorkingSet < o.Size.NodeTypes || o.Size.WorkingSet < o.Size.EdgeTypes:
		return errors.New("the working set needs a node and an edge of every type at least")
	case o.Scaling && o.Types < 2:
		return errors.New("the run with many types needs two at least")
	}
	return nil
}

func (r *run) progress(format string, args ...any) {
	if r.Log != nil {
		fmt.Fprintf(r.Log, "%6.0fs  %s\n", time.Since(r.began).Seconds(), fmt.Sprintf(format, args...))
	}
}

// open starts Neo4j, or uses the running one if it contains no foreign data.
func (r *run) open(ctx context.Context) (err error) {
	if r.Neo4j != nil {
		r.at = *r.Neo4j
	} else {
		r.server, err = neo4jdev.Start(ctx, neo4jdev.Options{
			Dir: filepath.Join(r.dir, "neo4j"), Version: r.Version, HTTP: true, HeapMB: r.HeapMB, PageCacheMB: r.PageCacheMB, Log: r.Log,
		})
		if err != nil {
			return err
		}
		r.at = Neo4j{URI: r.server.URI, HTTPURL: r.server.HTTPURL, Username: r.server.Username, Password: r.server.Password, Database: "neo4j"}
		r.report.HeapMB, r.report.PageCacheMB = r.HeapMB, r.PageCacheMB
	}
	if r.db, err = openDatabase(ctx, r.at); err != nil {
		return err
	}
	if err := r.db.claim(ctx); err != nil {
		db := r.db
		r.db = nil // so that end removes nothing
		return errors.Join(fmt.Errorf("%s: %w", r.at.URI, err), db.driver.Close(ctx))
	}
	r.report.Machine, err = describeMachine(ctx, r.db)
	return err
}

func (r *run) loadData(ctx context.Context) (err error) {
	r.progress("loading %d nodes of %d types, %d more for lists, and %d edges of %d types",
		r.Size.Nodes, r.Size.NodeTypes, r.Size.ListNodes, r.Size.Edges, r.Size.EdgeTypes)
	if r.data, err = newDataset(r.Size); err != nil {
		return err
	}
	if err := r.db.load(ctx, r.data, r.progress); err != nil {
		return err
	}
	r.working = r.data.workingSet(r.Size.WorkingSet)
	return r.working.save(r.dataFile())
}

func (r *run) dataFile() string { return filepath.Join(r.dir, "ids") }

func (r *run) startTargets(ctx context.Context) error {
	for _, target := range r.Targets {
		cursor := ""
		var g *gateway
		var err error
		switch {
		case target.isGateway():
			g, err = startGateway(ctx, r.Gateway, r.at, r.secrets, coalesceSetting(target), historySetting(target))
		case target.isHTTP():
			g, err = r.startServer(ctx, target)
		}
		if err != nil {
			return err
		}
		if g != nil {
			r.gateways[target] = g
		}
		if target.isGateway() && slices.Contains(r.Operations, ListDeep) {
			if cursor, err = g.deepCursor(ctx, r.data); err != nil {
				return err
			}
		}
		if target.isGateway() && r.cursors == nil && slices.Contains(r.Operations, ListAny) {
			if r.cursors, err = g.cursors(ctx, r.data.pages()); err != nil {
				return fmt.Errorf("page through the list: %w", err)
			}
		}
		if target == Limit {
			cursor = "copied"
		}
		if err := r.startLoad(ctx, target, r.dataFile(), cursor); err != nil {
			return err
		}
	}
	return nil
}

func coalesceSetting(target Target) string {
	if target == Uncoalesced {
		return "off"
	}
	return "on"
}

func historySetting(target Target) string {
	if target == Unrecorded {
		return "GRAPHREST_HISTORY=off"
	}
	return "GRAPHREST_HISTORY=on"
}

// startLoad starts the load process of a target, whose gateway, if it has one, is running.
func (r *run) startLoad(ctx context.Context, target Target, dataFile, cursor string) error {
	l, err := startLoad(ctx, r.Load, r.setupOf(target, dataFile, cursor))
	if err != nil {
		return err
	}
	r.loads[target] = l
	return nil
}

func (r *run) setupOf(target Target, dataFile, cursor string) setup {
	s := setup{Target: target, Data: dataFile, Cursor: cursor, Cursors: r.cursors}
	if g := r.gateways[target]; g != nil {
		s.Address, s.Tokens = g.address, g.tokens
	} else {
		s.Neo4j = r.at
	}
	return s
}

func (r *run) stopTarget(target Target) {
	if l := r.loads[target]; l != nil {
		l.end()
		delete(r.loads, target)
	}
	if g := r.gateways[target]; g != nil {
		g.stop()
		delete(r.gateways, target)
	}
}

// end stops what was started and removes what was loaded.
func (r *run) end(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, target := range Targets() {
		r.stopTarget(target)
	}
	if r.db != nil {
		if r.server == nil {
			err = r.db.leave(ctx)
		}
		err = errors.Join(err, r.db.driver.Close(ctx))
	}
	if r.server != nil {
		err = errors.Join(err, r.server.Stop(ctx))
	}
	return errors.Join(err, os.RemoveAll(r.dir))
}
