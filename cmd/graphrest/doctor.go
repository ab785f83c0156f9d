package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/config"
	"graphrest/internal/graph"
)

// errProblemsFound ends doctor after it has written a report with problems.
var errProblemsFound = errors.New("there are problems; see the report")

func newDoctor(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "doctor", Short: "Check the database as the gateway would find it, without changing it",
		Long: "Reports what the gateway would find in the database that NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and\n" +
			"NEO4J_DATABASE name: its version and clock, the types with their counts and ids, duplicates among the ids, indexes\n" +
			"in the way or missing, names that begin with the gateway's own prefix, how many names are left, and what the server\n" +
			"leaves open: files and addresses that LOAD CSV reads, plug-ins, a connection that is not encrypted. It reads every node\n" +
			"and edge and changes nothing. To find out about addresses it lets the database try one that is not in use (192.0.2.1).\n\n" +
			"Exit codes: 0 no problem, 1 the database could not be read, 2 wrong usage or configuration, 3 a problem was found.",
		Args: arguments(cobra.NoArgs),
	}
	userSettings(c)
	addSetting(c, "id-property", "property that holds ids (GRAPHREST_ID_PROPERTY, default uuid)")
	asJSON := c.Flags().Bool("json", false, "write the report as JSON")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.diagnose(c, (*app.Graph).Diagnose, func(d graph.Diagnosis) error {
			if *asJSON {
				return p.writeJSON(d)
			}
			return p.writeDiagnosis(d)
		})
	}
	return c
}

// diagnose reads and writes a diagnosis of the configured database. errProblemsFound if it has a problem.
func (p *process) diagnose(
	c *cobra.Command, read func(*app.Graph, context.Context) (graph.Diagnosis, error), write func(graph.Diagnosis) error,
) error {
	loaded, err := p.quietSettings(c)
	if err != nil {
		return err
	}
	g, err := app.OpenGraph(c.Context(), loaded, p.logger(loaded))
	if err != nil {
		return err
	}
	d, err := read(g, c.Context())
	if err = errors.Join(err, g.Close()); err != nil {
		return err
	}
	if err := write(d); err != nil {
		return err
	}
	if hasProblem(d) {
		return errProblemsFound
	}
	return nil
}

// quietSettings reads the configuration for a command with its own output: its log contains only warnings, unless a
// setting says otherwise.
func (p *process) quietSettings(c *cobra.Command) (*config.Config, error) {
	loaded, err := p.settings(c, config.Administration)
	if err == nil && !loaded.IsSet("GRAPHREST_LOG_LEVEL") {
		loaded.Log.Level = slog.LevelWarn
	}
	if err == nil && !loaded.IsSet("GRAPHREST_LOG_FORMAT") {
		loaded.Log.Format = "text"
	}
	return loaded, err
}

func hasProblem(d graph.Diagnosis) bool {
	for _, f := range d.Findings {
		if f.Level == graph.Problem {
			return true
		}
	}
	return false
}

func (p *process) writeDiagnosis(d graph.Diagnosis) error {
	fmt.Fprintf(p.stdout, "Neo4j %s %s, clock %+.1f s; a gateway has %s here before; ids are in %q\n\n",
		d.Server.Version, d.Server.Edition, d.Server.ClockSkew, map[bool]string{true: "worked", false: "not worked"}[d.Prepared], d.IDProperty)
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KIND\tTYPE\tCOUNT\tMANAGED\tWITH ID\tWITHOUT\tUNUSABLE\tDUPLICATED")
	for _, t := range d.Types {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%d\t%d\t%d\n", t.Kind, printable(t.Type), t.Count, yesNo(t.Managed), t.WithID, t.WithoutID,
			t.Unusable, t.Duplicates)
	}
	if d.Unlabelled > 0 {
		fmt.Fprintf(table, "node\t(none)\t%d\tno\t-\t-\t-\t-\n", d.Unlabelled)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout)
	if len(d.Findings) == 0 {
		fmt.Fprintln(p.stdout, "No findings.")
	}
	p.writeFindings(d)
	return nil
}

func (p *process) writeFindings(d graph.Diagnosis) {
	for _, f := range d.Findings {
		fmt.Fprintf(p.stdout, "%-8s %s: %s", strings.ToUpper(string(f.Level)), printable(f.Subject), printable(f.Message))
		if f.Remedy != "" {
			fmt.Fprintf(p.stdout, "\n         -> %s", f.Remedy)
		}
		fmt.Fprintln(p.stdout)
	}
}

// printable replaces control characters: type names may contain any, and a terminal interprets some of them.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) {
			return '\uFFFD'
		}
		return r
	}, name)
}
