package neo4jdev

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// Lock is an exclusive lock between processes, held on an open file. The operating system releases it when
// every process that holds the file has ended, so it never goes stale.
type Lock struct {
	once sync.Once
	file *os.File
}

// LockFile waits for the exclusive lock on the file at path, which is created if missing and never removed
// (removing it would let two processes hold two files of one name). Two calls in one process exclude each
// other too. Errors: ctx's error when it ends first, or the error of opening the file.
func LockFile(ctx context.Context, path string) (*Lock, error) {
	wait := time.Millisecond
	for {
		lock, err := TryLockFile(path)
		if lock != nil || err != nil {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the lock %s: %w", path, ctx.Err())
		case <-time.After(wait):
		}
		wait = min(wait*2, 20*time.Millisecond)
	}
}

// TryLockFile is LockFile without waiting: it returns nil and no error when another process holds the lock.
func TryLockFile(path string) (*Lock, error) {
	file, err := tryLock(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if file == nil {
		return nil, nil
	}
	return &Lock{file: file}, nil
}

// Release releases the lock. Further calls are no-ops.
func (l *Lock) Release() { l.once.Do(func() { l.file.Close() }) }
