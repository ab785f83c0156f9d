package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newTokenRevoke(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "revoke <id or name>", Short: "Delete a service token; it is refused within a second",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: p.withUsers(func(c *cobra.Command, users *auth.Service, args []string) error {
			all, err := users.ServiceTokens(c.Context())
			if err != nil {
				return err
			}
			id := args[0]
			for _, token := range all {
				if token.ID == args[0] { // an id comes before another token's name
					id = token.ID
					break
				}
				if token.Name == args[0] {
					id = token.ID
				}
			}
			if err := users.DeleteServiceToken(c.Context(), id); err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "%s is revoked\n", args[0])
			return nil
		}),
	}
	userSettings(c)
	return c
}
