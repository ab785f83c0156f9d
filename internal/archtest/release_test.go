package archtest

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every file that a release is made of exists: GoReleaser finds out on the day of the release only.
func TestFilesOfAReleaseExist(t *testing.T) {
	named := regexp.MustCompile(`(?m)(?:(?:src|dockerfile|postinstall|preremove|main): (\S+)|(deployments/[\w/*.]+))`)
	found := named.FindAllStringSubmatch(shipped(t, ".goreleaser.yaml"), -1)
	require.Greater(t, len(found), 8)
	for _, match := range found {
		name := match[1] + match[2]
		files, err := filepath.Glob(filepath.Join("..", "..", name))
		require.NoError(t, err)
		require.NotEmpty(t, files, name)
	}
}
