package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"graphrest/internal/config"
)

func newConfig(p *process) *cobra.Command {
	return group("config", "Show and check the configuration", newConfigPrint(p), newConfigCheck(p))
}

func newConfigPrint(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "print", Short: "Print every setting, its value and where it came from; secrets are not shown",
		Args: arguments(cobra.NoArgs),
	}
	addSettings(c)
	output := outputFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		// No setting is required here: printing shows what is missing.
		loaded, err := p.settings(c, config.Development)
		if err != nil {
			return err
		}
		if asJSON {
			return p.writeJSON(loaded.Lines())
		}
		table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tVALUE\tSOURCE")
		for _, line := range loaded.Lines() {
			source := line.Source
			if source == "" {
				source = "not set"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", line.Name, line.Value, source)
		}
		return table.Flush()
	}
	return c
}

func newConfigCheck(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "check", Short: "List every problem that would prevent `serve` from starting; exit code 2 if there is any",
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			loaded, err := p.settings(c, config.Serve)
			if err != nil {
				return err
			}
			gateway, err := p.assemble(loaded)
			if err != nil {
				return err
			}
			if err := gateway.Close(); err != nil {
				return err
			}
			fmt.Fprintln(p.stderr, "the configuration is in order")
			return nil
		},
	}
	addSettings(c)
	return c
}
