package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"time"

	"graphrest/internal/bench"
)

// feedArgument is the subcommand that measures the change feed; see measureFeed.
const feedArgument = "feed"

// measureFeed prints how far readers of the change feed are behind, on two gateways and a Neo4j that it starts.
func measureFeed(ctx context.Context, arguments []string, out, log io.Writer) error {
	o := bench.FeedOptions{Log: log}
	flags := flag.NewFlagSet("graphrest-bench feed", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.Gateway, "gateway", "bin/graphrest", "the gateway's `program`")
	flags.StringVar(&o.Dir, "dir", "", "`directory` that gets a temporary directory with the database; default that of the system")
	flags.StringVar(&o.Version, "neo4j", "", "exact Neo4j `version` to start")
	flags.IntVar(&o.HeapMB, "heap", 1024, "heap of Neo4j in `MiB`")
	flags.IntVar(&o.PageCacheMB, "pagecache", 512, "page cache of Neo4j in `MiB`")
	flags.IntVar(&o.Rate, "rate", 500, "changes a second, of all writers together")
	flags.IntVar(&o.Writers, "writers", 8, "clients that send one change after another, half of them to each gateway")
	flags.DurationVar(&o.WarmUp, "warm-up", 20*time.Second, "time before changes are counted")
	flags.DurationVar(&o.Duration, "duration", time.Minute, "time of the measurement")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if o.Rate < 1 || o.Writers < 1 {
		return errors.New("the rate and the number of writers must be at least 1")
	}
	return bench.MeasureFeed(ctx, o, out)
}
