package main

import (
	"context"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newTokenList(p *process) *cobra.Command {
	return listing[auth.ServiceToken, serviceTokenDocument]{
		short: "List all service tokens",
		read: func(ctx context.Context, users *auth.Service) ([]auth.ServiceToken, error) {
			return users.ServiceTokens(ctx)
		},
		table:    p.writeServiceTokens,
		document: serviceTokenDocumentOf,
	}.command(p)
}
