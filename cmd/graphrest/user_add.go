package main

import (
	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserAdd(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "add <username>", Short: "Add a user; asks for the password",
		Args: arguments(cobra.ExactArgs(1)),
	}
	flags := c.Flags()
	permissions := flags.String("permissions", "read", permissionsHelp)
	admin := flags.Bool("admin", false, "may administer users")
	disabled := flags.Bool("disabled", false, "may not log in yet")
	rate := flags.String("rate-limit", "default", "requests a period, instead of the gateway's default")
	fromStdin := flags.Bool("password-stdin", false, "read the password from standard input")
	userSettings(c)
	output := outputFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		added := auth.NewUser{Username: args[0], Admin: *admin, Disabled: *disabled}
		if added.Permissions, err = parsePermissions(*permissions); err != nil {
			return err
		}
		if added.RateLimit, err = parseRateLimit(*rate); err != nil {
			return err
		}
		if added.Password, err = p.readPassword(*fromStdin); err != nil {
			return err
		}
		return p.withUsers(func(c *cobra.Command, users *auth.Service, _ []string) error {
			user, err := users.CreateUser(c.Context(), added)
			if err != nil {
				return err
			}
			return p.showUser(user, asJSON)
		})(c, args)
	}
	return c
}
