// Package gatewaytest builds the gateway for a test, sends requests to one that runs, and collects its output.
package gatewaytest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Build builds the gateway into a directory and returns the path of the executable.
func Build(directory string) (string, error) {
	executable := filepath.Join(directory, "graphrest")
	output, err := exec.Command("go", "build", "-o", executable, "graphrest/cmd/graphrest").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return executable, nil
}

// EnvironWithout is this process's environment without the variables whose names begin with a prefix.
func EnvironWithout(prefixes ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(entry, prefix) })
	})
}
