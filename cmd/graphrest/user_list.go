package main

import (
	"context"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserList(p *process) *cobra.Command {
	return listing[auth.User, userDocument]{
		short:    "List all users",
		read:     func(ctx context.Context, users *auth.Service) ([]auth.User, error) { return users.Users(ctx) },
		table:    p.writeUsers,
		document: documentOf,
	}.command(p)
}
