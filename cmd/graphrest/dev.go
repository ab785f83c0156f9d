package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/config"
)

func newDev(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "dev", Short: "Run the gateway without configuration: with its own Neo4j and an administrator",
		Long: "Runs the gateway for development. If NEO4J_URI is not set, it starts its own Neo4j, whose data stays\n" +
			"in the directory for the next start. It creates an administrator and prints how to log in. Ctrl-C stops both.",
		Args: arguments(cobra.NoArgs),
	}
	dir := c.Flags().String("dir", ".graphrest", "directory for the database, the secret and the password")
	sample := c.Flags().Bool("sample", false, "load a sample graph of airports and routes, once")
	showPassword := c.Flags().Bool("show-database-password", false,
		"print the password of the database too; it is kept in neo4j/credentials.json of the directory")
	addSettings(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		loaded, err := p.settings(c, config.Development)
		if err != nil {
			return err
		}
		if !loaded.IsSet("GRAPHREST_LOG_FORMAT") {
			loaded.Log.Format = "text"
		}
		return p.develop(c.Context(), loaded, developOptions{dir: *dir, sample: *sample, showPassword: *showPassword})
	}
	return c
}

// developOptions are the flags of dev that are not settings.
type developOptions struct {
	dir          string // for data and secrets
	sample       bool   // load the sample graph
	showPassword bool   // print the database's password
}

func (p *process) develop(ctx context.Context, c *config.Config, o developOptions) (err error) {
	ctx = p.releaseSignalsAfter(ctx)
	// Listen first: it is quick, and an address in use should be reported before a database is started.
	listener, err := app.Listen(ctx, c.HTTP.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	development, err := app.Develop(ctx, c, o.dir, p.stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, development.Stop()) }()
	gateway, err := p.assemble(c)
	if err != nil {
		return err
	}

	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() { ended <- gateway.Run(running, listener) }()
	ready, databaseEnded := gateway.Ready(), development.Ended()
	for {
		select {
		case <-ready:
			ready = nil
			if o.sample {
				p.loadSample(ctx, gateway)
			}
			welcome(p.stdout, c, app.OwnURL(c, listener.Addr().String()), o, development)
		case <-databaseEnded:
			databaseEnded = nil
			// A Ctrl-C in the terminal may stop the database as well; that is no error.
			if ctx.Err() == nil {
				stop(errors.New("the database has ended unexpectedly; its log is in " + o.dir))
			}
		case err := <-ended:
			if cause := context.Cause(running); ctx.Err() == nil && cause != nil {
				return errors.Join(cause, err)
			}
			return err
		}
	}
}

// loadSample creates the missing part of the sample graph.
func (p *process) loadSample(ctx context.Context, gateway *app.App) {
	fmt.Fprintln(p.stderr, "loading the sample graph")
	switch created, err := gateway.LoadSample(ctx); {
	case err != nil:
		fmt.Fprintln(p.stderr, "the sample graph could not be loaded completely:", describe(err))
	case created == 0:
		fmt.Fprintln(p.stderr, "the sample graph exists already")
	default:
		fmt.Fprintf(p.stderr, "the sample graph is loaded: %d nodes and edges\n", created)
	}
}

// welcome prints the addresses, the credentials and a request that works when pasted into a shell.
func welcome(out io.Writer, c *config.Config, url string, o developOptions, d *app.Development) {
	credentials, _ := json.Marshal(struct { //nolint:errchkjson // two texts
		Username string `json:"username"`
		Password string `json:"password"`
	}{c.Admin.Username, c.Admin.Password.Reveal()})
	fmt.Fprintf(out, "\n  Graph Data Service is ready.\n\n")
	fmt.Fprintf(out, "    Web interface  %s/\n", url)
	fmt.Fprintf(out, "    API            %s/api\n", url)
	fmt.Fprintf(out, "    Documentation  %s/docs\n", url)
	fmt.Fprintf(out, "    User name      %s\n", c.Admin.Username)
	fmt.Fprintf(out, "    Password       %s\n", c.Admin.Password.Reveal())
	if d.Database != nil {
		password := "is in " + d.CredentialsFile() + ", or shown with --show-database-password"
		if o.showPassword {
			password = d.Database.Password
		}
		fmt.Fprintf(out, "    Neo4j          %s  user %s  password %s\n", d.Database.URI, d.Database.Username, password)
		fmt.Fprintf(out, "    Data           %s\n", o.dir)
	}
	fmt.Fprintf(out, "\n  The password is the one of the first start; it counts until it is changed. Try:\n\n")
	fmt.Fprintf(out, "    TOKEN=$(curl -s %s/api/auth/login -H 'Content-Type: application/json' -d %s"+
		" | sed -E 's/.*\"access_token\":\"([^\"]+)\".*/\\1/')\n",
		url, shellQuote(string(credentials)))
	fmt.Fprintf(out, "    curl -s %s/api/nodes -H \"Authorization: Bearer $TOKEN\"\n\n  Ctrl-C stops it.\n\n", url)
}

// shellQuote quotes a text with single quotes for a POSIX shell.
func shellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
