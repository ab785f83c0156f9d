package main

import (
	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/config"
)

func newServe(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "serve", Short: "Run the gateway in front of the Neo4j named in the environment",
		Long: "Runs the gateway in front of the Neo4j named by NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.\n" +
			"It starts even if the database is unavailable, answers 503 until it is available, and recovers by itself. SIGTERM and Ctrl-C let\n" +
			"requests in flight finish; a second signal ends it immediately.",
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			loaded, err := p.settings(c, config.Serve)
			if err != nil {
				return err
			}
			ctx := p.releaseSignalsAfter(c.Context())
			listener, err := app.Listen(ctx, loaded.HTTP.Listen)
			if err != nil {
				return err
			}
			defer func() { _ = listener.Close() }()
			gateway, err := p.assemble(loaded)
			if err != nil {
				return err
			}
			return gateway.Run(ctx, listener)
		},
	}
	addSettings(c)
	return c
}
