package neo4jdev

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// errPortTaken reports that Neo4j could not bind its port.
var errPortTaken = errors.New("the port is taken")

// serverRuntime is one way to run a server: Java with a set of jars, or Docker.
type serverRuntime interface {
	// version is the exact Neo4j version.
	version() string
	// setInitialPassword prepares a home that was never started.
	setInitialPassword(ctx context.Context, options Options, credentials Credentials) error
	// command returns the server's command, and the signal that ends its process when its parent ends.
	command(options Options, credentials Credentials) (*exec.Cmd, syscall.Signal, error)
	// kill ends what would outlive a kill of the process.
	kill()
}

// launch starts the process and waits until it speaks Bolt. On failure nothing is left running.
func launch(ctx context.Context, found serverRuntime, options Options, credentials Credentials, lock *Lock) (*Server, error) {
	logFile := filepath.Join(options.Dir, "logs", "neo4j.log")
	logOffset := fileSize(logFile)
	command, whenOrphaned, err := found.command(options, credentials)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	child, err := startProcess(command, whenOrphaned, lock.file, found.kill)
	if err != nil {
		return nil, err
	}
	if err := awaitReady(ctx, child, options); err != nil {
		if !child.ended() {
			err = errors.Join(err, child.kill())
		}
		return nil, startFailure(err, found.version(), child.output.String(), lastLines(logFile, logOffset, 30))
	}
	options.Version = found.version()
	options.logf("Neo4j %s is ready after %s", options.Version, time.Since(began).Round(10*time.Millisecond))
	server := &Server{
		URI:      "bolt://" + loopback(options.BoltPort),
		Username: credentials.Username,
		Password: credentials.Password,
		Version:  options.Version,
		options:  options,
		process:  child,
		lock:     lock,
	}
	if options.HTTP {
		server.HTTPURL = "http://" + loopback(options.HTTPPort)
	}
	return server, nil
}

// awaitReady waits until Bolt answers and, if requested, HTTP, which Neo4j opens a little later.
func awaitReady(ctx context.Context, child *process, options Options) error {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-child.done:
			return fmt.Errorf("the server ended during its start: %w", orExitZero(child.result))
		case <-ctx.Done():
			return fmt.Errorf("the server was not ready in time: %w", ctx.Err())
		case <-ticker.C:
			ready := speaksBolt(ctx, loopback(options.BoltPort)) == nil &&
				(!options.HTTP || speaksHTTP(ctx, loopback(options.HTTPPort)) == nil)
			if ready && !child.ended() {
				return nil
			}
		}
	}
}

// speaksHTTP reports whether Neo4j's HTTP server answers its discovery request.
func speaksHTTP(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return err
	}
	// A separate client does not use the process's proxies and idle connections.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	return nil
}

func orExitZero(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// startFailure appends the server's output to the error of a start.
func startFailure(cause error, version, output, log string) error {
	said := strings.TrimSpace(strings.TrimSpace(output) + "\n" + strings.TrimSpace(log))
	if strings.Contains(said, "Address already in use") || strings.Contains(said, "is already in use") {
		cause = errors.Join(errPortTaken, cause)
	}
	if said == "" {
		said = "(it printed nothing)"
	}
	return fmt.Errorf("neo4jdev: Neo4j %s did not start: %w\n--- what it said ---\n%s", version, cause, said)
}

// foreignEnvironment is this process' environment without variables that a Neo4j would read as settings, or that
// carry a secret of another server.
func foreignEnvironment() []string {
	var kept []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "NEO4J_") {
			kept = append(kept, variable)
		}
	}
	return kept
}
