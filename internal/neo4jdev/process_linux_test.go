package neo4jdev

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

func TestServerDiesWithItsParent(t *testing.T) {
	testmark.Long(t)
	dir := t.TempDir()
	parent := exec.Command(os.Args[0], dir)
	parent.Env = append(os.Environ(), helperVariable+"=serve")
	parent.Stderr = os.Stderr
	output, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	line := make([]byte, 32)
	length, err := output.Read(line)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(line[:length])))
	require.NoError(t, err)
	group, err := syscall.Getpgid(pid)
	require.NoError(t, err)
	require.Equal(t, pid, group, "the server is in a separate process group")
	lock, err := TryLockFile(filepath.Join(dir, ".lock"))
	require.NoError(t, err)
	require.Nil(t, lock, "the directory is locked while the server runs")
	held, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/3")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, ".lock"), held, "the server itself holds the lock and keeps it after its parent ends")

	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, 20*time.Second, 20*time.Millisecond)
	lock, err = LockFile(t.Context(), filepath.Join(dir, ".lock"))
	require.NoError(t, err)
	lock.Release()
}
