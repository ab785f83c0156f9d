package neo4jdev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// javaHome is an installed Java and its major version, for example 17.
type javaHome struct {
	home  string
	major int
}

func (j javaHome) binary() string { return javaBinary(j.home) }

func javaBinary(home string) string {
	name := "java"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(home, "bin", name)
}

// javaNeed contains the requirements of a Neo4j version: the oldest Java that runs it, and the supported ones, best first.
type javaNeed struct {
	oldest    int
	preferred []int
}

// javaFor follows Neo4j's system requirements: 5.26 supports Java 17 and 21 (newer ones run it slowly and with
// warnings), the calendar releases for 21 and 25.
func javaFor(version string) javaNeed {
	major, _, _ := strings.Cut(version, ".")
	if number, err := strconv.Atoi(major); err == nil && number < 2025 {
		return javaNeed{oldest: 17, preferred: []int{17, 21}}
	}
	return javaNeed{oldest: 21, preferred: []int{25, 21}}
}

// rank orders the suitable Java versions, best first.
func (n javaNeed) rank(major int) int {
	if at := slices.Index(n.preferred, major); at >= 0 {
		return at
	}
	return len(n.preferred) + major
}

// findJava returns the most suitable installed Java. fixed, if not empty, is the only one considered.
// The error is a *MissingError if none is suitable.
func findJava(ctx context.Context, fixed, version string) (javaHome, error) {
	need := javaFor(version)
	if fixed != "" {
		major, err := javaVersion(ctx, fixed)
		if err != nil {
			return javaHome{}, fmt.Errorf("neo4jdev: no usable Java in %s: %w", fixed, err)
		}
		if major < need.oldest {
			return javaHome{}, fmt.Errorf("neo4jdev: Neo4j %s needs Java %d or newer, %s is Java %d",
				version, need.oldest, fixed, major)
		}
		return javaHome{home: fixed, major: major}, nil
	}
	var fit []javaHome
	var old []string
	for _, home := range javaHomes() {
		major, err := javaVersion(ctx, home)
		switch {
		case ctx.Err() != nil:
			return javaHome{}, fmt.Errorf("neo4jdev: look for Java: %w", ctx.Err())
		case err != nil:
		case major < need.oldest:
			old = append(old, fmt.Sprintf("Java %d in %s", major, home))
		case major == need.preferred[0]:
			return javaHome{home: home, major: major}, nil
		default:
			fit = append(fit, javaHome{home: home, major: major})
		}
	}
	if len(fit) == 0 {
		return javaHome{}, missingJava(version, need, old)
	}
	return slices.MinFunc(fit, func(a, b javaHome) int {
		return cmp.Compare(need.rank(a.major), need.rank(b.major))
	}), nil
}

// usualJavaHomes are the directories into which packages install Java: Debian and Fedora, SDKMAN, Homebrew and macOS.
var usualJavaHomes = []string{
	"/usr/lib/jvm/*",
	"/usr/java/*",
	"/opt/java/*",
	"~/.sdkman/candidates/java/*",
	"/opt/homebrew/opt/openjdk*",
	"/Library/Java/JavaVirtualMachines/*/Contents/Home",
}

// javaHomes lists the installations to check, each once: JAVA_HOME, the one in PATH, then the usual directories.
func javaHomes() []string {
	var homes []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		homes = append(homes, home)
	}
	if binary, err := exec.LookPath("java"); err == nil {
		if resolved, err := filepath.EvalSymlinks(binary); err == nil {
			homes = append(homes, filepath.Dir(filepath.Dir(resolved)))
		}
	}
	userHome, _ := os.UserHomeDir()
	for _, pattern := range usualJavaHomes {
		found, err := filepath.Glob(strings.Replace(pattern, "~", userHome, 1))
		if err == nil {
			homes = append(homes, found...)
		}
	}
	var distinct []string
	for _, home := range homes {
		resolved, err := filepath.EvalSymlinks(javaBinary(home))
		if err != nil {
			continue
		}
		if home = filepath.Dir(filepath.Dir(resolved)); !slices.Contains(distinct, home) {
			distinct = append(distinct, home)
		}
	}
	return distinct
}

var javaVersionLine = regexp.MustCompile(`version "([0-9]+)(?:\.([0-9]+))?`)

// javaVersion runs `java -version` and returns the major version; 1.8 is 8.
func javaVersion(ctx context.Context, home string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	output, err := exec.CommandContext(ctx, javaBinary(home), "-version").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("java -version: %w", err)
	}
	return parseJavaVersion(string(output))
}

func parseJavaVersion(output string) (int, error) {
	match := javaVersionLine.FindStringSubmatch(output)
	if match == nil {
		return 0, errors.New("java -version printed no version")
	}
	if match[1] == "1" && match[2] != "" {
		return strconv.Atoi(match[2])
	}
	return strconv.Atoi(match[1])
}
