package app

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/config"
)

func developmentConfig(t *testing.T) *config.Config {
	t.Helper()
	c, err := config.Load(config.Sources{Purpose: config.Development, Environ: []string{"NEO4J_URI=bolt://127.0.0.1:1", "NEO4J_PASSWORD=x"}})
	require.NoError(t, err)
	return c
}

func TestDevelopKeepsItsSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first := developmentConfig(t)
	d, err := Develop(t.Context(), first, dir, io.Discard)
	require.NoError(t, err)
	require.Nil(t, d.Database, "a database that is named is used")
	require.NoError(t, d.Stop())
	require.NoError(t, auth.CheckSecret(first.Tokens.Secret.Reveal()))
	require.Nil(t, auth.CheckPassword("password", first.Admin.Password.Reveal()))

	second := developmentConfig(t)
	_, err = Develop(t.Context(), second, dir, io.Discard)
	require.NoError(t, err)
	require.Equal(t, first.Tokens.Secret.Reveal(), second.Tokens.Secret.Reveal())
	require.Equal(t, first.Admin.Password.Reveal(), second.Admin.Password.Reveal())

	other := developmentConfig(t)
	_, err = Develop(t.Context(), other, filepath.Join(t.TempDir(), "data"), io.Discard)
	require.NoError(t, err)
	require.NotEqual(t, first.Tokens.Secret.Reveal(), other.Tokens.Secret.Reveal())

	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	for _, name := range []string{devSecret, devPassword} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
}

func TestDevelopKeepsWhatIsConfigured(t *testing.T) {
	c := developmentConfig(t)
	c.Tokens.Secret, c.Admin.Password = config.NewSecret(testSecret), config.NewSecret(testPassword)
	dir := t.TempDir()
	_, err := Develop(t.Context(), c, dir, io.Discard)
	require.NoError(t, err)
	require.Equal(t, testSecret, c.Tokens.Secret.Reveal())
	require.Equal(t, testPassword, c.Admin.Password.Reveal())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestDevelopRefusesAnEmptiedSecret(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, devSecret), []byte("\n"), 0o600))
	_, err := Develop(t.Context(), developmentConfig(t), dir, io.Discard)
	require.ErrorContains(t, err, devSecret)
}
