package graph

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // named zones must work where the system has no zone files
)

// zones caches *time.Location by name, since loading a zone reads a file. It contains only existing names, so it stays small.
var zones sync.Map

// LoadZone returns a named zone; nil if Go has no data for it.
func LoadZone(name string) *time.Location {
	if l, ok := zones.Load(name); ok {
		return l.(*time.Location)
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	name = strings.Clone(name)
	zones.Store(name, l)
	return l
}

// offsetAt returns the offset of a date-time's zone at an instant, in seconds east of UTC; 0 in a zone for which Go has no data.
func (d DateTime) offsetAt(second int64) int64 {
	if d.Zone == "" {
		return int64(d.Offset)
	}
	l := LoadZone(d.Zone)
	if l == nil {
		return 0
	}
	_, offset := time.Unix(second, 0).In(l).Zone()
	return int64(offset)
}

// local is the date and time of day in the zone, in seconds since 1970-01-01T00:00.
func (d DateTime) local() int64 { return d.Seconds + d.offsetAt(d.Seconds) }

// isRepeated reports whether another instant may have the same date and time of day in the zone, because the clock was set back. Before
// 1970 the zone data of Go and of the database differ.
func (d DateTime) isRepeated() bool {
	if d.Zone == "" {
		return false
	}
	if d.Seconds < 0 {
		return true
	}
	local := d.local()
	for _, near := range []int64{d.Seconds - 86400, d.Seconds + 86400} {
		other := local - d.offsetAt(near)
		if other != d.Seconds && other+d.offsetAt(other) == local {
			return true
		}
	}
	return false
}
