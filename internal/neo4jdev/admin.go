package neo4jdev

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Import creates the database neo4j in options.Dir, which must not contain one, from CSV files, with `neo4j-admin database import full`.
// The arguments are those of that command, for example "--nodes=/absolute/nodes.csv"; Import itself does not read the files. It needs
// a Java on this machine; Docker is not sufficient.
func Import(ctx context.Context, options Options, arguments ...string) error {
	return administer(ctx, options, append([]string{"database", "import", "full", "neo4j"}, arguments...)...)
}

// Dump writes the database of a server that is stopped, with its Options, to neo4j.dump in the directory to, as `neo4j-admin database
// dump` does. It needs a Java on this machine.
func Dump(ctx context.Context, options Options, to string) error {
	return administer(ctx, options, "database", "dump", "neo4j", "--to-path="+to)
}

// Load replaces the database of a server that is stopped by the one that Dump wrote into the directory from.
func Load(ctx context.Context, options Options, from string) error {
	return administer(ctx, options, "database", "load", "neo4j", "--from-path="+from, "--overwrite-destination=true")
}

// administer runs one of Neo4j's own administration commands in the home of a server that is stopped, or that never ran.
func administer(ctx context.Context, options Options, arguments ...string) error {
	if err := options.complete(); err != nil {
		return err
	}
	found, err := findRuntime(ctx, options)
	if err != nil {
		return err
	}
	jars, ok := found.(*javaRuntime)
	if !ok {
		return errors.New("neo4jdev: neo4j-admin needs Java on this machine")
	}
	lock, err := lockHome(ctx, options.Dir)
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := createHome(options.Dir); err != nil {
		return err
	}
	if err := writeConf(confFile(options.Dir), nil); err != nil {
		return err
	}
	if output, err := jars.adminCommand(ctx, options, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("neo4jdev: neo4j-admin database %s: %w\n--- what it said ---\n%s", arguments[1], becauseOf(ctx, err),
			lastPart(string(output)))
	}
	return nil
}

// adminCommand returns Neo4j's own administration command, ready to run in the server's home.
func (r *javaRuntime) adminCommand(ctx context.Context, options Options, arguments ...string) *exec.Cmd {
	all := append([]string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", fmt.Sprintf("-Xmx%dm", options.HeapMB), "-Dfile.encoding=UTF-8",
		"-cp", r.classPath(), adminClass,
	}, arguments...)
	command := exec.CommandContext(ctx, r.java.binary(), all...)
	command.Dir = options.Dir
	command.Env = r.environment(options)
	return command
}

func lastPart(output string) string {
	const most = 2000
	output = strings.TrimSpace(output)
	return output[max(0, len(output)-most):]
}
