package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"graphrest/internal/config"
	"graphrest/internal/neo4jdev"
)

// Paths below the directory of `graphrest dev`.
const (
	devDatabase = "neo4j"
	devSecret   = "jwt-secret"
	devPassword = "admin-password"
)

// stopDatabase bounds the stop of the database, which usually takes well under a second.
const stopDatabase = 30 * time.Second

// Development is what `graphrest dev` creates if it is not configured: secrets, and a Neo4j.
type Development struct {
	Database *neo4jdev.Server // nil if the configuration names one
}

// Develop completes the configuration: a signing secret and an administrator's password, created once and stored under
// dir, and a separate Neo4j with its data under dir. Progress is written to out. On Debian and Ubuntu, as root, it
// installs the Java and Maven that Neo4j needs; elsewhere the error says what to install.
func Develop(ctx context.Context, c *config.Config, dir string, out io.Writer) (*Development, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory for data: %w", err)
	}
	if c.Tokens.Secret.Empty() && c.Tokens.KeyFile == "" {
		secret, err := loadOrCreateSecret(filepath.Join(dir, devSecret), 48)
		if err != nil {
			return nil, err
		}
		c.Tokens.Secret = secret
	}
	if c.Admin.Password.Empty() {
		password, err := loadOrCreateSecret(filepath.Join(dir, devPassword), 15)
		if err != nil {
			return nil, err
		}
		c.Admin.Password = password
	}
	if c.Neo4j.URI != "" {
		return &Development{}, nil
	}
	if err := neo4jdev.InstallMissing(ctx, out); err != nil {
		return nil, err
	}
	server, err := neo4jdev.Start(ctx, neo4jdev.Options{Dir: filepath.Join(dir, devDatabase), Development: true, Log: out})
	if err != nil {
		return nil, err
	}
	c.Neo4j.URI, c.Neo4j.Username, c.Neo4j.Password = server.URI, server.Username, config.NewSecret(server.Password)
	c.Neo4j.Database = "neo4j"
	return &Development{Database: server}, nil
}

// CredentialsFile returns the file with the name and the password of the database user, readable by its owner only.
func (d *Development) CredentialsFile() string { return neo4jdev.CredentialsFile(d.Database.Dir()) }

// Ended returns a channel that is closed when the database process ends, which it should not do by itself; nil if
// Develop did not start the database.
func (d *Development) Ended() <-chan struct{} {
	if d.Database == nil {
		return nil
	}
	return d.Database.Done()
}

// Stop stops the database if Develop started it. The data stays.
func (d *Development) Stop() error {
	if d.Database == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopDatabase)
	defer cancel()
	return d.Database.Stop(ctx)
}

// loadOrCreateSecret reads a secret from a file, or creates it and writes it there, readable by its owner only.
func loadOrCreateSecret(path string, bytes int) (config.Secret, error) {
	content, err := os.ReadFile(path) //nolint:gosec // a fixed name below the directory that the user chose
	switch {
	case err == nil:
		if text := strings.TrimSpace(string(content)); text != "" {
			return config.NewSecret(text), nil
		}
		return config.Secret{}, fmt.Errorf("%s is empty: remove it to create a new secret", path)
	case !errors.Is(err, fs.ErrNotExist):
		return config.Secret{}, err
	}
	text := randomText(bytes)
	// O_EXCL: two processes that start concurrently must not use different secrets.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // as above
	if err != nil {
		return config.Secret{}, err
	}
	_, err = file.WriteString(text + "\n")
	return config.NewSecret(text), errors.Join(err, file.Close())
}
