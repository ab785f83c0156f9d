package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"time"

	"graphrest/internal/bench"
)

// conditionsArgument is the subcommand that measures under conditions that the benchmark itself does not have; see measureConditions.
const conditionsArgument = "conditions"

// measureConditions measures the gateway with a remote database, beside writes, with too many clients and with equal requests, on a Neo4j
// that it starts.
func measureConditions(ctx context.Context, arguments []string, out, log io.Writer) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	o := bench.ConditionsOptions{Load: []string{own, loadArgument}, Serve: []string{own, serveArgument}, Log: log}
	flags := flag.NewFlagSet("graphrest-bench conditions", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	chosenConditions := flags.String("conditions", names(bench.Conditions()), "conditions, with semicolons between them")
	flags.IntVar(&o.Rounds, "rounds", 3, "rounds of each target in each cell")
	flags.DurationVar(&o.Round, "round", 450*time.Millisecond, "length of a round")
	flags.DurationVar(&o.WarmUp, "warm-up", 300*time.Millisecond, "warm-up of each target in each cell")
	flags.DurationVar(&o.RunIn, "run-in", 5*time.Second, "run-in of each target after its start")
	flags.DurationVar(&o.Overload, "overload", time.Minute, "how long there are too many clients")
	flags.StringVar(&o.Version, "neo4j", "", "exact Neo4j `version` to start")
	flags.IntVar(&o.HeapMB, "heap", 2048, "heap of Neo4j in `MiB`")
	flags.IntVar(&o.PageCacheMB, "pagecache", 512, "page cache of Neo4j in `MiB`")
	flags.StringVar(&o.Commit, "commit", "unknown", "the commit that is measured, for the report")
	directory := flags.String("out", "", "write conditions.md into this `directory`; else the report goes to standard output")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if o.Conditions, err = chosen(*chosenConditions, bench.Conditions()); err != nil {
		return err
	}
	report, err := bench.MeasureConditions(ctx, o)
	if err != nil {
		return err
	}
	if *directory == "" {
		_, err := io.WriteString(out, report.Markdown())
		return err
	}
	//nolint:gosec // a public document
	return os.WriteFile(filepath.Join(*directory, "conditions.md"), []byte(report.Markdown()), 0o644)
}
