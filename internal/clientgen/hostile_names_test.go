//go:build clients

package clientgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The generated clients with hostile names, and with no types at all, pass the strictest checks. `make test-clients` installs the tools.
func TestClientsWithHostileNamesAreTyped(t *testing.T) {
	tools := map[string][]string{
		"python": {os.Getenv("TESTMARK_MYPY"), "--strict", "--python-version", "3.10"},
		"typescript": {
			"node", os.Getenv("TESTMARK_TSC"), "--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes",
			"--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler",
		},
	}
	for _, language := range Languages() {
		for _, names := range [][]string{hostileNames, nil} {
			file, err := Generate(language, describedWith(t, names))
			require.NoError(t, err)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, file.Name), file.Content, 0o600))
			c := exec.CommandContext(t.Context(), tools[language][0], append(tools[language][1:], file.Name)...)
			c.Dir = dir
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
	}
}
