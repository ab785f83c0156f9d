package typedjson

import (
	"testing"
	"time"

	"graphrest/internal/graphgen"
)

// resolve must find, for every clock time, an instant that shows it, or in a gap one that shows it moved forward; of two
// instants the earlier. The test walks two years hour by hour in zones with unusual changes, and two leap years
// far ahead, where the zone's rule and not its table decides.
func TestResolveLocalTimeEveryHour(t *testing.T) {
	for _, name := range graphgen.Zones() {
		l := loadZone(name)
		if l == nil {
			t.Fatalf("zone %s is not known", name)
		}
		for _, first := range []int64{time.Date(2011, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2072, 1, 1, 0, 0, 0, 0, time.UTC).Unix()} {
			for local := first; local < first+2*366*secondsPerDay; local += 3600 {
				second := resolveLocalTime(l, local)
				shown := second + int64(offsetAt(l, second))
				switch {
				case shown == local:
					if earlier := showsEarlier(l, local, second); earlier {
						t.Fatalf("%s %s: not the earlier instant", name, time.Unix(local, 0).UTC())
					}
				case shown < local || shown-local > secondsPerDay || showsAt(l, local):
					t.Fatalf("%s %s: shows %s", name, time.Unix(local, 0).UTC(), time.Unix(shown, 0).UTC())
				}
			}
		}
	}
}

// showsEarlier looks for another instant before this one that the clock shows the same way.
func showsEarlier(l *time.Location, local, second int64) bool {
	for shift := int64(900); shift <= secondsPerDay; shift += 900 {
		if second-shift+int64(offsetAt(l, second-shift)) == local {
			return true
		}
	}
	return false
}

func showsAt(l *time.Location, local int64) bool {
	for offset := int64(-18 * 3600); offset <= 18*3600; offset += 900 {
		if int64(offsetAt(l, local-offset)) == offset {
			return true
		}
	}
	return false
}
