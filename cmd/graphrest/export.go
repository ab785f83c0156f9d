package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func newExport(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "export [FILE]", Short: "Write the graph, or some of its types, as lines of JSON",
		Long: "Reads the graph from a gateway and writes it as lines of JSON (NDJSON), nodes before edges, to the file or to standard\n" +
			"output. The file appears under its name only when it is complete. It needs the permission read.\n\n" + gatewayHelp,
		Args: arguments(cobra.MaximumNArgs(1)),
	}
	nodeTypes := c.Flags().StringArray("node-type", nil, "only nodes of this type, and edges between such; may be repeated")
	edgeTypes := c.Flags().StringArray("edge-type", nil, "only edges of this type; may be repeated")
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		ctx := p.releaseSignalsAfter(c.Context())
		client, err := connect(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		write := func(to io.Writer) error {
			m := p.meter("export", "lines", 0)
			defer m.end()
			lines, err := client.Export(ctx, to, *nodeTypes, *edgeTypes, m.update)
			if err != nil {
				return gatewayError(ctx, err)
			}
			m.end()
			fmt.Fprintf(p.stderr, "%d lines\n", lines)
			return nil
		}
		if len(args) == 0 {
			return write(p.stdout)
		}
		return writeWhole(ctx, args[0], write)
	}
	return c
}

// writeWhole writes a temporary file in the same directory and renames it when it is complete.
func writeWhole(ctx context.Context, path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := errors.Join(write(file), file.Close(), ctx.Err()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
