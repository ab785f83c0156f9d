package neo4jdev

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// passwordIterations is how often Neo4j hashes a password; its file of users names the number.
const passwordIterations = 1024

// setInitialPassword writes the file that `neo4j-admin dbms set-initial-password` writes, and from which Neo4j creates its user at the
// first start on a home. The command itself starts a JVM for it, a quarter of the CPU time of a whole start. A server that cannot read the
// file refuses to start; one that hashes differently refuses the password. The tests log in on every supported release.
func (r *javaRuntime) setInitialPassword(_ context.Context, options Options, credentials Credentials) error {
	directory := filepath.Join(options.Dir, "data", "dbms")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return fmt.Errorf("neo4jdev: set the initial password: %w", err)
	}
	salt := make([]byte, sha256.Size)
	rand.Read(salt)
	user := initialUser(credentials, salt)
	if err := os.WriteFile(filepath.Join(directory, "auth.ini"), []byte(user), 0o600); err != nil {
		return fmt.Errorf("neo4jdev: set the initial password: %w", err)
	}
	return nil
}

// initialUser returns a user as Neo4j's UserSerialization writes it: name, credential and, empty here, flags.
func initialUser(credentials Credentials, salt []byte) string {
	hash := sha256.Sum256(append(salt[:len(salt):len(salt)], credentials.Password...))
	for range passwordIterations - 1 {
		hash = sha256.Sum256(hash[:])
	}
	return fmt.Sprintf("%s:SHA-256,%s,%s,%d:", credentials.Username, hex.EncodeToString(hash[:]), hex.EncodeToString(salt), passwordIterations)
}
