package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/auth"
	"graphrest/internal/transfer"
)

// tokenFlags are the flags of a new token.
type tokenFlags struct {
	permissions, rate *string
	roles             *[]string
	days              *int
	mine              *bool
}

func newTokenCreate(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "create <name>", Short: "Create a service token, or a personal token; prints its secret, which is never shown again",
		Long: "Creates a service token directly in the database or, with --mine, a personal token of yours at a running gateway.\n\n" +
			"With --mine: " + gatewayHelp + " It needs a login, and no token made for a program.\n" +
			"The token has every right of yours, unless --permissions or --role name those that it is cut to.",
		Args: arguments(cobra.ExactArgs(1)),
	}
	flags := tokenFlags{
		permissions: c.Flags().String("permissions", "read",
			permissionsHelp+"; with --mine every right of yours by default"),
		roles: c.Flags().StringArray("role", nil, "with --mine: a role of yours that the token has; may be repeated"),
		days:  c.Flags().Int("days", int(auth.DefaultTokenTTL/(24*time.Hour)), "days until the token expires, up to 365"),
		rate:  c.Flags().String("rate-limit", "default", "requests a period, instead of the gateway's default"),
		mine:  c.Flags().Bool("mine", false, "make a personal token, which acts as you"),
	}
	userSettings(c)
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *flags.days < 1 || *flags.days > 365:
			return newUsageError("--days is a whole number from 1 to 365, not %d", *flags.days)
		case *flags.mine && c.Flags().Changed("rate-limit"):
			return newUsageError("--rate-limit is for service tokens; a personal token counts for its user")
		case *flags.mine:
			return p.createPersonalToken(c, args[0], flags, connect)
		case len(*flags.roles) > 0:
			return newUsageError("--role needs --mine")
		}
		return p.createServiceToken(c, args, flags)
	}
	return c
}

func (p *process) createServiceToken(c *cobra.Command, args []string, flags tokenFlags) error {
	n := auth.NewServiceToken{Name: args[0], ExpiresAt: time.Now().AddDate(0, 0, *flags.days)}
	var err error
	if n.Permissions, err = parsePermissions(*flags.permissions); err != nil {
		return err
	}
	if n.RateLimit, err = parseRateLimit(*flags.rate); err != nil {
		return err
	}
	return p.withUsers(func(c *cobra.Command, users *auth.Service, _ []string) error {
		created, err := users.CreateServiceToken(c.Context(), nil, n)
		if err != nil {
			return err
		}
		return p.writeSecret(created.Name, created.ID, created.ExpiresAt, created.Secret)
	})(c, args)
}

func (p *process) createPersonalToken(
	c *cobra.Command, name string, flags tokenFlags, connect func(context.Context) (*transfer.Client, error),
) error {
	n := transfer.NewPersonalToken{Name: name, Roles: *flags.roles, ExpiresAt: time.Now().AddDate(0, 0, *flags.days)}
	if c.Flags().Changed("permissions") {
		permissions, err := parsePermissions(*flags.permissions)
		if err != nil {
			return err
		}
		n.Permissions = make([]string, len(permissions))
		for i, one := range permissions {
			n.Permissions[i] = string(one)
		}
	}
	ctx := c.Context()
	client, err := connect(ctx)
	if err != nil {
		return gatewayError(ctx, err)
	}
	created, err := client.CreatePersonalToken(ctx, n)
	if err != nil {
		return gatewayError(ctx, err)
	}
	return p.writeSecret(created.Name, created.ID, created.ExpiresAt, created.Secret)
}

// writeSecret writes the secret and nothing else to standard output, so that a script can keep it.
func (p *process) writeSecret(name, id string, expires time.Time, secret string) error {
	fmt.Fprintf(p.stderr, "%s is created with the id %s and expires at %s; keep its secret now, it is not stored\n",
		name, id, expires.UTC().Format(time.RFC3339))
	_, err := fmt.Fprintln(p.stdout, strings.TrimSpace(secret))
	return err
}
