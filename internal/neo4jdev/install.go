package neo4jdev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// MissingError reports that Neo4j cannot run on this machine until something is installed.
type MissingError struct {
	// Version is the requested Neo4j.
	Version string
	// Missing names the tools, for example "Java 17 or 21" and "Maven (mvn)".
	Missing []string
	// Found describes what was found instead, for people; it may be empty.
	Found string
	// packages of Debian and Ubuntu that contain what is missing.
	packages []string
}

// Error describes what is missing and how to get it.
func (e *MissingError) Error() string {
	text := fmt.Sprintf("neo4jdev: to run Neo4j %s this machine lacks %s", e.Version, strings.Join(e.Missing, " and "))
	if e.Found != "" {
		text += " (there is " + e.Found + ")"
	}
	return text + ". Install it (Debian, Ubuntu: " + e.AptLine() +
		"), or start a Docker engine, or set NEO4J_URI to a Neo4j that already runs"
}

// AptLine returns the command that installs what is missing on Debian or Ubuntu.
func (e *MissingError) AptLine() string {
	return "apt-get update && apt-get install -y --no-install-recommends " + strings.Join(e.packages, " ")
}

func missingJava(version string, need javaNeed, old []string) *MissingError {
	packages := []string{fmt.Sprintf("openjdk-%d-jdk-headless", need.oldest)}
	missing := []string{fmt.Sprintf("Java %d or %d", min(need.preferred[0], need.preferred[1]), max(need.preferred[0], need.preferred[1]))}
	if _, err := exec.LookPath("mvn"); err != nil {
		packages = append(packages, "maven")
		missing = append(missing, "Maven (mvn)")
	}
	return &MissingError{Version: version, Missing: missing, Found: strings.Join(old, ", "), packages: packages}
}

func missingMaven(version string) *MissingError {
	return &MissingError{Version: version, Missing: []string{"Maven (mvn)"}, packages: []string{"maven"}}
}

// Check reports whether Start could run a Neo4j of this version here without installing anything: nil, or a
// *MissingError. It downloads nothing. An empty version means DefaultVersion.
func Check(ctx context.Context, version string) error {
	if version == "" {
		version = DefaultVersion
	}
	_, err := findJava(ctx, "", version)
	if err == nil {
		err = checkJars(version)
	}
	var missing *MissingError
	if errors.As(err, &missing) && findDocker(ctx, version) != nil {
		return nil
	}
	return err
}

// checkJars reports whether the jars are present or Maven is present to download them.
func checkJars(version string) error {
	if jars, err := installedJars(Options{Version: version}); err == nil && jars != nil {
		return nil
	}
	if cache, err := cacheDir(Options{}, version); err == nil {
		if _, err := cachedJars(cache, version); err == nil {
			return nil
		}
	}
	if _, err := exec.LookPath("mvn"); err != nil {
		return missingMaven(version)
	}
	return nil
}

// InstallMissing installs what Start lacks for DefaultVersion: on Debian or Ubuntu, as root, by apt-get, with its
// output on log. Elsewhere, and without root, it changes nothing and returns the *MissingError with the steps to
// take. It returns nil if nothing is missing.
func InstallMissing(ctx context.Context, log io.Writer) error {
	err := Check(ctx, DefaultVersion)
	var missing *MissingError
	if !errors.As(err, &missing) {
		return err
	}
	aptGet, lookErr := exec.LookPath("apt-get")
	if _, statErr := os.Stat("/etc/debian_version"); lookErr != nil || statErr != nil || os.Geteuid() != 0 {
		return missing
	}
	fmt.Fprintf(log, "this machine lacks %s: apt-get installs %s\n",
		strings.Join(missing.Missing, " and "), strings.Join(missing.packages, " "))
	install := append([]string{"install", "-y", "--no-install-recommends"}, missing.packages...)
	for _, arguments := range [][]string{{"update"}, install} {
		command := exec.CommandContext(ctx, aptGet, arguments...)
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		command.Stdout, command.Stderr = log, log
		if err := command.Run(); err != nil {
			return fmt.Errorf("neo4jdev: apt-get %s: %w", strings.Join(arguments, " "), err)
		}
	}
	return Check(ctx, DefaultVersion)
}
