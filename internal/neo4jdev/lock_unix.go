//go:build unix

package neo4jdev

import (
	"errors"
	"os"
	"syscall"
)

// tryLock returns nil, nil when another process holds the lock.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return file, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			file.Close()
			return nil, nil
		default:
			file.Close()
			return nil, err
		}
	}
}
