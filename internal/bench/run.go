// Package bench compares the gateway with its alternatives: a service by hand, the Go driver's ExecuteQuery and
// Neo4j's own HTTP Query API. All targets work on the same real Neo4j and the same graph, in the same run and in
// turns; every answer is checked.
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

// Options are the options of a run. Size, Clients, Rounds, Duration, Operations, Targets and Gateway are required.
type Options struct {
	Size                Size
	Clients             []int
	Rounds              int           // of each target in each cell
	Duration            time.Duration // of a round
	WarmUp              time.Duration // of each target before the rounds of a cell
	Operations          []Operation
	Targets             []Target
	Gateway             string // the program
	Version             string // of the Neo4j to start
	HeapMB, PageCacheMB int
	Commit              string
	Log                 io.Writer // progress
}

type run struct {
	Options
	began    time.Time
	at       Neo4j
	db       *Database
	server   *neo4jdev.Server
	dir      string
	secrets  Secrets
	data     *Dataset
	gateways map[Target]*GatewayProcess
	loads    map[Target]*load
	cursor   string // of the deep page
	report   *Report
}

// Run measures and returns the report. Everything it started is stopped when it returns, also when ctx ends.
func Run(ctx context.Context, o Options) (report *Report, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &run{
		Options: o, began: time.Now(), secrets: NewSecrets(),
		gateways: map[Target]*GatewayProcess{}, loads: map[Target]*load{},
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
	r.report.Minutes = Number(time.Since(r.began).Minutes())
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
	}
	return nil
}

func (r *run) progress(format string, args ...any) {
	if r.Log != nil {
		fmt.Fprintf(r.Log, "%6.0fs  %s\n", time.Since(r.began).Seconds(), fmt.Sprintf(format, args...))
	}
}

// open starts Neo4j.
func (r *run) open(ctx context.Context) (err error) {
	r.server, err = neo4jdev.Start(ctx, neo4jdev.Options{
		Dir: filepath.Join(r.dir, "neo4j"), Version: r.Version, HTTP: true, HeapMB: r.HeapMB, PageCacheMB: r.PageCacheMB, Log: r.Log,
	})
	if err != nil {
		return err
	}
	r.at = Neo4j{URI: r.server.URI, HTTPURL: r.server.HTTPURL, Username: r.server.Username, Password: r.server.Password, Database: "neo4j"}
	r.report.HeapMB, r.report.PageCacheMB = r.HeapMB, r.PageCacheMB
	if r.db, err = OpenDatabase(ctx, r.at); err != nil {
		return err
	}
	r.report.Machine, err = DescribeMachine(ctx, r.db)
	return err
}

func (r *run) loadData(ctx context.Context) (err error) {
	r.progress("loading %d nodes of %d types, %d more for lists, and %d edges of %d types",
		r.Size.Nodes, r.Size.NodeTypes, r.Size.ListNodes, r.Size.Edges, r.Size.EdgeTypes)
	if r.data, err = newDataset(r.Size); err != nil {
		return err
	}
	return r.db.load(ctx, r.data, r.progress)
}

func (r *run) startTargets(ctx context.Context) (err error) {
	for _, target := range r.Targets {
		cursor := ""
		if target.isGateway() {
			g, err := StartGateway(ctx, r.Gateway, r.at, r.secrets, target.setting())
			if err != nil {
				return err
			}
			r.gateways[target] = g
			if err := g.prepare(ctx, r.secrets); err != nil {
				return fmt.Errorf("the gateway: %w\n%s", err, g.output)
			}
			if slices.Contains(r.Operations, ListDeep) {
				if cursor, err = g.deepCursor(ctx, r.data); err != nil {
					return err
				}
				r.cursor = cursor
			}
		}
		if target == Service || target == Limit {
			if r.gateways[target], err = r.startServed(ctx, target); err != nil {
				return err
			}
			cursor = r.cursor
		}
		if r.loads[target], err = newLoad(target, r.data, r.gateways[target], cursor, r.at); err != nil {
			return err
		}
	}
	return nil
}

// end stops what was started and removes what was loaded.
func (r *run) end(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, l := range r.loads {
		if l != nil {
			l.close(ctx)
		}
	}
	for _, g := range r.gateways {
		g.Stop()
	}
	if r.db != nil {
		err = r.db.Close(ctx)
	}
	if r.server != nil {
		err = errors.Join(err, r.server.Stop(ctx))
	}
	return errors.Join(err, os.RemoveAll(r.dir))
}
