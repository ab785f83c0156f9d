package neo4jdev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// process supervises one child. result may be read once done is closed.
type process struct {
	command  *exec.Cmd
	killMore func() // ends what would outlive a kill of the process
	output   *tail
	done     chan struct{}
	result   error
}

// startProcess starts command in a separate process group and ties it to this process. inherited, if any, is
// an open file that the child holds until it ends; killMore is called before a kill.
//
// The kernel ties a child to the thread that started it, not to the process, and Go ends idle threads at any
// time; so one goroutine locks itself to a thread, starts the child there and waits until the child has ended.
func startProcess(command *exec.Cmd, whenOrphaned syscall.Signal, inherited *os.File, killMore func()) (*process, error) {
	p := &process{command: command, killMore: killMore, output: &tail{limit: 8 << 10}, done: make(chan struct{})}
	command.Stdout, command.Stderr = p.output, p.output
	command.SysProcAttr = processAttributes(whenOrphaned)
	if inherited != nil && runtime.GOOS != "windows" {
		command.ExtraFiles = []*os.File{inherited}
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := command.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.result = command.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("neo4jdev: start %s: %w", command.Path, err)
	}
	return p, nil
}

func (p *process) pid() int { return p.command.Process.Pid }

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *process) stop(ctx context.Context) error {
	if p.ended() {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		// Windows has no SIGTERM. Neo4j recovers from a kill at its next start.
		return p.kill()
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("neo4jdev: Neo4j did not stop in time and was killed: %w", ctx.Err()), p.kill())
	}
}

func (p *process) kill() error {
	p.killMore()
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("neo4jdev: kill Neo4j: %w", err)
	}
	<-p.done
	return nil
}

// tail is a Writer that keeps the last bytes written to it.
type tail struct {
	mutex sync.Mutex
	limit int
	kept  []byte
}

func (t *tail) Write(data []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, data...)
	if excess := len(t.kept) - t.limit; excess > 0 {
		t.kept = append(t.kept[:0], t.kept[excess:]...)
	}
	return len(data), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.kept)
}

// lastLines returns up to count lines from the end of a file, starting at the byte offset, so that lines of an earlier
// start are left out. It returns no lines for a file that cannot be read.
func lastLines(path string, offset int64, count int) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	if info.Size() < offset {
		offset = 0 // Neo4j has rotated its log
	}
	const most = 64 << 10
	if _, err := file.Seek(max(offset, info.Size()-most), io.SeekStart); err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
