package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"

	"graphrest/internal/config"
)

// Listen opens the address to serve on. Its errors state the remedy.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return openListener(ctx, address, "--listen", "GRAPHREST_LISTEN")
}

// openListener opens an address; flag and setting name where it is configured.
func openListener(ctx context.Context, address, flag, setting string) (net.Listener, error) {
	var c net.ListenConfig
	listener, err := c.Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		return listener, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or choose another address with %s %s (%s)", address, flag,
			withNextPort(address), setting)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: ports below 1024 are reserved; choose a higher one with %s (%s)",
			address, flag, setting)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s is not an address of this machine: choose another with %s (%s)", address, flag, setting)
	default:
		return nil, fmt.Errorf("cannot listen on %s (%s, %s): %w", address, flag, setting, err)
	}
}

// withNextPort returns the same address with the next port, as an example.
func withNextPort(address string) string {
	host, port, err := net.SplitHostPort(address)
	number, numeric := strconv.Atoi(port)
	if err != nil || numeric != nil || number >= 65535 {
		return "127.0.0.1:0"
	}
	return net.JoinHostPort(host, strconv.Itoa(number+1))
}

// OwnURL returns the URL at which a program on the same machine reaches a gateway with this configuration.
func OwnURL(c *config.Config, address string) string {
	if c.HTTP.CertFile != "" {
		return "https" + strings.TrimPrefix(LocalURL(address), "http")
	}
	return LocalURL(address)
}

// LocalURL returns the URL at which a program on the same machine reaches a gateway without TLS; an unspecified address
// becomes the loopback address.
func LocalURL(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "http://" + listen
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
