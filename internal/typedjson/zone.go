package typedjson

import (
	"strings"
	"time"

	"graphrest/internal/graph"
)

// Neo4j stores a named zone as an index into its own table (resource TZIDS of neo4j-values, the same in 5.26 and 2026.08).
// Compared with Go's zone data:
//
//   - Only Go knows EST, HST, MST, ROC, GMT+0 and GMT-0, which are rejected here. Neo4j stores Factory as Etc/UTC.
//   - Only Neo4j knows US/Pacific-New and Canada/East-Saskatchewan, which it returns as US/Pacific and Canada/Saskatchewan; and
//     the zones in javaOnlyZones, which Java still has. For these the Go driver returns dbtype.InvalidValue instead of a time.

// firstAgreedSecond is 1970-01-01T00:00Z. The time zone database promises nothing about earlier offsets (its file theory.html, "Scope
// of the tz database"): many zones of Go have the earlier history of another one, which those of Neo4j have not. Such times are written as
// instants in UTC, and read by the offset that is given.
const firstAgreedSecond = 0

// javaOnlyZones can be stored, but Go has no data for them: their times are written and read as instants in UTC.
var javaOnlyZones = map[string]bool{
	"SystemV/AST4": true, "SystemV/AST4ADT": true, "SystemV/CST6": true, "SystemV/CST6CDT": true,
	"SystemV/EST5": true, "SystemV/EST5EDT": true, "SystemV/HST10": true, "SystemV/MST7": true,
	"SystemV/MST7MDT": true, "SystemV/PST8": true, "SystemV/PST8PDT": true, "SystemV/YST9": true,
	"SystemV/YST9YDT": true,
}

// rejectedZones are names that Go resolves and that Neo4j does not know or resolves to another zone.
var rejectedZones = map[string]bool{
	"": true, "Local": true, "localtime": true, "posixrules": true, "Factory": true,
	"EST": true, "HST": true, "MST": true, "ROC": true, "GMT+0": true, "GMT-0": true,
}

// loadZone returns a named zone; nil if Go and Neo4j do not both know it.
func loadZone(name string) *time.Location {
	if rejectedZones[name] || strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return nil
	}
	return graph.LoadZone(name)
}

// offsetAt returns a zone's offset at an instant, in seconds east of UTC.
func offsetAt(l *time.Location, second int64) int {
	_, offset := time.Unix(second, 0).In(l).Zone()
	return offset
}

// resolveLocalTime returns the instant of a zone's local time. In an overlap the earlier offset applies; in a gap the time moves
// forward by the length of the gap (java.time.ZonedDateTime.ofLocal). It searches for changes of the offset in steps of three
// hours around the instant; no zone changes twice within one step.
// time.Time.ZoneBounds cannot be used: on 31 December of a leap year, in years that only the zone's rule covers, Go 1.26
// returns an end in the past, and iterating over the periods would never end.
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

// changeBetween returns the first second with the later offset, between two instants with different offsets.
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
