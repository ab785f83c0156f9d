package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Set by the build: -ldflags "-X main.version=... -X main.commit=...".
var (
	version = "unknown"
	commit  = "unknown"
)

// programVersion is the stamped version, else the one that the module cache knows (`go install ...@v1.2.3`).
func programVersion() string {
	if version == "unknown" {
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			return info.Main.Version
		}
	}
	return version
}

func newVersion(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "version", Short: "Print the version",
		Args: arguments(cobra.NoArgs),
	}
	output := outputFlag(c)
	c.RunE = func(*cobra.Command, []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		platform := runtime.GOOS + "/" + runtime.GOARCH
		if asJSON {
			return p.writeJSON(map[string]string{
				"version": programVersion(), "commit": commit, "go": runtime.Version(), "platform": platform,
			})
		}
		_, err = fmt.Fprintf(p.stdout, "graphrest %s (commit %s, %s, %s)\n", programVersion(), commit, runtime.Version(), platform)
		return err
	}
	return c
}
