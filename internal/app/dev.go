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

// Places below the directory of `graphrest dev`.
const (
	devDatabase = "neo4j"
	devSecret   = "jwt-secret"
	devPassword = "admin-password"
)

// stopDatabase bounds the stop of the database, which takes well under a second as a rule.
const stopDatabase = 30 * time.Second

// Development is what `graphrest dev` makes where nothing is configured: secrets, and a Neo4j.
type Development struct {
	Database *neo4jdev.Server // nil when the configuration names one
}

// Develop fills in what the configuration leaves open: a signing secret and an administrator's password, made once and
// kept under dir, and a Neo4j of its own with its data under dir. Words about it go to out. On Debian and Ubuntu, as root,
// it installs the Java and Maven that Neo4j needs; elsewhere the error says what to install.
func Develop(ctx context.Context, c *config.Config, dir string, out io.Writer) (*Development, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the directory for data: %w", err)
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

// CredentialsFile holds the name and the password of the database's user, readable by its owner only.
func (d *Development) CredentialsFile() string { return neo4jdev.CredentialsFile(d.Database.Dir()) }

// Ended is closed when the database has ended, which it should not do by itself; nil when it is somebody else's.
func (d *Development) Ended() <-chan struct{} {
	if d.Database == nil {
		return nil
	}
	return d.Database.Done()
}

// Stop stops the database, if it is ours. The data stays.
func (d *Development) Stop() error {
	if d.Database == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopDatabase)
	defer cancel()
	return d.Database.Stop(ctx)
}

// keptSecret reads a secret from a file, or makes it and writes it there, readable by its owner only.
func loadOrCreateSecret(path string, bytes int) (config.Secret, error) {
	content, err := os.ReadFile(path) //nolint:gosec // a fixed name below the directory that the user chose
	switch {
	case err == nil:
		if text := strings.TrimSpace(string(content)); text != "" {
			return config.NewSecret(text), nil
		}
		return config.Secret{}, fmt.Errorf("%s is empty: remove it, and a new secret is made", path)
	case !errors.Is(err, fs.ErrNotExist):
		return config.Secret{}, err
	}
	text := randomText(bytes)
	// O_EXCL: two that start at once must not each believe in a secret of their own.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // as above
	if err != nil {
		return config.Secret{}, err
	}
	_, err = file.WriteString(text + "\n")
	return config.NewSecret(text), errors.Join(err, file.Close())
}
