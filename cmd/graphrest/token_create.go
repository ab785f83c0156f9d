package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
)

func newTokenCreate(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "create <name>", Short: "Create a service token; prints its secret, which is never shown again",
		Args: arguments(cobra.ExactArgs(1)),
	}
	flags := c.Flags()
	permissions := flags.String("permissions", "read", "read, create, edit, delete with commas between; all; none")
	days := flags.Int("days", int(auth.DefaultServiceTokenTTL/(24*time.Hour)), "days until the token expires, up to 365")
	rate := flags.String("rate-limit", "default", "requests a period, instead of the gateway's default")
	userSettings(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if *days < 1 || *days > 365 {
			return newUsageError("--days is a whole number from 1 to 365, not %d", *days)
		}
		n := auth.NewServiceToken{Name: args[0], ExpiresAt: time.Now().AddDate(0, 0, *days)}
		var err error
		if n.Permissions, err = parsePermissions(*permissions); err != nil {
			return err
		}
		if n.RateLimit, err = parseRateLimit(*rate); err != nil {
			return err
		}
		return p.withUsers(func(c *cobra.Command, users *auth.Service, _ []string) error {
			created, err := users.CreateServiceToken(c.Context(), nil, n)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "%s is created with the id %s and expires at %s; keep its secret now, it is not stored\n",
				created.Name, created.ID, created.ExpiresAt.UTC().Format(time.RFC3339))
			_, err = fmt.Fprintln(p.stdout, created.Secret)
			return err
		})(c, args)
	}
	return c
}
