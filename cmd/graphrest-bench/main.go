// Command graphrest-bench measures the gateway against a service by hand, the Go driver's ExecuteQuery and Neo4j's Query API, on a real
// Neo4j that it starts itself. `make bench` runs it.
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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "graphrest-bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, out, log io.Writer) error {
	if len(arguments) > 0 && arguments[0] == largeArgument {
		return runLarge(ctx, arguments[1:], out, log)
	}
	if len(arguments) == 1 && arguments[0] == bench.ServeArgument {
		return bench.Serve(ctx, os.Getenv(bench.ServedVariable))
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
		_, err := io.WriteString(out, report.Markdown())
		return err
	}
	return write(report, directory)
}

// parse reads the flags.
func parse(arguments []string, log io.Writer) (o bench.Options, directory string, err error) {
	o = bench.Options{Log: log}
	flags := flag.NewFlagSet("graphrest-bench", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.IntVar(&o.Size.Nodes, "nodes", 200_000, "nodes to load")
	flags.IntVar(&o.Size.Edges, "edges", 500_000, "edges to load")
	flags.IntVar(&o.Size.NodeTypes, "types", 20, "node types")
	flags.IntVar(&o.Size.EdgeTypes, "edge-types", 20, "edge types")
	flags.IntVar(&o.Size.ListDepth, "list-depth", 100_000,
		"depth of the deep page, a multiple of 100; as many nodes and some more are loaded for it")
	flags.IntVar(&o.Rounds, "rounds", 5, "rounds of each target in each cell")
	flags.DurationVar(&o.Duration, "round", 500*time.Millisecond, "length of a round")
	flags.DurationVar(&o.WarmUp, "warm-up", 500*time.Millisecond, "warm-up of each target in each cell")
	clients := flags.String("clients", "1,8,32,128", "numbers of clients")
	operations := flags.String("operations", names(bench.Operations()), "operations, with semicolons between them")
	targets := flags.String("targets", names(bench.Targets()), "targets, with semicolons between them")
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
	return o, directory, nil
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

// write writes the files; its error names the one that could not be written.
func write(report *bench.Report, directory string) error {
	text, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o755); err != nil { //nolint:gosec // public documents
		return err
	}
	for name, content := range map[string]string{
		"latest.json": string(text) + "\n", "latest.md": report.Markdown(), "latest.svg": report.Picture(),
	} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o644); err != nil { //nolint:gosec // public documents
			return err
		}
	}
	return nil
}
