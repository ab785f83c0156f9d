package neo4jdev

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// dockerRuntime runs the official image with the docker client.
type dockerRuntime struct {
	client       string
	neo4jVersion string
	container    string // the container's name
}

// findDocker returns nil if there is no docker client or no engine answers it.
func findDocker(ctx context.Context, version string) *dockerRuntime {
	client, err := exec.LookPath("docker")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if exec.CommandContext(ctx, client, "version", "--format", "{{.Server.Version}}").Run() != nil {
		return nil
	}
	container := "graphrest-neo4j-" + strings.ToLower(rand.Text()[:10])
	return &dockerRuntime{client: client, neo4jVersion: version, container: container}
}

func (r *dockerRuntime) version() string { return r.neo4jVersion }

// setInitialPassword does nothing: the image sets it from NEO4J_AUTH at its first start.
func (r *dockerRuntime) setInitialPassword(context.Context, Options, Credentials) error { return nil }

func (r *dockerRuntime) command(options Options, credentials Credentials) (*exec.Cmd, syscall.Signal, error) {
	environment := filepath.Join(options.Dir, "conf", "docker.env")
	if strings.ContainsAny(credentials.Password, "\r\n") {
		return nil, 0, errors.New("neo4jdev: the password holds a line break")
	}
	if err := os.WriteFile(environment, []byte(dockerEnvironment(options, credentials)), 0o600); err != nil {
		return nil, 0, fmt.Errorf("neo4jdev: write the container's environment: %w", err)
	}
	command := exec.Command(r.client, r.arguments(options, environment)...)
	command.Env = foreignEnvironment()
	// The client forwards SIGTERM to the container; SIGKILL would leave the container running.
	return command, syscall.SIGTERM, nil
}

// kill also ends the container, which would outlive its client.
func (r *dockerRuntime) kill() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// The error is ignored: the command fails if the container has already ended.
	_ = exec.CommandContext(ctx, r.client, "kill", r.container).Run()
}

func (r *dockerRuntime) arguments(options Options, environment string) []string {
	arguments := []string{
		"run", "--rm", "--name", r.container,
		"--env-file", environment,
		"--volume", filepath.Join(options.Dir, "data") + ":/data",
		"--volume", filepath.Join(options.Dir, "logs") + ":/logs",
		"--publish", loopback(options.BoltPort) + ":7687",
	}
	if uid := os.Getuid(); uid >= 0 {
		// The files in Dir must belong to the user who started the server.
		arguments = append(arguments, "--user", strconv.Itoa(uid)+":"+strconv.Itoa(os.Getgid()))
	}
	if options.HTTP {
		arguments = append(arguments, "--publish", loopback(options.HTTPPort)+":7474")
	}
	return append(arguments, "neo4j:"+r.neo4jVersion)
}

// dockerEnvironment returns the settings in the image's form: prefixed with NEO4J_, a dot becomes one underscore, an underscore two
// (Neo4j Operations Manual, Docker, "Modify the default configuration").
func dockerEnvironment(options Options, credentials Credentials) string {
	settings := options.settings()
	for key := range settings {
		if strings.HasSuffix(key, "listen_address") {
			delete(settings, key) // inside the container the image's own values apply
		}
	}
	settings["server.memory.heap.max_size"] = fmt.Sprintf("%dm", options.HeapMB)
	var text strings.Builder
	fmt.Fprintf(&text, "NEO4J_AUTH=%s/%s\n", credentials.Username, credentials.Password)
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		name := strings.ReplaceAll(strings.ReplaceAll(key, "_", "__"), ".", "_")
		fmt.Fprintf(&text, "NEO4J_%s=%s\n", name, settings[key])
	}
	return text.String()
}
