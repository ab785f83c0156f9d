package neo4jdev

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed runtime-pom.xml
var runtimePom []byte

// cacheDir returns the directory in which the jars of a version are kept: Options.CacheDir, the user's cache directory, or, if the user
// has none (a bare container), a directory beside the data.
func cacheDir(options Options, version string) (string, error) {
	if options.CacheDir != "" {
		return filepath.Abs(options.CacheDir)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(options.Dir, "server-"+version), nil //nolint:nilerr // no cache directory is what this falls back from
	}
	return filepath.Join(base, "graphrest", "neo4j-"+version), nil
}

// assemble returns the server kept in cache, fetching it first if it is not there. Processes that assemble the
// same version at the same time wait for the first of them; a failed download never leaves a cache that appears complete.
// The error is a *MissingError when Maven must be installed.
func assemble(ctx context.Context, options Options, cache, version string, java javaHome) (jarSet, error) {
	if jars, err := cachedJars(cache, version); err == nil {
		return jars, nil
	}
	maven, err := exec.LookPath("mvn")
	if err != nil {
		return jarSet{}, missingMaven(version)
	}
	if err := os.MkdirAll(filepath.Dir(cache), 0o755); err != nil {
		return jarSet{}, fmt.Errorf("neo4jdev: make the cache directory: %w", err)
	}
	lock, err := LockFile(ctx, cache+".lock")
	if err != nil {
		return jarSet{}, fmt.Errorf("neo4jdev: another process assembles Neo4j %s: %w", version, err)
	}
	defer lock.Release()
	if jars, err := cachedJars(cache, version); err == nil {
		return jars, nil
	}
	if err := fetch(ctx, options, cache, version, maven, java); err != nil {
		return jarSet{}, err
	}
	return cachedJars(cache, version)
}

// cachedJars reads a cache, which is either complete or absent, since it is renamed into place.
func cachedJars(cache, version string) (jarSet, error) {
	jars, err := readJars(filepath.Join(cache, "lib"))
	if err != nil {
		return jarSet{}, fmt.Errorf("neo4jdev: the assembled server: %w", err)
	}
	if jars.neo4jVersion != version {
		return jarSet{}, fmt.Errorf("neo4jdev: %s holds Neo4j %s, not %s", cache, jars.neo4jVersion, version)
	}
	return jars, nil
}

// fetch downloads the server and its dependencies with Maven, and then renames the complete directory into place.
func fetch(ctx context.Context, options Options, cache, version, maven string, java javaHome) error {
	options.logf("fetching Neo4j %s (about 150 MB) into %s, once", version, cache)
	began := time.Now()
	work, err := os.MkdirTemp(filepath.Dir(cache), ".assembling-*")
	if err != nil {
		return fmt.Errorf("neo4jdev: assemble Neo4j: %w", err)
	}
	defer os.RemoveAll(work)
	pom := filepath.Join(work, "pom.xml")
	if err := os.WriteFile(pom, runtimePom, 0o644); err != nil {
		return fmt.Errorf("neo4jdev: assemble Neo4j: %w", err)
	}
	var output bytes.Buffer
	command := exec.CommandContext(ctx, maven, "--quiet", "--batch-mode", "--strict-checksums", "--file", pom,
		"dependency:copy-dependencies", "-Dneo4j.version="+version,
		"-DincludeScope=runtime", "-DoutputDirectory="+filepath.Join(work, "lib"))
	command.Dir = work
	command.Env = append(os.Environ(), "JAVA_HOME="+java.home)
	command.Stdout, command.Stderr = &output, &output
	command.WaitDelay = 5 * time.Second
	if err := command.Run(); err != nil {
		said := strings.TrimSpace(output.String())
		return fmt.Errorf("neo4jdev: Maven could not fetch Neo4j %s: %w\n--- what it said ---\n%s", version, becauseOf(ctx, err),
			said[max(0, len(said)-4000):])
	}
	if _, err := cachedJars(work, version); err != nil {
		return err
	}
	// An existing directory is not a complete server, otherwise it would have been used.
	if err := errors.Join(os.RemoveAll(cache), os.Rename(work, cache)); err != nil {
		return fmt.Errorf("neo4jdev: assemble Neo4j: %w", err)
	}
	if err := os.Chmod(cache, 0o755); err != nil {
		return fmt.Errorf("neo4jdev: assemble Neo4j: %w", err)
	}
	options.logf("fetched it in %s", time.Since(began).Round(time.Second))
	return nil
}
