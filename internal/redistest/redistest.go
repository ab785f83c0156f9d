// Package redistest runs a real redis-server for tests.
package redistest

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// Server is a redis-server for one test, on an address that stays the same across Kill and Restart.
type Server struct {
	Address string // host:port on this machine
	binary  string
	process *exec.Cmd
	output  *bytes.Buffer
}

// URL is the server's address for the setting.
func (s *Server) URL() string { return "redis://" + s.Address }

// Start starts a server without persistence and stops it at the end of the test. Without a redis-server the test is
// skipped, or fails if CI=true.
func Start(t testing.TB) *Server {
	t.Helper()
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is missing: apt-get install redis-server")
		}
		t.Skip("redis-server is missing: apt-get install redis-server")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &Server{Address: free.Addr().String(), binary: binary}
	require.NoError(t, free.Close())
	t.Cleanup(s.kill)
	s.Restart(t)
	return s
}

// Restart starts the server after Kill, empty.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	_, port, err := net.SplitHostPort(s.Address)
	require.NoError(t, err)
	s.output = &bytes.Buffer{}
	s.process = exec.Command(s.binary, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	s.process.Stdout, s.process.Stderr = s.output, s.output
	require.NoError(t, s.process.Start())
	client := redis.NewClient(&redis.Options{Addr: s.Address})
	defer func() { _ = client.Close() }()
	require.Eventually(t, func() bool { return client.Ping(context.Background()).Err() == nil }, 20*time.Second, 20*time.Millisecond,
		"redis-server does not answer")
}

// Kill kills the server process.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	require.NotNil(t, s.process)
	s.kill()
}

func (s *Server) kill() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
	s.process = nil
}
