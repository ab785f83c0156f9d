package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/transfer"
)

// maxReportedLines is the maximum number of failed lines printed.
const maxReportedLines = 20

// stopTimeout is how long a stopped import waits for the gateway to finish the lines that it has, so that the counts are true.
const stopTimeout = 30 * time.Second

// importFlags are the flags of an import.
type importFlags struct {
	onConflict, key, delimiter, listDelimiter, quote, null, encoding string
	resumes                                                          bool // the key was given
}

func newImport(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "import FILE...", Short: "Create nodes and edges from lines of JSON or from CSV files",
		Long: "Sends one file of lines (NDJSON, such as an export; - is standard input), or any number of CSV files, to a gateway.\n\n" +
			"CSV files have headers as for neo4j-admin's import: :ID, :LABEL for nodes, :START_ID, :END_ID, :TYPE for edges,\n" +
			"name:type for properties. Nodes come before the edges that use their ids. TYPE=file.csv gives every node a label, or\n" +
			"every edge its type; several are written A;B=file.csv. TYPE=header.csv,data.csv has its header in another file.\n\n" +
			"Lines succeed or fail apart. If some fail or the import stops, it prints a key: the same command with --key and it\n" +
			"creates what is missing and nothing twice. It needs the permission create, and with --on-conflict merge the\n" +
			"permission edit. Exit codes: 0 every line was imported, 1 some failed or the import was aborted, 2 wrong usage.\n\n" +
			gatewayHelp,
		Args: arguments(cobra.MinimumNArgs(1)),
	}
	f := importFlags{}
	c.Flags().StringVar(&f.onConflict, "on-conflict", "error",
		"a line whose id exists already fails (error), is skipped (skip, the default with --key), or sets its properties (merge)")
	c.Flags().StringVar(&f.key, "key", "", "any text; an import with the key and the files of an earlier one skips what that one created")
	c.Flags().StringVar(&f.delimiter, "delimiter", "", "delimiter of CSV fields, such as ; or | or \\t (default: as in the header)")
	c.Flags().StringVar(&f.listDelimiter, "array-delimiter", ";", "delimiter of the values of a list and of labels in CSV")
	c.Flags().StringVar(&f.quote, "quote", `"`, "quote of CSV fields; empty for none")
	c.Flags().StringVar(&f.null, "null", "", `text of CSV fields without a value, such as \N; empty ones have none either`)
	c.Flags().StringVar(&f.encoding, "encoding", "", "encoding of the files, such as windows-1252 (default utf-8, or by a byte order mark)")
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		f.resumes = c.Flags().Changed("key")
		if f.resumes && !c.Flags().Changed("on-conflict") {
			f.onConflict = "skip"
		}
		if f.key == "" {
			f.key = rand.Text()
		}
		if !slices.Contains([]string{"error", "skip", "merge"}, f.onConflict) {
			return newUsageError("--on-conflict must be error, skip or merge")
		}
		files, err := p.openInputs(args, &f)
		if err != nil {
			return err
		}
		defer files.close()
		ctx := p.releaseSignalsAfter(c.Context())
		client, err := connect(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		return p.runImport(ctx, client, files, &f)
	}
	return c
}

// runImport sends the files. When it is stopped, or a file cannot be read any further, it ends the lines and waits for the result, so
// that the counts are those of the database.
func (p *process) runImport(ctx context.Context, client *transfer.Client, files *inputs, f *importFlags) error {
	request, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	m := p.meter("import", "bytes", files.size)
	read, write := io.Pipe()
	lines := &lineWriter{to: write}
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(stopTimeout, cancel)
		context.AfterFunc(request, func() { timer.Stop() })
		lines.end()
	})
	defer stop()
	fed := make(chan error, 1)
	go func() {
		err := files.feed(lines, m.update)
		lines.end()
		fed <- err
	}()
	counts, err := client.Import(request, read, f.onConflict, func(transfer.Counts) {})
	_ = read.Close() // never fails; no reader is left for the rest
	var fault error
	select {
	case fault = <-fed:
	case <-ctx.Done(): // it may wait for standard input
	}
	m.end()
	if errors.Is(fault, io.ErrClosedPipe) {
		fault = nil
	}
	if err = gatewayError(request, err); ctx.Err() != nil && err == nil {
		err = errors.New("stopped")
	}
	return errors.Join(fault, err, p.reportImport(counts, files, f, err != nil || fault != nil))
}

// reportImport prints the result of an import, and how to complete one that is not.
func (p *process) reportImport(counts transfer.Counts, files *inputs, f *importFlags, aborted bool) error {
	rejected := files.rejected.Load()
	counts.Failed += rejected
	about := ""
	if !counts.Final {
		about = "at least "
	}
	fmt.Fprintf(p.stdout, "%screated %d, updated %d, skipped %d, failed %d\n",
		about, counts.Created, counts.Updated, counts.Skipped, counts.Failed)
	for _, text := range files.reportedLines(counts) {
		fmt.Fprintln(p.stderr, printable(text))
	}
	if !counts.Final {
		fmt.Fprintln(p.stderr, "The connection broke off before the gateway wrote the result, so more lines may have been imported.")
	}
	if (aborted || counts.Failed > 0) && counts.Created+counts.Skipped > 0 || !counts.Final {
		fmt.Fprintf(p.stderr, "To complete it, run the same command with --key %s: what is there already is skipped.\n", printable(f.key))
	}
	if counts.Failed == 0 {
		return nil
	}
	return fmt.Errorf("%d line(s) failed", counts.Failed)
}
