package queryguard

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
)

func TestTestedReleases(t *testing.T) {
	require.True(t, strings.HasPrefix(neo4jdev.VersionCalendar, TestedRelease+"."), "the tests run on it")
	for release, newer := range map[string]bool{
		neo4jdev.Version526: false, neo4jdev.VersionCalendar: false, "2025.01": false,
		"2026.09": true, "2027.01": true, "6.0.0": true, "5.27.0": true, "": true,
	} {
		require.Equal(t, newer, IsNewerThanTested(release), release)
	}
}
