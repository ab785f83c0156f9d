package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"graphrest/internal/benchlarge"
)

// largeArgument is the subcommand that measures on a large graph that no gateway created.
const largeArgument = "large"

// runLarge runs that subcommand. It adds its table to large.json and large.md in -out, or prints it as Markdown. With a command after the
// flags it runs only that, with NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD set for a Neo4j with such a graph.
func runLarge(ctx context.Context, arguments []string, out, log io.Writer) error {
	options, directory, command, err := parseLarge(arguments, log)
	if err != nil {
		return err
	}
	if len(command) > 0 {
		child := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the command that is asked for
		child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
		child.Env, child.Stdout, child.Stderr = os.Environ(), out, log
		return benchlarge.RunCommand(ctx, options, child)
	}
	table, err := benchlarge.Run(ctx, options)
	if err != nil {
		return err
	}
	if directory == "" {
		_, err := io.WriteString(out, (&benchlarge.Report{Tables: []*benchlarge.Table{table}}).Markdown())
		return err
	}
	return benchlarge.Add(directory, table)
}

func parseLarge(arguments []string, log io.Writer) (o benchlarge.Options, directory string, command []string, err error) {
	o.Log = log
	flags := flag.NewFlagSet("graphrest-bench large", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.IntVar(&o.Size, "size", 100_000, "nodes of the graph, which has 3.55 times as many relationships")
	flags.StringVar(&o.Cache, "cache", ".cache", "`directory` that keeps imported graphs, one for each size, for the next run")
	questions := flags.String("questions", "", "ask only questions whose name matches this `regexp`")
	flags.IntVar(&o.Limits.Rounds, "rounds", 30, "most answers of each side to a question, the second half of which counts")
	flags.IntVar(&o.Limits.WarmUp, "warm-up", 300, "easy requests to each side before all questions")
	flags.DurationVar(&o.Limits.Time, "time", 6*time.Second, "no further round of a side after so much time for a question")
	flags.DurationVar(&o.Limits.Timeout, "timeout", 20*time.Second, "time limit of an answer")
	flags.DurationVar(&o.Limits.Walk, "walk", 0,
		"time limit of the way to a page deep in a list; 0: a minute for each million nodes, and one more")
	flags.StringVar(&o.Version, "neo4j", "", "exact Neo4j `version` to start")
	flags.IntVar(&o.HeapMB, "heap", 2048, "heap of that Neo4j in `MiB`")
	flags.IntVar(&o.PageCacheMB, "pagecache", 1024, "page cache of that Neo4j in `MiB`")
	flags.StringVar(&o.Commit, "commit", "unknown", "the commit that is measured, for the report")
	flags.StringVar(&directory, "out", "", "add the table to large.md and large.json in this `directory`; else it goes to standard output")
	if err := flags.Parse(arguments); err != nil {
		return o, "", nil, err
	}
	if o.Limits.Walk == 0 {
		o.Limits.Walk = time.Minute + time.Duration(o.Size)*time.Minute/1_000_000
	}
	if *questions != "" {
		if o.Questions, err = regexp.Compile(*questions); err != nil {
			return o, "", nil, fmt.Errorf("-questions: %w", err)
		}
	}
	o.Gateway, err = filepath.Abs(o.Gateway)
	return o, directory, flags.Args(), err
}
