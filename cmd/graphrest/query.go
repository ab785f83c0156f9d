package main

import (
	"context"
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
			if err := client.SaveQuery(c.Context(), q, findQuery(all, q.Name) < 0); err != nil {
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

func newQuerySync(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "sync <directory>", Short: "Show how saved queries differ from *.cypher files; save them with --apply",
		Long: "Compares the saved queries with the files *.cypher of a directory, prints the differences and, with --apply, saves them.\n" +
			"Saved queries without a file stay, unless --delete is given.",
		Args: arguments(cobra.ExactArgs(1)),
	}
	apply := c.Flags().Bool("apply", false, "save the differences")
	remove := c.Flags().Bool("delete", false, "delete saved queries that have no file")
	atGateway := p.gatewayCalls(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		wanted, err := readQueryFiles(args[0])
		if err != nil {
			return err
		}
		return atGateway(c.Context(), func(client *transfer.Client) error {
			saved, err := client.SavedQueries(c.Context())
			if err != nil {
				return err
			}
			s := querySync{process: p, client: client, apply: *apply, remove: *remove}
			return s.run(c.Context(), wanted, saved)
		})
	}
	return c
}

// querySync makes the saved queries those of files.
type querySync struct {
	*process
	client        *transfer.Client
	apply, remove bool
	differences   int
}

func (s *querySync) run(ctx context.Context, wanted, saved []transfer.SavedQuery) error {
	for _, q := range wanted {
		i := findQuery(saved, q.Name)
		if i < 0 {
			s.show("+ "+q.Name, nil, strings.Split(q.Cypher, "\n"))
		} else if changed := q.ChangedMembers(saved[i]); len(changed) > 0 {
			s.show("~ "+q.Name+": "+strings.Join(changed, ", "), strings.Split(saved[i].Cypher, "\n"), strings.Split(q.Cypher, "\n"))
		} else {
			continue
		}
		if !s.apply {
			continue
		}
		if err := s.client.SaveQuery(ctx, q, i < 0); err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	for _, q := range saved {
		if !s.remove || findQuery(wanted, q.Name) >= 0 {
			continue
		}
		s.show("- "+q.Name, nil, nil)
		if !s.apply {
			continue
		}
		if err := s.client.DeleteQuery(ctx, q.Name); err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	switch {
	case s.differences == 0:
		fmt.Fprintln(s.stderr, "no differences")
	case s.apply:
		fmt.Fprintf(s.stderr, "%d saved\n", s.differences)
	default:
		fmt.Fprintf(s.stderr, "%d differences; --apply saves them\n", s.differences)
	}
	return nil
}

// show prints a difference: lines that are only in the saved text, and lines that are only in the file.
func (s *querySync) show(title string, before, after []string) {
	s.differences++
	fmt.Fprintln(s.stdout, title)
	for _, line := range before {
		if !slices.Contains(after, line) {
			fmt.Fprintln(s.stdout, "  - "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			fmt.Fprintln(s.stdout, "  + "+line)
		}
	}
}

// findQuery returns the index of the query of a name, or -1.
func findQuery(all []transfer.SavedQuery, name string) int {
	return slices.IndexFunc(all, func(q transfer.SavedQuery) bool { return q.Name == name })
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

func readQueryFiles(directory string) ([]transfer.SavedQuery, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	var all []transfer.SavedQuery
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".cypher" {
			continue
		}
		q, err := readQueryFile(filepath.Join(directory, entry.Name()))
		if err != nil {
			return nil, err
		}
		if findQuery(all, q.Name) >= 0 {
			return nil, fmt.Errorf("%s: another file has the query %s", entry.Name(), q.Name)
		}
		all = append(all, q)
	}
	return all, nil
}
