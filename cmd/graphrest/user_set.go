package main

import (
	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newUserSet(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "set <username>", Short: "Change permissions, admin, disabled or the rate limit of a user",
		Args: arguments(cobra.ExactArgs(1)),
	}
	flags := c.Flags()
	permissions := flags.String("permissions", "", permissionsHelp)
	admin := flags.Bool("admin", false, "may administer users; --admin=false takes it away")
	disabled := flags.Bool("disabled", false, "may not log in, and tokens end at once; --disabled=false undoes it")
	rate := flags.String("rate-limit", "", "requests a period, or default")
	userSettings(c)
	output := outputFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		asJSON, err := output()
		if err != nil {
			return err
		}
		var change auth.UserChange
		if flags.Changed("permissions") {
			chosen, err := parsePermissions(*permissions)
			if err != nil {
				return err
			}
			change.Permissions = &chosen
		}
		if flags.Changed("rate-limit") {
			limit, err := parseRateLimit(*rate)
			if err != nil {
				return err
			}
			change.RateLimit = &limit
		}
		if flags.Changed("admin") {
			change.Admin = admin
		}
		if flags.Changed("disabled") {
			change.Disabled = disabled
		}
		if change == (auth.UserChange{}) {
			return newUsageError("nothing to change; see %s --help", c.CommandPath())
		}
		return p.withUsers(func(c *cobra.Command, users *auth.Service, args []string) error {
			user, err := users.UpdateUser(c.Context(), args[0], change)
			if err != nil {
				return err
			}
			return p.showUser(user, asJSON)
		})(c, args)
	}
	return c
}
