package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserRm(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "rm <username>", Short: "Remove a user and end the user's tokens",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: p.withUsers(func(c *cobra.Command, users *auth.Service, args []string) error {
			if err := users.DeleteUser(c.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "%s is removed\n", args[0])
			return nil
		}),
	}
	userSettings(c)
	return c
}
