package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"graphrest/internal/configfiles"
	"graphrest/internal/transfer"
)

// errDifferences ends diff after it has printed differences.
var errDifferences = errors.New("the gateway differs from the files")

var configFilesHelp = "The directory has the folders " + strings.Join(configfiles.Folders(), ", ") + ", or some of\n" +
	"them, with a file for each object: see docs/configuration-as-code.md. What has no folder stays as it is."

func newApply(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "apply <directory>", Short: "Make the configuration of a gateway equal to files",
		Long: "Compares the configuration of a gateway with the files of a directory, prints the differences and makes the\n" +
			"gateway's equal to the files. " + configFilesHelp +
			"\nObjects without a file stay, unless --delete is given; users are never deleted.\n\n" + gatewayHelp,
		Args: arguments(cobra.ExactArgs(1)),
	}
	dryRun := c.Flags().Bool("dry-run", false, "print the differences and change nothing")
	remove := c.Flags().Bool("delete", false, "delete objects that have no file")
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		wanted, err := configfiles.Read(args[0])
		if err != nil {
			return err
		}
		return atGateway(c.Context(), func(client *transfer.Client) error {
			return p.applyFiles(c.Context(), client, wanted, *remove, *dryRun)
		})
	}
	return c
}

// newQuerySync is apply of a directory of saved queries, which changes something only with --apply.
func newQuerySync(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "sync <directory>", Short: "Show how saved queries differ from *.cypher files; save them with --apply",
		Long: "Compares the saved queries with the files of a directory, as apply does with its folder queries, prints the\n" +
			"differences and, with --apply, saves them. Saved queries without a file stay, unless --delete is given.\n\n" + gatewayHelp,
		Args: arguments(cobra.ExactArgs(1)),
	}
	apply := c.Flags().Bool("apply", false, "save the differences")
	remove := c.Flags().Bool("delete", false, "delete saved queries that have no file")
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		wanted, err := configfiles.ReadQueries(args[0])
		if err != nil {
			return err
		}
		return atGateway(c.Context(), func(client *transfer.Client) error {
			return p.applyFiles(c.Context(), client, wanted, *remove, !*apply)
		})
	}
	return c
}

// applyFiles prints how a gateway differs from files, and makes it equal to them unless it is a dry run.
func (p *process) applyFiles(ctx context.Context, client *transfer.Client, wanted *configfiles.Set, remove, dryRun bool) error {
	changes, err := configfiles.Plan(ctx, client, wanted, remove, p.variable)
	switch {
	case err != nil:
		return err
	case len(changes) == 0:
		fmt.Fprintln(p.stderr, "no differences")
		return nil
	case dryRun:
		p.printChanges(changes)
		fmt.Fprintf(p.stderr, "differences: %d; nothing is changed\n", len(changes))
		return nil
	}
	if err := configfiles.Apply(ctx, client, changes, p.variable, p.printChange); err != nil {
		return err
	}
	left, err := configfiles.Plan(ctx, client, wanted, remove, p.variable)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%s: differs still; somebody else may have changed it meanwhile", left[0].Title())
	}
	fmt.Fprintf(p.stderr, "changes made: %d\n", len(changes))
	return err
}

func newDiff(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "diff <directory>", Short: "Show how the configuration of a gateway differs from files",
		Long: "Prints what apply would change, and exits with code 3 if there is any difference.\n" +
			configFilesHelp + "\n\n" + gatewayHelp,
		Args: arguments(cobra.ExactArgs(1)),
	}
	remove := c.Flags().Bool("delete", false, "also objects that have no file")
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		wanted, err := configfiles.Read(args[0])
		if err != nil {
			return err
		}
		var changes []configfiles.Change
		err = atGateway(c.Context(), func(client *transfer.Client) error {
			changes, err = configfiles.Plan(c.Context(), client, wanted, *remove, p.variable)
			return err
		})
		if err == nil && len(changes) > 0 {
			p.printChanges(changes)
			err = errDifferences
		}
		return err
	}
	return c
}

func newExportConfig(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "export-config <directory>", Short: "Write the configuration of a gateway as files for apply",
		Long: "Writes a file for each object to a new or empty directory. No file has a secret: webhooks are written without theirs,\n" +
			"users without their passwords. Views are those of the caller.\n\n" + gatewayHelp,
		Args: arguments(cobra.ExactArgs(1)),
	}
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		var all *configfiles.Set
		err := atGateway(c.Context(), func(client *transfer.Client) (err error) {
			all, err = configfiles.Load(c.Context(), client)
			return err
		})
		if err != nil {
			return err
		}
		files, err := configfiles.Write(args[0], all)
		if err == nil {
			fmt.Fprintf(p.stderr, "%d files\n", files)
		}
		return err
	}
	return c
}

func (p *process) printChanges(changes []configfiles.Change) {
	for i := range changes {
		p.printChange(&changes[i])
	}
}

func (p *process) printChange(c *configfiles.Change) {
	fmt.Fprintln(p.stdout, c.Title())
	for _, line := range c.Lines() {
		fmt.Fprintln(p.stdout, "  "+line)
	}
}
