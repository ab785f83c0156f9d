package neo4jdev

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// mainClasses are the entry points of Neo4j Community, newest first. A lookup in the jars selects the server's entry point,
// since it was renamed between 5.26 and 2026.08.
var mainClasses = []string{"org.neo4j.server.Neo4jCommunity", "org.neo4j.server.CommunityEntryPoint"}

const adminClass = "org.neo4j.server.startup.Neo4jAdminCommand"

// findRuntime returns the first available way to run Neo4j, in the order of the package comment.
func findRuntime(ctx context.Context, options Options) (serverRuntime, error) {
	if installed, err := installedJars(options); err != nil {
		return nil, err
	} else if installed != nil {
		return withJava(ctx, options, *installed)
	}
	version := options.Version
	if version == "" {
		version = DefaultVersion
	}
	cache, err := cacheDir(options, version)
	if err != nil {
		return nil, err
	}
	java, javaErr := findJava(ctx, options.JavaHome, version)
	if javaErr == nil {
		jars, err := assemble(ctx, options, cache, version, java)
		if err == nil {
			return &javaRuntime{java: java, jars: jars, archive: classArchivePath(cache, java)}, nil
		}
		javaErr = err
	}
	var missing *MissingError
	if !errors.As(javaErr, &missing) {
		return nil, javaErr
	}
	if docker := findDocker(ctx, version); docker != nil {
		options.logf("%v; running the Docker image instead", missing)
		return docker, nil
	}
	return nil, javaErr
}

func withJava(ctx context.Context, options Options, jars jarSet) (serverRuntime, error) {
	java, err := findJava(ctx, options.JavaHome, jars.neo4jVersion)
	if err != nil {
		return nil, err
	}
	return &javaRuntime{java: java, jars: jars}, nil
}

// jarSet is a complete Neo4j Community server: the jars in lib and their entry point.
type jarSet struct {
	lib, mainClass, neo4jVersion string
}

var neo4jJar = regexp.MustCompile(`^neo4j-([0-9]+\.[0-9]+\.[0-9]+)\.jar$`)

// readJars inspects a directory of jars. Its error names what the directory lacks.
func readJars(lib string) (jarSet, error) {
	entries, err := os.ReadDir(lib)
	if err != nil {
		return jarSet{}, err
	}
	for _, entry := range entries {
		match := neo4jJar.FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		mainClass, err := findMainClass(filepath.Join(lib, entry.Name()))
		if err != nil {
			return jarSet{}, err
		}
		return jarSet{lib: lib, mainClass: mainClass, neo4jVersion: match[1]}, nil
	}
	return jarSet{}, fmt.Errorf("%s holds no neo4j-<version>.jar", lib)
}

func findMainClass(jar string) (string, error) {
	archive, err := zip.OpenReader(jar)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", jar, err)
	}
	defer archive.Close()
	for _, class := range mainClasses {
		name := strings.ReplaceAll(class, ".", "/") + ".class"
		if slices.ContainsFunc(archive.File, func(file *zip.File) bool { return file.Name == name }) {
			return class, nil
		}
	}
	return "", fmt.Errorf("%s has none of the known main classes %s", jar, strings.Join(mainClasses, ", "))
}

// installedJars returns the jars of the server in NEO4J_HOME, nil if there is none or it has another version.
// Only its jars are used: the installation's own data and configuration are not changed.
func installedJars(options Options) (*jarSet, error) {
	home := os.Getenv("NEO4J_HOME")
	if home == "" {
		return nil, nil
	}
	lib := filepath.Join(home, "lib")
	jars, err := readJars(lib)
	if err != nil {
		return nil, fmt.Errorf("neo4jdev: NEO4J_HOME is set, but is no Neo4j server: %w", err)
	}
	if options.Version != "" && options.Version != jars.neo4jVersion {
		options.logf("NEO4J_HOME holds Neo4j %s, not %s: passed over", jars.neo4jVersion, options.Version)
		return nil, nil
	}
	enterprise, err := filepath.Glob(filepath.Join(lib, "*enterprise*.jar"))
	if err == nil && len(enterprise) > 0 {
		options.logf("NEO4J_HOME holds the Enterprise Edition, whose licence is not ours to accept: passed over")
		return nil, nil
	}
	options.logf("using the Neo4j %s in %s", jars.neo4jVersion, home)
	return &jars, nil
}

// javaRuntime runs the server's jars with a Java of this machine.
type javaRuntime struct {
	java javaHome
	jars jarSet
	// archive is where the class archive of these jars is, if it has been made; empty for an installation that is not ours to add to.
	archive string
	// archiveAtExit, if not empty, is the class archive that this server writes when it stops.
	archiveAtExit string
}

func (r *javaRuntime) version() string { return r.jars.neo4jVersion }

// kill does nothing: the process is the server.
func (r *javaRuntime) kill() {}

// lateSecondTier has the second-tier JIT compile what is called four times as often as by default. A test run plans hundreds of different
// statements, and with the defaults 45 % of the server's CPU time compiles code that hardly runs again.
var lateSecondTier = []string{
	"-XX:Tier4InvocationThreshold=20000", "-XX:Tier4MinInvocationThreshold=2400",
	"-XX:Tier4CompileThreshold=60000", "-XX:Tier4BackEdgeThreshold=160000",
}

// openedPackages are the JDK internals that Neo4j's own launcher opens too.
var openedPackages = []string{"java.nio", "java.io", "sun.nio.ch", "java.lang", "java.util.concurrent"}

func (r *javaRuntime) command(options Options, _ Credentials) (*exec.Cmd, syscall.Signal, error) {
	if err := writeConf(confFile(options.Dir), options.settings()); err != nil {
		return nil, 0, err
	}
	arguments := []string{
		fmt.Sprintf("-Xms%dm", min(256, options.HeapMB)),
		fmt.Sprintf("-Xmx%dm", options.HeapMB),
	}
	if options.Development {
		arguments = append(arguments, "-XX:+UseSerialGC")
		if options.FullJIT {
			arguments = append(arguments, lateSecondTier...)
		} else {
			arguments = append(arguments, "-XX:TieredStopAtLevel=1")
		}
		arguments = append(arguments, r.archiveArguments()...)
	} else {
		arguments = append(arguments, "-XX:+UseG1GC", "-XX:+AlwaysPreTouch")
		arguments[0] = fmt.Sprintf("-Xms%dm", options.HeapMB)
	}
	for _, name := range openedPackages {
		arguments = append(arguments, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	if r.java.major >= 24 {
		// Newer Java versions warn about intended behaviour of Neo4j's libraries.
		arguments = append(arguments, "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
	}
	arguments = append(arguments,
		"-Dio.netty.tryReflectionSetAccessible=true", "-Dfile.encoding=UTF-8",
		"-cp", r.classPath(), r.jars.mainClass,
		"--home-dir="+options.Dir, "--config-dir="+filepath.Dir(confFile(options.Dir)))
	command := exec.Command(r.java.binary(), arguments...)
	command.Dir = options.Dir
	command.Env = r.environment(options)
	// SIGKILL is the only signal that always ends it; Neo4j recovers at its next start.
	return command, syscall.SIGKILL, nil
}

func (r *javaRuntime) classPath() string { return filepath.Join(r.jars.lib, "*") }

func (r *javaRuntime) environment(options Options) []string {
	return append(foreignEnvironment(),
		"NEO4J_HOME="+options.Dir, "NEO4J_CONF="+filepath.Dir(confFile(options.Dir)))
}

// becauseOf returns the error of ctx, followed by the error of the command that the end of ctx killed.
func becauseOf(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", ctx.Err(), err)
}
