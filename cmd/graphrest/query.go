package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"graphrest/internal/transfer"
)

func newQuery(p *process) *cobra.Command {
	c := group("query", "Save and run queries at a running gateway",
		newQueryList(p), newQueryShow(p), newQuerySave(p), newQueryRun(p), newQuerySync(p))
	c.Long = "Saves Cypher as queries that others run by their names, and runs them. " + gatewayHelp + "\n\n" +
		"A file of a query has a header of comments, then the Cypher:\n\n" +
		"  // description: People by country\n  // parameters: {\"country\": {\"type\": \"string\"}}\n  // timeout: 2s\n" +
		"  RETURN $country AS country\n"
	return c
}

func newQueryList(p *process) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List saved queries", Args: arguments(cobra.NoArgs)}
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return atGateway(c.Context(), func(client *transfer.Client) error {
			all, err := client.SavedQueries(c.Context())
			for _, q := range all {
				fmt.Fprintln(p.stdout, q.Name)
			}
			return err
		})
	}
	return c
}

func newQueryShow(p *process) *cobra.Command {
	c := &cobra.Command{Use: "show <name>", Short: "Print a saved query as a file", Args: arguments(cobra.ExactArgs(1))}
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return atGateway(c.Context(), func(client *transfer.Client) error {
			q, err := client.SavedQuery(c.Context(), args[0])
			if err == nil {
				fmt.Fprint(p.stdout, transfer.FormatQueryFile(q))
			}
			return err
		})
	}
	return c
}

func newQuerySave(p *process) *cobra.Command {
	c := &cobra.Command{Use: "save <file>", Short: "Save a query from a file, or another version of it", Args: arguments(cobra.ExactArgs(1))}
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		q, err := readQueryFile(args[0])
		if err != nil {
			return err
		}
		return atGateway(c.Context(), func(client *transfer.Client) error {
			all, err := client.SavedQueries(c.Context())
			if err != nil {
				return err
			}
			isNew := !slices.ContainsFunc(all, func(saved transfer.SavedQuery) bool { return saved.Name == q.Name })
			if err := client.SaveQuery(c.Context(), q, isNew); err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "%s is saved\n", q.Name)
			return nil
		})
	}
	return c
}

func newQueryRun(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "run <name> [parameter=value]...", Short: "Run a saved query and print its answer", Args: arguments(cobra.MinimumNArgs(1)),
	}
	format := c.Flags().String("format", "csv", "json, csv or ndjson")
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		parameters := url.Values{}
		for _, arg := range args[1:] {
			name, value, given := strings.Cut(arg, "=")
			if !given {
				return newUsageError("%q is not a parameter and its value, such as name=Ann", arg)
			}
			parameters.Set(name, value)
		}
		return atGateway(c.Context(), func(client *transfer.Client) error {
			truncated, err := client.RunQuery(c.Context(), args[0], parameters, *format, p.stdout)
			if truncated != "" {
				fmt.Fprintf(p.stderr, "the answer is cut: it has too many %s\n", truncated)
			}
			return err
		})
	}
	return c
}

func readQueryFile(path string) (transfer.SavedQuery, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return transfer.SavedQuery{}, err
	}
	q, err := transfer.ParseQueryFile(strings.TrimSuffix(filepath.Base(path), ".cypher"), string(text))
	if err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, nil
}
