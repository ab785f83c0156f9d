// Command neo4jrun starts a real Neo4j, runs a command with NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD set for it,
// stops the Neo4j and exits with the command's code:
//
//	go run ./cmd/neo4jrun -- go test ./...
//
// The tests may empty that database (NEO4J_TEST_WIPE is set too). With -servers 2 it starts two such databases, so that two
// packages can test at a time; NEO4J_URI is the first, and both have the same password. NEO4J_TEST_HTTP lists the HTTP addresses
// of -http in the same order.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"graphrest/internal/neo4jdev"
)

// stopTimeout bounds the stop of Neo4j, which usually takes well under a second.
const stopTimeout = 30 * time.Second

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "neo4jrun:", err)
	}
	os.Exit(code)
}

// confFlag collects -conf key=value.
type confFlag map[string]string

func (c confFlag) String() string { return "" }

func (c confFlag) Set(line string) error {
	key, value, isPair := strings.Cut(line, "=")
	if !isPair || key == "" {
		return errors.New("want key=value")
	}
	c[key] = value
	return nil
}

// run returns the exit code: the command's own, 2 for wrong usage, 1 for a failure of neo4jrun itself.
func run(arguments []string) (int, error) {
	options := neo4jdev.Options{Log: os.Stderr, ExtraConf: confFlag{}}
	flags := flag.NewFlagSet("neo4jrun", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: neo4jrun [flags] [--] command [arguments]")
		flags.PrintDefaults()
	}
	flags.StringVar(&options.Version, "version", "", "exact Neo4j `version` (default "+neo4jdev.DefaultVersion+")")
	flags.StringVar(&options.Dir, "dir", "", "keep the data in this `directory` (default: a temporary one, removed at the end)")
	flags.BoolVar(&options.HTTP, "http", false, "switch Neo4j's HTTP server on and set NEO4J_HTTP_URL and NEO4J_TEST_HTTP")
	flags.BoolVar(&options.Development, "dev", false, "quick start and little memory; not for benchmarks")
	flags.BoolVar(&options.FullJIT, "full-jit", false, "with -dev: a server that runs for minutes, quicker once it is warm")
	flags.IntVar(&options.HeapMB, "heap", 0, "heap in `MiB`")
	flags.IntVar(&options.PageCacheMB, "pagecache", 0, "page cache in `MiB`")
	servers := flags.Int("servers", 1, "how `many` to start; with more than one each has its own data directory")
	install := flags.Bool("install", false, "install what is missing first (Debian and Ubuntu, as root)")
	flags.Var(confFlag(options.ExtraConf), "conf", "another line of neo4j.conf, `key=value`; may be given several times")
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		return 0, nil
	} else if err != nil {
		return 2, nil // the flag package has printed the reason
	}
	if flags.NArg() == 0 || *servers < 1 {
		flags.Usage()
		return 2, nil
	}
	options.ClassArchive = options.Development
	if *install {
		if err := neo4jdev.InstallMissing(context.Background(), os.Stderr); err != nil {
			return 1, err
		}
	}
	if options.Dir == "" {
		dir, err := os.MkdirTemp("", "neo4jrun-*")
		if err != nil {
			return 1, err
		}
		defer os.RemoveAll(dir)
		options.Dir = dir
	}
	return serve(serverOptions(options, *servers), flags.Args())
}

// serverOptions returns the options of each server.
func serverOptions(options neo4jdev.Options, count int) []neo4jdev.Options {
	if count == 1 {
		return []neo4jdev.Options{options}
	}
	all := make([]neo4jdev.Options, count)
	for i := range all {
		all[i] = options
		all[i].Dir = filepath.Join(options.Dir, strconv.Itoa(i+1))
	}
	return all
}

func serve(homes []neo4jdev.Options, command []string) (code int, err error) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	started := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-started:
		}
	}()
	servers, err := start(ctx, homes)
	close(started)
	defer func() {
		if stopErr := stop(servers); stopErr != nil && err == nil && code == 0 {
			code, err = 1, stopErr
		}
	}()
	if err != nil {
		return 1, err
	}
	return runCommand(command, environment(servers), signals)
}

// start starts the servers. With an error too it returns those that it has started. All servers get the password of the first.
func start(ctx context.Context, homes []neo4jdev.Options) (servers []*neo4jdev.Server, err error) {
	for _, options := range homes {
		if len(servers) > 0 {
			options.Password = servers[0].Password
		}
		server, err := neo4jdev.Start(ctx, options)
		if err != nil {
			return servers, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}

func stop(servers []*neo4jdev.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var failed []error
	for _, server := range servers {
		failed = append(failed, server.Stop(ctx))
	}
	return errors.Join(failed...)
}

func environment(servers []*neo4jdev.Server) []string {
	uris := make([]string, len(servers))
	for i, server := range servers {
		uris[i] = server.URI
	}
	first := servers[0]
	variables := append(os.Environ(),
		"NEO4J_URI="+first.URI,
		"NEO4J_USERNAME="+first.Username,
		"NEO4J_PASSWORD="+first.Password,
		"NEO4J_DATABASE=neo4j",
		"NEO4J_TEST_WIPE="+strings.Join(uris, ","))
	if first.HTTPURL != "" {
		urls := make([]string, len(servers))
		for i, server := range servers {
			urls[i] = server.HTTPURL
		}
		variables = append(variables, "NEO4J_HTTP_URL="+first.HTTPURL, "NEO4J_TEST_HTTP="+strings.Join(urls, ","))
	}
	return variables
}

// runCommand runs the command until it ends and forwards signals to it.
func runCommand(command, variables []string, signals <-chan os.Signal) (int, error) {
	child := exec.Command(command[0], command[1:]...)
	child.Env = variables
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		return 1, err
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for {
		select {
		case received := <-signals:
			// A terminal has already sent its own Ctrl-C to the command; a second one would request an immediate stop.
			if received != os.Interrupt || !fromTerminal() {
				_ = child.Process.Signal(received)
			}
		case err := <-ended:
			return exitCode(child, err)
		}
	}
}

func fromTerminal() bool {
	info, err := os.Stdin.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func exitCode(child *exec.Cmd, err error) (int, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, err
	}
	if status, isUnix := child.ProcessState.Sys().(syscall.WaitStatus); isUnix && status.Signaled() {
		return 128 + int(status.Signal()), nil // as a shell reports it
	}
	return child.ProcessState.ExitCode(), nil
}
