// Command graphrest-bench measures the gateway against the Go driver's ExecuteQuery and Neo4j's Query API, on a real
// Neo4j that it starts itself, or on the one that NEO4J_URI (with NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE and
// NEO4J_HTTP_URL) names, which must contain no data. `make bench` runs it.
//
// With the argument large it compares the gateway with an analyst's Cypher on a large graph that no gateway created: `make bench-large`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"graphrest/internal/bench"
)

// memoryArgument is the subcommand that measures the gateway's memory under large answers; see measureMemory.
const memoryArgument = "memory"

// journalArgument is the subcommand that measures the journal; see measureJournal.
const journalArgument = "journal"

// loadArgument is the subcommand that runs a load process; the benchmark starts one for each target.
const loadArgument = "load"

// serveArgument is the subcommand that runs a target that is no gateway.
const serveArgument = "serve-target"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "graphrest-bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, in io.Reader, out, log io.Writer) error {
	if len(arguments) == 1 && arguments[0] == loadArgument {
		return bench.ServeLoad(ctx, in, out)
	}
	if len(arguments) == 1 && arguments[0] == serveArgument {
		return bench.ServeTarget(ctx, in)
	}
	if len(arguments) > 0 && arguments[0] == largeArgument {
		return runLarge(ctx, arguments[1:], out, log)
	}
	if len(arguments) > 0 && arguments[0] == memoryArgument {
		return measureMemory(ctx, arguments[1:], out, log)
	}
	if len(arguments) > 0 && arguments[0] == journalArgument {
		return measureJournal(ctx, arguments[1:], out, log)
	}
	if len(arguments) > 0 && arguments[0] == feedArgument {
		return measureFeed(ctx, arguments[1:], out, log)
	}
	if len(arguments) > 0 && arguments[0] == conditionsArgument {
		return measureConditions(ctx, arguments[1:], out, log)
	}
	options, directory, err := parse(arguments, log)
	if err != nil {
		return err
	}
	report, err := bench.Run(ctx, options)
	if err != nil {
		return err
	}
	if directory == "" {
		_, err := io.WriteString(out, report.Markdown(""))
		return err
	}
	return write(report, directory)
}

