package neo4jdev

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// classArchivePath names the archive of a cache's jars for one Java: class data sharing (java.1) works only with the build that wrote
// the archive, which the file "release" of a Java describes.
func classArchivePath(cache string, java javaHome) string {
	release, _ := os.ReadFile(filepath.Join(java.home, "release")) // without one the directory must do
	sum := sha256.Sum256(append([]byte(java.home+"\x00"), release...))
	return filepath.Join(cache, "classes-"+hex.EncodeToString(sum[:6])+".jsa")
}

// archiveArguments make the JVM write or use the class archive. The JVM goes on without an archive that it cannot read or that is not
// of these jars and this Java.
func (r *javaRuntime) archiveArguments() []string {
	if r.archiveAtExit != "" {
		return []string{"-XX:ArchiveClassesAtExit=" + r.archiveAtExit}
	}
	if r.archive != "" && fileSize(r.archive) > 0 {
		return []string{"-XX:SharedArchiveFile=" + r.archive}
	}
	return nil
}

// ensureClassArchive starts and stops a server that writes the archive, unless there is one or another process is making it. The archive
// is renamed into place, so no JVM ever opens half of it.
func (r *javaRuntime) ensureClassArchive(ctx context.Context, options Options) error {
	if r.archive == "" || fileSize(r.archive) > 0 {
		return nil
	}
	making, err := TryLockFile(r.archive + ".lock")
	if making == nil {
		return err
	}
	defer making.Release()
	if fileSize(r.archive) > 0 {
		return nil
	}
	work := r.archive + ".tmp"
	if err := os.RemoveAll(work); err != nil { // of a process that was killed, for this one holds the lock
		return err
	}
	if err := os.Mkdir(work, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	writer := *r
	writer.archiveAtExit = filepath.Join(work, "classes.jsa")
	training := Options{Dir: filepath.Join(work, "home"), Development: true, HeapMB: options.HeapMB, PageCacheMB: options.PageCacheMB}
	home, err := lockHome(ctx, training.Dir)
	if err != nil {
		return err
	}
	server, err := startLocked(ctx, &writer, training, home)
	if err != nil {
		home.Release()
		return err
	}
	if err := server.Stop(ctx); err != nil {
		return err
	}
	if fileSize(writer.archiveAtExit) == 0 {
		return errors.New("the JVM wrote none")
	}
	if err := os.Rename(writer.archiveAtExit, r.archive); err != nil {
		return fmt.Errorf("put the class archive in place: %w", err)
	}
	return nil
}
