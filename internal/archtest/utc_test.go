package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The driver's local times are right only in a process whose time zone is UTC: see bolt.FromDriver.
func TestCommandsThatUseBoltRunInUTC(t *testing.T) {
	imports := map[string][]string{}
	for _, s := range tree(t) {
		if !s.test {
			imports[s.pkg] = append(imports[s.pkg], s.imports...)
		}
	}
	var checked []string
	for pkg := range imports {
		if !strings.HasPrefix(pkg, "cmd/") || !isReached("internal/bolt", pkg, imports, map[string]bool{}) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(pkg), "main.go"))
		require.NoError(t, err)
		require.Contains(t, string(text), "\nfunc main() {\n\ttime.Local = time.UTC", pkg)
		checked = append(checked, pkg)
	}
	require.Contains(t, checked, "cmd/graphrest")
}

// isReached reports whether a package imports a target, directly or through others.
func isReached(target, pkg string, imports map[string][]string, visited map[string]bool) bool {
	if pkg == target {
		return true
	}
	if visited[pkg] {
		return false
	}
	visited[pkg] = true
	for _, imported := range imports[pkg] {
		if name, ok := own(imported); ok && isReached(target, name, imports, visited) {
			return true
		}
	}
	return false
}
