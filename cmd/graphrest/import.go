package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"graphrest/internal/transfer"
)

// maxReportedLines is the maximum number of failed lines printed.
const maxReportedLines = 20

func newImport(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "import FILE...", Short: "Create nodes and edges from lines of JSON or from CSV files",
		Long: "Sends one file of lines (NDJSON, such as an export; - is standard input), or any number of CSV files, to a gateway.\n\n" +
			"CSV files have headers as for neo4j-admin's import: :ID, :LABEL for nodes, :START_ID, :END_ID, :TYPE for edges,\n" +
			"name:type for properties. Nodes come before the edges that use their ids. TYPE=file.csv gives every node a label, or\n" +
			"every edge its type; several are written A;B=file.csv.\n\n" +
			"Lines succeed or fail apart. It needs the permission create, and with --on-conflict merge the permission edit.\n" +
			"Exit codes: 0 every line was imported, 1 some failed or the import was aborted, 2 wrong usage.\n\n" + gatewayHelp,
		Args: arguments(cobra.MinimumNArgs(1)),
	}
	on := c.Flags().String("on-conflict", "error",
		"a line whose id exists already fails (error), is skipped (skip), or sets its properties (merge)")
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if !slices.Contains([]string{"error", "skip", "merge"}, *on) {
			return newUsageError("--on-conflict must be error, skip or merge")
		}
		files, err := p.openInputs(args)
		if err != nil {
			return err
		}
		defer files.close()
		ctx := p.releaseSignalsAfter(c.Context())
		client, err := connect(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		m := p.meter("import", "bytes", files.size)
		read, write := io.Pipe()
		fed := make(chan error, 1)
		go func() {
			err := files.feed(write, m.update)
			_ = write.CloseWithError(err) // never fails
			fed <- err
		}()
		counts, err := client.Import(ctx, read, *on, func(transfer.Counts) {})
		_ = read.Close() // never fails; no reader is left for the rest
		fault := <-fed
		m.end()
		if errors.Is(fault, io.ErrClosedPipe) {
			fault = nil
		}
		if fault != nil {
			err = fault // the gateway only saw the end of the input
		} else {
			err = gatewayError(ctx, err)
		}
		return errors.Join(err, p.reportImport(counts, files))
	}
	return c
}

// reportImport prints the result of an import.
func (p *process) reportImport(counts transfer.Counts, files *inputs) error {
	fmt.Fprintf(p.stdout, "created %d, updated %d, skipped %d, failed %d\n", counts.Created, counts.Updated, counts.Skipped, counts.Failed)
	for i := range counts.Errors[:min(len(counts.Errors), maxReportedLines)] {
		e := &counts.Errors[i]
		fmt.Fprintf(p.stderr, "%s: %s\n", files.locate(e.Line), printable(e.Error()))
	}
	if counts.Failed == 0 {
		return nil
	}
	return fmt.Errorf("%d line(s) failed", counts.Failed)
}

// input is one file to import.
type input struct {
	name  string
	types []string
	csv   bool
	from  io.ReadCloser
	first int64 // its first line in the import
}

// inputs are the files of one import.
type inputs struct {
	all  []*input
	size int64 // bytes; 0 if unknown
}

func (p *process) openInputs(args []string) (*inputs, error) {
	files := &inputs{}
	known := true
	for _, arg := range args {
		one := &input{name: arg}
		if types, name, is := strings.Cut(arg, "="); is {
			one.name, one.types = name, strings.Split(types, ";")
		}
		one.csv = strings.EqualFold(filepath.Ext(one.name), ".csv")
		if !one.csv && (len(args) > 1 || one.types != nil) {
			files.close()
			return nil, newUsageError("%s: an import is one file of lines, or CSV files (.csv), which alone take types", arg)
		}
		if one.name == "-" {
			one.from, known = io.NopCloser(p.stdin), false
		} else {
			file, err := os.Open(one.name)
			if err != nil {
				files.close()
				return nil, err
			}
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				files.size += info.Size()
			} else {
				known = false
			}
			one.from = file
		}
		files.all = append(files.all, one)
	}
	if !known {
		files.size = 0
	}
	return files, nil
}

func (f *inputs) close() {
	for _, one := range f.all {
		_ = one.from.Close() // only read from
	}
}

// feed writes the lines of all files. progress gets the number of bytes read.
func (f *inputs) feed(to io.Writer, progress func(int64)) error {
	var read int64
	lines := &lineCounter{to: to}
	for _, one := range f.all {
		one.first = lines.n + 1
		from := progressReader{one.from, func(n int) {
			read += int64(n)
			progress(read)
		}}
		var err error
		if one.csv {
			err = transfer.WriteCSV(from, one.types, lines)
		} else {
			_, err = io.Copy(lines, from)
		}
		if err != nil && !errors.Is(err, io.ErrClosedPipe) {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// locate names a line of the import by its file and number.
func (f *inputs) locate(line int64) string {
	last := f.all[0]
	for _, one := range f.all {
		if one.first > 0 && one.first <= line {
			last = one
		}
	}
	if last.csv {
		return fmt.Sprintf("%s, record %d", last.name, line-last.first+1)
	}
	return fmt.Sprintf("line %d", line)
}

type progressReader struct {
	from   io.Reader
	onRead func(int)
}

func (c progressReader) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.onRead(n)
	return n, err
}

type lineCounter struct {
	to io.Writer
	n  int64
}

func (l *lineCounter) Write(b []byte) (int, error) {
	for _, c := range b {
		if c == '\n' {
			l.n++
		}
	}
	return l.to.Write(b)
}
