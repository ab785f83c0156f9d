package neo4jtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"time"

	"graphrest/internal/neo4jdev"
)

const (
	ownDirPrefix = "graphrest-neo4jtest-"
	// leftoverAge is how old a directory of an ended test binary must be to be removed by a later one.
	leftoverAge = 10 * time.Minute
)

var (
	ownOnce   sync.Once
	ownServer *neo4jdev.Server
	ownErr    error
)

// own starts this test binary's server at the first call. It dies with the binary, also when the binary is killed.
func own() (*neo4jdev.Server, error) {
	ownOnce.Do(func() {
		removeLeftovers()
		dir, err := os.MkdirTemp("", ownDirPrefix+"*")
		if err != nil {
			ownErr = err
			return
		}
		ownServer, ownErr = neo4jdev.Start(context.Background(), neo4jdev.Options{Dir: dir, Development: true, Log: os.Stderr})
		if ownErr != nil {
			_ = os.RemoveAll(dir)
		}
	})
	return ownServer, ownErr
}

// stopOwn is for the end of the binary: the data is thrown away, so there is nothing to stop gently for.
func stopOwn() {
	if ownServer == nil {
		return
	}
	_ = ownServer.Kill()
	_ = os.RemoveAll(ownServer.Dir())
}

// removeLeftovers removes what test binaries left behind that had no TestMain or were killed.
func removeLeftovers() {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), ownDirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < leftoverAge {
			continue
		}
		if lock, err := neo4jdev.TryLockFile(filepath.Join(dir, ".lock")); err == nil && lock != nil {
			_ = os.RemoveAll(dir)
			lock.Release()
		}
	}
}

// lockPath returns the lock file of a database. All test binaries that share a database must use the same file; that of a binary's own
// server is in the directory of the server and is removed with it.
func lockPath(target testServer) string {
	if target.ownDir != "" {
		return filepath.Join(target.ownDir, ".test-lock")
	}
	sum := sha256.Sum256([]byte(target.uri + "\x00" + target.database))
	return filepath.Join(os.TempDir(), "graphrest-neo4jtest-lock-"+hex.EncodeToString(sum[:8]))
}
