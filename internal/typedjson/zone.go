package typedjson

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // named zones must work where the system has no zone files
)

// Neo4j stores a named zone as a number of its own table (resource TZIDS of neo4j-values, the same in 5.26 and
// 2026.08). Compared with Go's zone data:
//
//   - Go knows, Neo4j refuses: EST, HST, MST, ROC, GMT+0, GMT-0. They are refused here. Neo4j stores Factory as Etc/UTC.
//   - Neo4j's table has, Go does not know: US/Pacific-New and Canada/East-Saskatchewan, which Neo4j answers as US/Pacific
//     and Canada/Saskatchewan; and the zones in foreignZones, which Java still carries. For these the Go driver answers
//     dbtype.InvalidValue instead of a time.

// javaOnlyZones can be stored but Go cannot compute with them: their times are written and read as instants in UTC.
var javaOnlyZones = map[string]bool{
	"SystemV/AST4": true, "SystemV/AST4ADT": true, "SystemV/CST6": true, "SystemV/CST6CDT": true,
	"SystemV/EST5": true, "SystemV/EST5EDT": true, "SystemV/HST10": true, "SystemV/MST7": true,
	"SystemV/MST7MDT": true, "SystemV/PST8": true, "SystemV/PST8PDT": true, "SystemV/YST9": true,
	"SystemV/YST9YDT": true,
}

// rejectedZones are names that Go resolves and that name no zone to Neo4j, or another one.
var rejectedZones = map[string]bool{
	"": true, "Local": true, "localtime": true, "posixrules": true, "Factory": true,
	"EST": true, "HST": true, "MST": true, "ROC": true, "GMT+0": true, "GMT-0": true,
}

// zones holds *time.Location by name. Only names that exist get in, so it stays small; reading a zone costs a file.
var zones sync.Map

// loadZone finds a named zone; nil when there is none that both sides know.
func loadZone(name string) *time.Location {
	if l, ok := zones.Load(name); ok {
		return l.(*time.Location)
	}
	if rejectedZones[name] || strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return nil
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	name = strings.Clone(name)
	zones.Store(name, l)
	return l
}

// offsetAt is a zone's offset at an instant, in seconds east of UTC.
func offsetAt(l *time.Location, second int64) int {
	_, offset := time.Unix(second, 0).In(l).Zone()
	return offset
}

// resolveLocalTime finds the instant that a zone's clock shows as local. Where the clock shows it twice the earlier offset counts;
// where it skips it the time is moved forward by the length of the gap (java.time.ZonedDateTime.ofLocal).
// It looks for changes of the offset in steps of three hours around the instant, which no zone changes within twice.
// time.Time.ZoneBounds is of no use here: on 31 December of a leap year, in years that only the zone's rule covers, Go
// 1.26 gives an end that lies in the past, and a walk from period to period would never end.
func resolveLocalTime(l *time.Location, local int64) int64 {
	const step = 3 * 3600
	from := local - secondsPerDay // offsets are less than a day, so the instant sought is later
	before := offsetAt(l, from)
	for ; from < local+secondsPerDay; from += step {
		after := offsetAt(l, from+step)
		if after == before {
			continue
		}
		change := changeBetween(l, from, from+step)
		if local < change+int64(max(before, after)) {
			break
		}
		before = after
	}
	return local - int64(before)
}

// changeBetween is the first second with the later offset, of two instants with different offsets.
func changeBetween(l *time.Location, from, to int64) int64 {
	for before := offsetAt(l, from); to-from > 1; {
		if middle := from + (to-from)/2; offsetAt(l, middle) == before {
			from = middle
		} else {
			to = middle
		}
	}
	return to
}
