package neo4jdev

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Credentials are the name and password of a server's only user. They are kept in <Dir>/credentials.json,
// readable by its owner only, because Neo4j accepts the initial password once and never shows it again.
type Credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// String omits the password, to keep it out of logs and error messages.
func (c Credentials) String() string { return c.Username + ":[redacted]" }

// GoString omits the password for %#v as String does for %v.
func (c Credentials) GoString() string { return c.String() }

// ReadCredentials returns the credentials of a server that was once started on dir. The error matches
// fs.ErrNotExist if none was.
func ReadCredentials(dir string) (Credentials, error) {
	text, err := os.ReadFile(CredentialsFile(dir))
	if err != nil {
		return Credentials{}, fmt.Errorf("neo4jdev: read the credentials: %w", err)
	}
	var credentials Credentials
	if err := json.Unmarshal(text, &credentials); err != nil || credentials.Username == "" || credentials.Password == "" {
		return Credentials{}, fmt.Errorf("neo4jdev: %s is damaged", CredentialsFile(dir))
	}
	return credentials, nil
}

// prepareCredentials reads the credentials of a home, or generates them before its first start. They are written
// before the server gets them: if the machine stops in between, the next start passes them again.
func prepareCredentials(ctx context.Context, found serverRuntime, options Options) (Credentials, error) {
	started := wasStarted(options.Dir)
	credentials, err := ReadCredentials(options.Dir)
	switch {
	case err == nil && options.Password != "" && options.Password != credentials.Password:
		return Credentials{}, fmt.Errorf("neo4jdev: the database in %s has another password than the one given; "+
			"change it in Neo4j, or leave the password out", options.Dir)
	case err == nil && started:
		return credentials, nil
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist):
		return Credentials{}, err
	case started && options.Password == "":
		return Credentials{}, fmt.Errorf("neo4jdev: %s holds a database, but %s is missing: give its password",
			options.Dir, CredentialsFile(options.Dir))
	default:
		credentials = Credentials{Username: DefaultUsername, Password: options.Password}
		if credentials.Password == "" {
			credentials.Password = rand.Text()
		}
		if err := writeCredentials(options.Dir, credentials); err != nil {
			return Credentials{}, err
		}
	}
	if !started {
		if err := found.setInitialPassword(ctx, options, credentials); err != nil {
			return Credentials{}, err
		}
	}
	return credentials, nil
}

// wasStarted reports whether a Neo4j has ever created its system database in dir, which contains the users.
func wasStarted(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "data", "databases", "system"))
	return err == nil
}

// CredentialsFile returns the path of the file with the credentials of a server on dir.
func CredentialsFile(dir string) string { return filepath.Join(dir, "credentials.json") }

func writeCredentials(dir string, credentials Credentials) error {
	text, err := json.Marshal(credentials)
	if err != nil {
		return fmt.Errorf("neo4jdev: write the credentials: %w", err)
	}
	// CreateTemp creates the file with mode 0600; the rename replaces it atomically.
	file, err := os.CreateTemp(dir, "credentials-*.tmp")
	if err != nil {
		return fmt.Errorf("neo4jdev: write the credentials: %w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), CredentialsFile(dir))
	}
	if err != nil {
		return fmt.Errorf("neo4jdev: write the credentials: %w", err)
	}
	return nil
}
