package neo4jdev

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

func TestTwoProcessesAssembleOnce(t *testing.T) {
	testmark.Long(t)
	cache := filepath.Join(t.TempDir(), "neo4j")
	require.NoError(t, os.MkdirAll(filepath.Join(cache, "lib"), 0o755), "a broken cache is in the way")
	var outputs [2]bytes.Buffer
	var processes [2]*exec.Cmd
	for i := range processes {
		processes[i] = exec.Command(os.Args[0], cache)
		processes[i].Env = append(os.Environ(), helperVariable+"=assemble")
		processes[i].Stdout, processes[i].Stderr = &outputs[i], &outputs[i]
		require.NoError(t, processes[i].Start())
	}
	fetches := 0
	for i, process := range processes {
		require.NoError(t, process.Wait(), "%s", outputs[i].String())
		require.Contains(t, outputs[i].String(), "main class org.neo4j.server.CommunityEntryPoint")
		fetches += strings.Count(outputs[i].String(), "fetching Neo4j")
	}
	require.Equal(t, 1, fetches)
	leftovers, err := filepath.Glob(filepath.Join(filepath.Dir(cache), ".assembling-*"))
	require.NoError(t, err)
	require.Empty(t, leftovers)
}

func TestMissingToolsAreNamed(t *testing.T) {
	java17 := fakeJava(t, "17.0.15")
	java11 := fakeJava(t, "11.0.2")
	tests := []struct {
		name, version, javaHome string
		missing                 []string
		wantMessages            []string
	}{
		{
			"nothing at all", Version526, "",
			[]string{"Java 17 or 21", "Maven (mvn)"},
			[]string{"apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven", "Docker", "NEO4J_URI"},
		},
		{"Java too old", Version526, java11, []string{"Java 17 or 21", "Maven (mvn)"}, []string{"Java 11 in " + java11}},
		{"no Maven", Version526, java17, []string{"Maven (mvn)"}, []string{"install -y --no-install-recommends maven)"}},
		{
			"calendar release", VersionCalendar, java17,
			[]string{"Java 21 or 25", "Maven (mvn)"},
			[]string{"openjdk-21-jdk-headless maven", "Java 17 in "},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			emptyMachine(t, test.javaHome)
			_, err := Start(context.Background(), Options{Dir: t.TempDir(), CacheDir: filepath.Join(t.TempDir(), "none"), Version: test.version})
			var missing *MissingError
			require.ErrorAs(t, err, &missing)
			require.Equal(t, test.missing, missing.Missing)
			for _, text := range test.wantMessages {
				require.ErrorContains(t, err, text)
			}
		})
	}
}

func TestFindJavaPrefersTheFittest(t *testing.T) {
	java11, java17, java21 := fakeJava(t, "11.0.2"), fakeJava(t, "17.0.15"), fakeJava(t, "21")
	java25, java26 := fakeJava(t, "25.0.1"), fakeJava(t, "26-ea")
	tests := []struct {
		name, version string
		installed     []string // the first is JAVA_HOME
		want          string
	}{
		{"5.26 prefers 17", Version526, []string{java25, java21, java17}, java17},
		{"5.26 takes 21", Version526, []string{java25, java11, java21}, java21},
		{"5.26 takes a newer one if it must", Version526, []string{java26, java25}, java25},
		{"calendar prefers 25", VersionCalendar, []string{java17, java21, java25}, java25},
		{"calendar takes 21", VersionCalendar, []string{java26, java21}, java21},
		{"calendar takes a newer one if it must", VersionCalendar, []string{java17, java26}, java26},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			emptyMachine(t, test.installed[0])
			usualJavaHomes = test.installed[1:]
			found, err := findJava(t.Context(), "", test.version)
			require.NoError(t, err)
			require.Equal(t, test.want, found.home)
		})
	}
	_, err := findJava(t.Context(), java17, VersionCalendar)
	require.ErrorContains(t, err, "needs Java 21 or newer")
}

func TestParseJavaVersion(t *testing.T) {
	for text, want := range map[string]int{
		"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime":             17,
		"openjdk version \"25\" 2025-09-16":                                   25,
		"java version \"1.8.0_292\"":                                          8,
		"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"21-ea\" 2023": 21,
	} {
		got, err := parseJavaVersion(text)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
	_, err := parseJavaVersion("The operation couldn't be completed. Unable to locate a Java Runtime.")
	require.Error(t, err)
}

func TestNeo4jHomeMustBeAServer(t *testing.T) {
	t.Setenv("NEO4J_HOME", t.TempDir())
	_, err := Start(t.Context(), Options{Dir: t.TempDir()})
	require.ErrorContains(t, err, "NEO4J_HOME")
}

func TestDockerGetsItsSettings(t *testing.T) {
	options := Options{
		Dir: "/data/home", BoltPort: 7001, HTTP: true, HTTPPort: 7002,
		ExtraConf: map[string]string{"db.transaction.timeout": "5s"},
	}
	require.NoError(t, options.complete())
	docker := &dockerRuntime{client: "docker", neo4jVersion: Version526, container: "name"}
	arguments := strings.Join(docker.arguments(options, "/data/home/conf/docker.env"), " ")
	require.Contains(t, arguments, "--publish 127.0.0.1:7001:7687")
	require.Contains(t, arguments, "--publish 127.0.0.1:7002:7474")
	require.Contains(t, arguments, "--volume /data/home/data:/data")
	require.True(t, strings.HasSuffix(arguments, " neo4j:"+Version526))
	require.NotContains(t, arguments, "secret-password", "arguments are visible to every user")

	environment := dockerEnvironment(options, Credentials{Username: "neo4j", Password: "secret-password"})
	require.Contains(t, environment, "NEO4J_AUTH=neo4j/secret-password\n")
	require.Contains(t, environment, "NEO4J_db_transaction_timeout=5s\n")
	require.Contains(t, environment, "NEO4J_dbms_usage__report_enabled=false\n")
	require.Contains(t, environment, "NEO4J_server_bolt_advertised__address=127.0.0.1:7001\n")
	require.NotContains(t, environment, "listen__address", "the container listens as the image has it")
}

// emptyMachine hides every tool of this machine except one Java.
func emptyMachine(t *testing.T, javaHome string) {
	t.Helper()
	t.Setenv("PATH", "")
	t.Setenv("NEO4J_HOME", "")
	t.Setenv("JAVA_HOME", javaHome)
	usual := usualJavaHomes
	t.Cleanup(func() { usualJavaHomes = usual })
	usualJavaHomes = nil
}

// fakeJava creates a Java that only prints its version.
func fakeJava(t *testing.T, version string) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(home, "bin"), 0o755))
	script := fmt.Sprintf("#!/bin/sh\necho 'openjdk version \"%s\" 2025-01-01' >&2\n", version)
	require.NoError(t, os.WriteFile(filepath.Join(home, "bin", "java"), []byte(script), 0o755))
	return home
}
