package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoFormatPrintsASecret(t *testing.T) {
	c := load(t, Sources{Environ: minimal("GRAPHREST_ADMIN_PASSWORD="+passwordText, "GRAPHREST_JWT_PREVIOUS_SECRETS="+previousText)})
	hidden := struct{ inside Secret }{NewSecret(secretText)} // fmt cannot call methods of unexported fields
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	logger.Info("x", "config", c, "secret", c.Tokens.Secret, "hidden", hidden)
	asJSON, err := json.Marshal(c)
	require.NoError(t, err)
	lines, err := json.Marshal(c.Lines())
	require.NoError(t, err)
	texts := []string{log.String(), string(asJSON), string(lines), c.Tokens.Secret.String()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		texts = append(texts, fmt.Sprintf(verb, c.Tokens), fmt.Sprintf(verb, c.Tokens.Secret), fmt.Sprintf(verb, hidden),
			fmt.Sprintf(verb, &c.Tokens))
	}
	for _, text := range texts {
		requireNoSecret(t, text)
		require.NotContains(t, text, fmt.Sprintf("%x", secretText))
	}
	require.Contains(t, string(asJSON), redacted)
	require.Contains(t, string(lines), redacted)
	require.Equal(t, secretText, c.Tokens.Secret.Reveal())
}

// The Config keeps the texts that it was parsed from, for `config print`; formatting it with fmt must not leak them either.
func TestNoFormatPrintsTheConfigurationsSecrets(t *testing.T) {
	c := load(t, Sources{Environ: minimal()})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		requireNoSecret(t, fmt.Sprintf(verb, *c))
		requireNoSecret(t, fmt.Sprintf(verb, c))
	}
}
