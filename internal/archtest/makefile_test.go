package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var goVersion = regexp.MustCompile(`(?m)^go (\d+\.\d+)`)

// Go before 1.21, which some distributions have, reports go.mod as erroneous: make names the Go that is needed instead.
func TestMakeRefusesGoThatCannotReadTheModule(t *testing.T) {
	needed := goVersion.FindStringSubmatch(shipped(t, "go.mod"))[1]
	for found, want := range map[string]string{
		"go1.19.8": "Go 1.19 is too old. Install Go " + needed + " or newer",
		"go1.21.0": "", "go1.30.1": "", "devel go1.30-abcdef": "",
	} {
		dir := t.TempDir()
		script := "#!/bin/sh\necho go version " + found + " linux/amd64\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700))
		command := exec.CommandContext(t.Context(), "make", "need-go")
		command.Dir = filepath.Join("..", "..")
		command.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := command.CombinedOutput()
		if want == "" {
			require.NoError(t, err, string(out))
			continue
		}
		require.Error(t, err, found)
		require.Contains(t, string(out), want)
	}
}