// measureMemory prints how much memory the gateway uses to answer large nodes, on the Neo4j that the environment names. Arguments
// after the flags are environment variables for the gateway, NAME=value.
func measureMemory(ctx context.Context, arguments []string, out, log io.Writer) error {
	o := bench.MemoryOptions{}
	flags := flag.NewFlagSet("graphrest-bench memory", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.IntVar(&o.Nodes, "nodes", 120, "nodes of 1 MB each")
	flags.IntVar(&o.Rounds, "rounds", 3, "rounds of each number of requests")
	atOnce := flags.String("at-once", "1,3,16", "numbers of requests at once")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	at, err := server(&bench.Options{})
	if err != nil || at == nil {
		return errors.Join(err, errors.New("set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD; make measure-memory starts a Neo4j and does"))
	}
	o.Neo4j, o.Environment = *at, flags.Args()
	if o.AtOnce, err = numbers(*atOnce); err != nil {
		return err
	}
	return bench.MeasureMemory(ctx, o, out)
}

// measureJournal prints how long history takes with few and with many records, on two Neo4j that it starts.
func measureJournal(ctx context.Context, arguments []string, out, log io.Writer) error {
	o := bench.JournalOptions{Log: log}
	flags := flag.NewFlagSet("graphrest-bench journal", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.StringVar(&o.Dir, "dir", "", "`directory` that gets a temporary directory with both databases; default that of the system")
	flags.StringVar(&o.Version, "neo4j", "", "exact Neo4j `version` to start")
	flags.IntVar(&o.HeapMB, "heap", 1024, "heap of each Neo4j in `MiB`")
	flags.IntVar(&o.PageCacheMB, "pagecache", 1024, "page cache of each Neo4j in `MiB`")
	flags.IntVar(&o.Records, "records", 10_000_000, "recorded changes in the larger journal")
	flags.IntVar(&o.Edges, "edges", 10_000, "edges of the node that is deleted and restored")
	flags.IntVar(&o.Rounds, "rounds", 50, "rounds of each request")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	return bench.MeasureJournal(ctx, o, out)
}

// parse reads the flags, and from the environment which server to use.
func parse(arguments []string, log io.Writer) (o bench.Options, directory string, err error) {
	own, err := os.Executable()
	if err != nil {
		return o, "", err
	}
	o = bench.Options{Load: []string{own, loadArgument}, Serve: []string{own, serveArgument}, Log: log}
	flags := flag.NewFlagSet("graphrest-bench", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.IntVar(&o.Size.Nodes, "nodes", 200_000, "nodes to load")
	flags.IntVar(&o.Size.Edges, "edges", 500_000, "edges to load")
	flags.IntVar(&o.Size.NodeTypes, "types", 20, "node types")
	flags.IntVar(&o.Size.EdgeTypes, "edge-types", 20, "edge types")
	flags.IntVar(&o.Size.ListDepth, "list-depth", 100_000,
		"depth of the deep page, a multiple of 100; as many nodes and some more are loaded for it")
	flags.IntVar(&o.Size.WorkingSet, "working-set", 50_000, "how many of the nodes, and as many of the edges, the clients work on")
	flags.IntVar(&o.Rounds, "rounds", 3, "rounds of each target in each cell")
	flags.DurationVar(&o.Duration, "round", 2*time.Second, "length of a round")
	flags.DurationVar(&o.WarmUp, "warm-up", time.Second, "warm-up of each target in each cell")
	clients := flags.String("clients", "1,8,32,128", "numbers of clients")
	operations := flags.String("operations", names(bench.Operations()), "operations, with semicolons between them")
	targets := flags.String("targets", names(bench.Targets()), "targets, with semicolons between them")
	flags.BoolVar(&o.Scaling, "scaling", true, "also compare many types with one")
	flags.IntVar(&o.Types, "scaling-types", 200, "how many types that is")
	flags.IntVar(&o.Import, "import", 0, "also import so many nodes and as many edges, by the gateway and by the driver; 0 does not")
	flags.StringVar(&o.Version, "neo4j", "", "exact Neo4j `version` to start")
	flags.IntVar(&o.HeapMB, "heap", 2048, "heap of that Neo4j in `MiB`")
	flags.IntVar(&o.PageCacheMB, "pagecache", 768, "page cache of that Neo4j in `MiB`")
	flags.StringVar(&o.Commit, "commit", "unknown", "the commit that is measured, for the report")
	flags.StringVar(&directory, "out", "",
		"write latest.md, latest.json and latest.svg into this `directory`; else the report goes to standard output")
	if err := flags.Parse(arguments); err != nil {
		return o, "", err
	}
	if flags.NArg() > 0 {
		return o, "", fmt.Errorf("what is %q?", flags.Args())
	}
	o.Size.ListNodes = o.Size.ListDepth + o.Size.ListDepth/5 + 100
	if o.Gateway, err = filepath.Abs(o.Gateway); err != nil {
		return o, "", err
	}
	if o.Clients, err = numbers(*clients); err != nil {
		return o, "", err
	}
	if o.Operations, err = chosen(*operations, bench.Operations()); err != nil {
		return o, "", err
	}
	if o.Targets, err = chosen(*targets, bench.Targets()); err != nil {
		return o, "", err
	}
	o.Neo4j, err = server(&o)
	return o, directory, err
}

// server returns the Neo4j that the environment names, nil for none.
func server(o *bench.Options) (*bench.Neo4j, error) {
	uri := os.Getenv("NEO4J_URI")
	if uri == "" {
		return nil, nil
	}
	at := &bench.Neo4j{
		URI: uri, HTTPURL: os.Getenv("NEO4J_HTTP_URL"), Username: os.Getenv("NEO4J_USERNAME"),
		Password: os.Getenv("NEO4J_PASSWORD"), Database: os.Getenv("NEO4J_DATABASE"),
	}
	if at.Username == "" {
		at.Username = "neo4j"
	}
	if at.Database == "" {
		at.Database = "neo4j"
	}
	if at.HTTPURL == "" && slices.Contains(o.Targets, bench.QueryAPI) {
		return nil, errors.New("set NEO4J_HTTP_URL (for example http://127.0.0.1:7474) for the Query API, or leave that target out")
	}
	return at, nil
}

func names[T ~string](all []T) string {
	var b []string
	for _, each := range all {
		b = append(b, string(each))
	}
	return strings.Join(b, ";")
}

func chosen[T ~string](list string, all []T) ([]T, error) {
	var some []T
	for name := range strings.SplitSeq(list, ";") {
		if !slices.Contains(all, T(name)) {
			return nil, fmt.Errorf("%q is none of: %s", name, names(all))
		}
		some = append(some, T(name))
	}
	return some, nil
}

func numbers(list string) ([]int, error) {
	var all []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%q is no list of numbers", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// write writes all three files; its error names the one that could not be written.
func write(report *bench.Report, directory string) error {
	text, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o755); err != nil { //nolint:gosec // public documents
		return err
	}
	for name, content := range map[string]string{
		"latest.json": string(text) + "\n", "latest.md": report.Markdown("latest.svg"), "latest.svg": report.Plot(),
	} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o644); err != nil { //nolint:gosec // public documents
			return err
		}
	}
	return nil
}
