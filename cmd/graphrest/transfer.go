package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/transfer"
)

const defaultURL = "http://127.0.0.1:8080"

// gatewayFlags adds the flags that identify a gateway, and returns a function that creates its client.
func (p *process) gatewayFlags(c *cobra.Command) func(ctx context.Context) (*transfer.Client, error) {
	address := c.Flags().String("url", "", "address of the gateway (GRAPHREST_URL, default "+defaultURL+")")
	username := c.Flags().String("username", "", "user name, where no token is given (GRAPHREST_USERNAME)")
	return func(ctx context.Context) (*transfer.Client, error) {
		base := cmp.Or(*address, p.variable("GRAPHREST_URL"), defaultURL)
		if !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://") {
			return nil, newUsageError("--url must be an address such as %s, not %q", defaultURL, base)
		}
		if token := p.variable("GRAPHREST_TOKEN"); token != "" && *username == "" {
			client := transfer.NewClient(base, token)
			p.warnOfExpiry(ctx, client, token)
			return client, nil
		}
		name := cmp.Or(*username, p.variable("GRAPHREST_USERNAME"))
		if name == "" {
			return nil, newUsageError("no user: set GRAPHREST_TOKEN, or give --username (GRAPHREST_USERNAME)")
		}
		password := p.variable("GRAPHREST_PASSWORD")
		if password == "" {
			var err error
			if password, err = p.askPassword("Password of " + name + ": "); err != nil {
				if errors.Is(err, errNoTerminal) {
					return nil, newUsageError("there is no terminal to ask for the password: set GRAPHREST_PASSWORD or GRAPHREST_TOKEN")
				}
				return nil, err
			}
		}
		return transfer.LogIn(ctx, base, name, password)
	}
}

// soonExpired is how long before the end of a personal token commands say so, as the web interface does.
const soonExpired = 14 * 24 * time.Hour

// warnOfExpiry says that a personal token ends soon. A token that cannot be used is the error of the command itself.
func (p *process) warnOfExpiry(ctx context.Context, client *transfer.Client, token string) {
	if !strings.HasPrefix(token, "grp_") {
		return
	}
	ends, err := client.Expiry(ctx)
	if err == nil && !ends.IsZero() && time.Until(ends) < soonExpired {
		fmt.Fprintf(p.stderr, "the token in GRAPHREST_TOKEN expires at %s; graphrest token create --mine makes another\n",
			ends.UTC().Format(time.RFC3339))
	}
}

// gatewayCalls adds the flags that identify a gateway, and returns a function that makes calls to it and explains their error.
func (p *process) gatewayCalls(c *cobra.Command) func(ctx context.Context, calls func(*transfer.Client) error) error {
	connect := p.gatewayFlags(c)
	return func(ctx context.Context, calls func(*transfer.Client) error) error {
		client, err := connect(ctx)
		if err == nil {
			err = calls(client)
		}
		if err == nil { // also if the command was interrupted after its work
			return nil
		}
		return gatewayError(ctx, err)
	}
}

const gatewayHelp = "The gateway is the one at --url. The caller is identified by GRAPHREST_TOKEN, or by --username and " +
	"GRAPHREST_PASSWORD; without\n" +
	"the latter the password is asked for. Neither is ever an argument: every user of the machine can read those."

// variable returns a variable of the environment, empty if it is not set.
func (p *process) variable(name string) string {
	for _, each := range p.environ {
		if value, is := strings.CutPrefix(each, name+"="); is {
			return value
		}
	}
	return ""
}

// gatewayError explains an error of a call.
func gatewayError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("stopped")
	}
	var unanswered *url.Error
	if errors.As(err, &unanswered) {
		return fmt.Errorf("%w; is the gateway running there? See --url", err)
	}
	return err
}
