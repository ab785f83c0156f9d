package bench

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// child is a process of the benchmark. It ends when the context does or when it is stopped, and is killed if it does not end by itself.
type child struct {
	command *exec.Cmd
	cancel  context.CancelFunc
	done    chan struct{}
	output  *lastBytes
}

func startChild(ctx context.Context, program string, environment []string, arguments ...string) (*child, error) {
	ctx, cancel := context.WithCancel(ctx)
	//nolint:gosec // the gateway that is measured
	c := &child{command: exec.CommandContext(ctx, program, arguments...), cancel: cancel, done: make(chan struct{}), output: &lastBytes{}}
	c.command.Cancel = func() error { return c.command.Process.Signal(syscall.SIGTERM) }
	c.command.WaitDelay = 20 * time.Second
	c.command.Env, c.command.Stdout, c.command.Stderr = environment, c.output, c.output
	if err := c.command.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	go func() {
		_ = c.command.Wait() // its output shows how it ended
		close(c.done)
	}()
	return c, nil
}

func (c *child) pid() int { return c.command.Process.Pid }

// Stop ends the process.
func (c *child) Stop() {
	c.cancel()
	<-c.done
}

// lastBytes keeps the end of what a process printed.
type lastBytes struct {
	mutex sync.Mutex
	kept  []byte
}

func (l *lastBytes) Write(data []byte) (int, error) {
	const most = 4 << 10
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.kept = append(l.kept, data...)
	if excess := len(l.kept) - most; excess > 0 {
		l.kept = append(l.kept[:0], l.kept[excess:]...)
	}
	return len(data), nil
}

func (l *lastBytes) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return string(bytes.TrimSpace(l.kept))
}
