// Package testmark says in a test which runs it belongs to. A test without a marker belongs to all but those of one marker.
//
//	func TestLargeDelete(t *testing.T) {
//		testmark.Long(t)
//		testmark.Concurrent(t)
//		db := neo4jtest.OpenPrepared(t)
//
// The Makefile and .ci/run choose by the variables below. Without them, as in a plain `go test`, every test runs.
package testmark

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The names do not begin with GRAPHREST_: a gateway that a test starts refuses a variable of that prefix that is no setting.
const (
	// LongVariable is "no" to leave out the tests marked Long, or the number of a day to run a part of them.
	LongVariable = "TESTMARK_LONG"
	// OnlyVariable names a marker: of the tests that use Neo4j, only those with it run. With a number of days, as in "EveryRelease/3", each
	// of them that is not marked Long runs on one of so many days.
	OnlyVariable = "TESTMARK_ONLY"
	// WithoutVariable names markers, separated by commas: tests with one do not run. With a number of days, as in "EveryRelease/3", those
	// are left out, of the ones that use Neo4j and are not marked Long, that OnlyVariable would choose by the same text.
	WithoutVariable = "TESTMARK_WITHOUT"
)

// Days is after how many days each test marked Long has run in continuous integration.
const Days = 7

const (
	long         = "Long"
	everyRelease = "EveryRelease"
	concurrent   = "Concurrent"
)

// Long marks a test that takes long, and whose kind of mistake a shorter test finds in its simplest form: `make test` leaves it out,
// continuous integration runs it on one day of seven, `make test-all` always.
func Long(t testing.TB) {
	t.Helper()
	mark(t, long)
}

// EveryRelease marks a test whose outcome depends on the release of Neo4j, on its parser, planner, values, locks or errors: continuous
// integration runs it on the release with long-term support on two days of three, and on the calendar release on the third. One that is
// marked Long as well runs on each of them on one day of seven.
func EveryRelease(t testing.TB) {
	t.Helper()
	mark(t, everyRelease)
}

// Concurrent marks a test in which requests, replicas or streams meet: continuous integration runs it with the race detector on one day of
// two, and without on the other.
func Concurrent(t testing.TB) {
	t.Helper()
	mark(t, concurrent)
}

var (
	mu sync.Mutex
	// markers are those of the tests of this process, by the names of the tests.
	markers = make(map[string][]string)
	// began are the tests that use Neo4j, for which a marker is too late.
	began = make(map[string]bool)
)

func mark(t testing.TB, marker string) {
	t.Helper()
	mu.Lock()
	late := began[t.Name()]
	markers[t.Name()] = append(markers[t.Name()], marker)
	mu.Unlock()
	if late {
		t.Fatalf("testmark.%s must precede the use of Neo4j", marker)
	}
	if reason := fromEnvironment().omit(t.Name(), marker); reason != "" {
		t.Skip(reason)
	}
}

// RequireChosen skips a test that is about to use Neo4j unless this run includes it. Package neo4jtest calls it.
func RequireChosen(t testing.TB) {
	t.Helper()
	mu.Lock()
	began[t.Name()] = true
	mu.Unlock()
	if reason := fromEnvironment().leaveOut(t.Name(), func(marker string) bool { return has(t.Name(), marker) }); reason != "" {
		t.Skip(reason)
	}
}

// Rotates reports whether this run is one of those that include each part of a suite on some days only: the number of the day is known.
func Rotates() bool { return fromEnvironment().knowsDay() }

func (c choice) knowsDay() bool {
	_, err := strconv.Atoi(c.long)
	return err == nil
}

// IsTurn reports whether the part of a suite with a name runs today, of so many days. Without the number of a day it does.
func IsTurn(name string, days int) bool { return fromEnvironment().isTurn(name, days) }

// has reports whether a test or one that it is a part of has a marker.
func has(name, marker string) bool {
	mu.Lock()
	defer mu.Unlock()
	for {
		if slices.Contains(markers[name], marker) {
			return true
		}
		end := strings.LastIndexByte(name, '/')
		if end < 0 {
			return false
		}
		name = name[:end]
	}
}

// choice is what the variables say.
type choice struct {
	long, only, without string
}

func fromEnvironment() choice {
	return choice{os.Getenv(LongVariable), os.Getenv(OnlyVariable), os.Getenv(WithoutVariable)}
}

// omit returns the reason why a test with a marker does not run, or "".
func (c choice) omit(name, marker string) string {
	switch {
	case slices.Contains(c.withoutEach(), marker):
		return fmt.Sprintf("%s=%s", WithoutVariable, c.without)
	case marker != long || c.long == "":
		return ""
	case c.long == "no":
		return "`make test-all` runs this test"
	}
	if _, err := strconv.Atoi(c.long); err != nil {
		return fmt.Sprintf("%s=%q is neither \"no\" nor the number of a day", LongVariable, c.long)
	}
	return c.wait(dayOf(name), Days)
}

// leaveOut returns the reason why a test that uses Neo4j and has the markers that a function reports does not run, or "".
func (c choice) leaveOut(name string, isMarked func(marker string) bool) string {
	for _, without := range c.withoutEach() {
		marker, days, inTurns := strings.Cut(without, "/")
		if inTurns && isMarked(marker) && !isMarked(long) && c.waitForTurn(name, days) == "" && c.knowsDay() {
			return fmt.Sprintf("%s=%s, and it is the turn of the test", WithoutVariable, c.without)
		}
	}
	only, days, inTurns := strings.Cut(c.only, "/")
	switch {
	case only == "":
		return ""
	case !isMarked(only):
		return fmt.Sprintf("%s=%s, and the test is not marked so", OnlyVariable, c.only)
	case !inTurns || isMarked(long):
		return ""
	}
	return c.waitForTurn(name, days)
}

// waitForTurn returns on which other days a test that runs on one of so many runs, or "" if it runs on this one.
func (c choice) waitForTurn(name, days string) string {
	number, err := strconv.Atoi(days)
	if err != nil || number < 1 {
		return fmt.Sprintf("%q: after the slash of a marker must be a number of days", days)
	}
	root, _, _ := strings.Cut(name, "/") // the parts of a test run on the same day
	return c.wait(turnOf(root, number), number)
}

func (c choice) withoutEach() []string { return strings.Split(c.without, ",") }

// wait returns on which other days something runs whose day of so many is day, or "" if it runs on this one.
func (c choice) wait(day, days int) string {
	if number, err := strconv.Atoi(c.long); err != nil || number%days == day {
		return ""
	}
	return fmt.Sprintf("this test runs on days whose number leaves %d when divided by %d, and with `make test-all`", day, days)
}

func (c choice) isTurn(name string, days int) bool { return c.wait(turnOf(name, days), days) == "" }

// dayOf is the day, from 0, on which a test marked Long runs.
func dayOf(name string) int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	return int(sum.Sum32() % Days)
}

// turnOf is the day, from 0 and of a few, on which what has a name runs. Its hash is another one because it spreads the longest tests and
// subjects evenly over three days.
func turnOf(name string, days int) int {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name))
	return int(sum.Sum64() % uint64(days))
}
