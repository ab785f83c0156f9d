package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserPasswd(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "passwd <username>", Short: "Set a user's password and end the user's tokens; asks for the password",
		Args: arguments(cobra.ExactArgs(1)),
	}
	fromStdin := c.Flags().Bool("password-stdin", false, "read the password from standard input")
	userSettings(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		password, err := p.readPassword(*fromStdin)
		if err != nil {
			return err
		}
		return p.withUsers(func(c *cobra.Command, users *auth.Service, args []string) error {
			user, err := users.UpdateUser(c.Context(), args[0], auth.UserChange{Password: &password})
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "the password of %s is changed, and all tokens of that user have ended\n", user.Username)
			return nil
		})(c, args)
	}
	return c
}
