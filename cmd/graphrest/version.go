package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/graph"
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
	check := c.Flags().Bool("check-database", false, "check whether this version works with the database of NEO4J_URI and its data")
	userSettings(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		if *check {
			return p.checkDatabase(c, asJSON)
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

// checkDatabase reports whether this version can be started on a database; it changes nothing.
func (p *process) checkDatabase(c *cobra.Command, asJSON bool) error {
	return p.diagnose(c, (*app.Graph).CheckVersion, func(d graph.Diagnosis) error {
		if asJSON {
			return p.writeJSON(map[string]any{
				"version": programVersion(), "server": d.Server, "prepared": d.Prepared, "data_layout": d.DataLayout, "findings": d.Findings,
			})
		}
		fmt.Fprintf(p.stdout, "graphrest %s on Neo4j %s %s: %s\n", programVersion(), d.Server.Version, d.Server.Edition, describeData(d))
		p.writeFindings(d)
		return nil
	})
}

func describeData(d graph.Diagnosis) string {
	switch {
	case !d.Prepared:
		return "no gateway has used it; the first start adds what it needs"
	case d.DataLayout == 0:
		return "its data are from before 1.0; the first start adds what is missing"
	default:
		return fmt.Sprintf("its data have layout %d", d.DataLayout)
	}
}
