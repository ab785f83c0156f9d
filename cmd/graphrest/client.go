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

	"graphrest/internal/clientgen"
)

func newClient(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "client", Short: "Write a typed client for TypeScript or Python",
		Long: "Reads the description of the graph that the caller may see from a gateway, and writes a client with a type for each\n" +
			"type of nodes and edges and a method for each saved query. It is one file without dependencies; the same schema gives\n" +
			"the same file.\n\n" +
			gatewayHelp,
		Args: arguments(cobra.NoArgs),
	}
	language := c.Flags().String("lang", "", strings.Join(clientgen.Languages(), " or "))
	out := c.Flags().String("out", "", "directory to write the client to; it is made if it does not exist")
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !slices.Contains(clientgen.Languages(), *language) {
			return newUsageError("--lang must be %s", strings.Join(clientgen.Languages(), " or "))
		}
		if *out == "" {
			return newUsageError("--out must name a directory")
		}
		ctx := p.releaseSignalsAfter(c.Context())
		client, err := connect(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		described, err := client.Description(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		file, err := clientgen.Generate(*language, described)
		if err != nil {
			return err
		}
		path := filepath.Join(*out, file.Name)
		if err := os.MkdirAll(*out, 0o750); err != nil {
			return err
		}
		err = writeWhole(ctx, path, func(w io.Writer) error {
			_, err := w.Write(file.Content)
			return err
		})
		if err != nil {
			return errors.Join(errors.New("the client was not written"), err)
		}
		fmt.Fprintln(p.stdout, path)
		return nil
	}
	return c
}
