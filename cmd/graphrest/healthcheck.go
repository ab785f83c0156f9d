package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/config"
)

// healthTimeout is shorter than the time-out of the image's health check.
const healthTimeout = 4 * time.Second

func newHealthcheck(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "healthcheck", Short: "Check the health of the gateway on this machine; for images without a shell",
		Long: "Asks /healthz of the gateway at GRAPHREST_LISTEN, and with --ready /readyz, which also needs the database.\n" +
			"Exit code 0 when the answer is 200, else 1.",
		Args: arguments(cobra.NoArgs),
	}
	ready := c.Flags().Bool("ready", false, "ask whether it can serve, the database included")
	addSettings(c, "HTTP")
	c.RunE = func(c *cobra.Command, _ []string) error {
		loaded, err := p.settings(c, config.Development)
		if err != nil {
			return err
		}
		path := "/healthz"
		if *ready {
			path = "/readyz"
		}
		return askHealth(c.Context(), app.OwnURL(loaded, loaded.HTTP.Listen)+path)
	}
	return c
}

func askHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	// Without a proxy: the gateway runs on the same machine.
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		// The certificate is for the gateway's public name, and the request contains no secret.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // as said above
	}}
	response, err := client.Do(request)
	if err != nil {
		return errors.New("the gateway does not answer: " + err.Error())
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}
