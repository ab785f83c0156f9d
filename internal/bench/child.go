package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// child is a process of the benchmark: a gateway or a load process.
type child struct {
	name    string
	command *exec.Cmd
	done    chan struct{}
	output  *lastBytes
}

// startChild starts a process that ends with this one at the latest. The kernel ties a child to the thread that
// started it, so that thread is kept alive until the child has ended.
func startChild(name string, command *exec.Cmd) (*child, error) {
	c := &child{name: name, command: command, done: make(chan struct{}), output: &lastBytes{}}
	command.SysProcAttr = dieWithParent()
	command.Stderr = c.output
	if command.Stdout == nil {
		command.Stdout = c.output
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // its output shows how it ended
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return c, nil
}

// Process is a process that this one started and that ends with it at the latest.
type Process struct{ child *child }

// StartProcess starts one. Errors contain the name.
func StartProcess(name string, command *exec.Cmd) (*Process, error) {
	c, err := startChild(name, command)
	if err != nil {
		return nil, err
	}
	return &Process{c}, nil
}

// Pid returns the process id.
func (p *Process) Pid() int { return p.child.pid() }

// Stop asks the process to end, and kills it when it does not.
func (p *Process) Stop() { p.child.stop() }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.child.done }

// Output returns the end of what the process printed.
func (p *Process) Output() string { return p.child.output.String() }

func (c *child) pid() int { return c.command.Process.Pid }

// stop asks the process to end and kills it when it does not.
func (c *child) stop() {
	_ = c.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.done:
	case <-time.After(20 * time.Second):
		_ = c.command.Process.Kill()
		<-c.done
	}
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

// loadChild is the benchmark's handle of a load process.
type loadChild struct {
	*child
	input   io.WriteCloser
	lines   *json.Encoder
	answers *json.Decoder
}

func startLoad(ctx context.Context, command []string, s setup) (*loadChild, error) {
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // it is this program itself, and ends when its input does
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	reader, writer := io.Pipe() // Wait would close a pipe of the command before everything is read
	cmd.Stdout = writer
	process, err := startChild("the load process of the "+string(s.Target), cmd)
	if err != nil {
		return nil, err
	}
	go func() {
		<-process.done
		_ = writer.Close()
	}()
	l := &loadChild{child: process, input: input, lines: json.NewEncoder(input), answers: json.NewDecoder(reader)}
	if _, err := l.ask(ctx, s); err != nil {
		l.end()
		return nil, err
	}
	return l, nil
}

// ask sends a line and waits for its answer. A ctx that ends kills the process.
func (l *loadChild) ask(ctx context.Context, line any) (turnResult, error) {
	release := context.AfterFunc(ctx, func() { _ = l.command.Process.Kill() })
	defer release()
	var result turnResult
	err := l.lines.Encode(line)
	if err == nil {
		err = l.answers.Decode(&result)
	}
	if err == nil && result.Failure != "" {
		err = errors.New(result.Failure)
	}
	if err != nil {
		return turnResult{}, fmt.Errorf("%s: %w %s", l.name, errors.Join(context.Cause(ctx), err), l.output)
	}
	return result, nil
}

// end closes the input, which makes the process end.
func (l *loadChild) end() {
	_ = l.input.Close()
	select {
	case <-l.done:
	case <-time.After(10 * time.Second):
		l.stop()
	}
}
