package queryguard

import "strings"

// TestedRelease is the newest release of Neo4j, without its patch, whose operators the guard knows.
const TestedRelease = "2026.08"

// IsNewerThanTested reports whether a release, such as 2026.08.1, may have operators that the guard does not know: it refuses queries with
// one.
func IsNewerThanTested(release string) bool {
	parts := strings.SplitN(release, ".", 3)
	if len(parts) < 2 {
		return true
	}
	if len(parts[0]) < len("2026") {
		return parts[0] != "5" || parts[1] != "26"
	}
	return parts[0]+"."+parts[1] > TestedRelease
}
