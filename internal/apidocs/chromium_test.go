package apidocs_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eventTimeout is how long to wait for an event on a busy machine.
const eventTimeout = time.Minute

// browser is one page of a Chromium, driven by the DevTools protocol over a pipe (--remote-debugging-pipe: messages are JSON
// texts that end with NUL; the browser reads file 3 and writes file 4).
type browser struct {
	send    *os.File
	session string

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	events  []message
	arrived chan struct{} // closed and replaced at each event
	ended   chan struct{}
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// openBrowser starts a Chromium that can reach this machine only, with an empty page. Without a Chromium the test is skipped,
// except in continuous integration.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no Chromium; install the package chromium")
		}
		t.Skip("there is no Chromium; install the package chromium")
	}
	theirs, ours, err := os.Pipe()
	require.NoError(t, err)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--user-data-dir="+t.TempDir(), "about:blank")
	command.ExtraFiles = []*os.File{theirs, write}
	require.NoError(t, command.Start())
	require.NoError(t, theirs.Close())
	require.NoError(t, write.Close())
	b := &browser{send: ours, waiting: map[int]chan message{}, arrived: make(chan struct{}), ended: make(chan struct{})}
	go b.receive(read)
	t.Cleanup(func() {
		_, _ = b.try("Browser.close", nil)
		ended := make(chan struct{})
		go func() {
			_ = command.Wait()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
		_ = ours.Close()
	})

	var target struct{ TargetID string }
	b.call(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.call(t, domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) receive(from *os.File) {
	defer close(b.ended)
	defer func() { _ = from.Close() }()
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if answer := b.waiting[m.ID]; answer != nil {
			delete(b.waiting, m.ID)
			answer <- m
		} else if m.Method != "" {
			b.events = append(b.events, m)
			close(b.arrived)
			b.arrived = make(chan struct{})
		}
		b.mu.Unlock()
	}
}

func (b *browser) try(method string, params any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	if params == nil {
		raw = []byte("{}")
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	b.waiting[id] = answer
	text, err := json.Marshal(message{ID: id, Session: b.session, Method: method, Params: raw})
	if err == nil {
		_, err = b.send.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-b.ended:
		return nil, fmt.Errorf("%s: the browser has ended", method)
	case <-time.After(eventTimeout):
		return nil, fmt.Errorf("%s: no answer in %s", method, eventTimeout)
	}
}

func (b *browser) call(t *testing.T, method string, params, result any) {
	t.Helper()
	raw, err := b.try(method, params)
	require.NoError(t, err)
	if result != nil {
		require.NoError(t, json.Unmarshal(raw, result))
	}
}

// run evaluates a script in the page, awaits it, and gives its value as text.
func (b *browser) run(t *testing.T, script string) string {
	t.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call(t, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer)
	if e := answer.ExceptionDetails; e != nil {
		t.Fatalf("%s: %s %s", script, e.Text, e.Exception.Description)
	}
	if answer.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(answer.Result.Value)
}

// eventually waits until the script's value satisfies the condition.
func (b *browser) eventually(t *testing.T, script string, is func(string) bool) string {
	t.Helper()
	var value string
	for end := time.Now().Add(eventTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if value = b.run(t, script); is(value) {
			return value
		}
	}
	t.Fatalf("%s stayed %q", script, value)
	return ""
}

// awaitEvents waits until the events so far satisfy the condition, and reports whether they do.
func (b *browser) awaitEvents(is func() bool) bool {
	timeout := time.After(eventTimeout)
	for {
		b.mu.Lock()
		arrived := b.arrived
		b.mu.Unlock()
		if is() {
			return true
		}
		select {
		case <-arrived:
		case <-b.ended:
			return false
		case <-timeout:
			return false
		}
	}
}

// heard gives the parameters of all events of a kind so far.
func heard[T any](t *testing.T, b *browser, method string) []T {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []T
	for _, m := range b.events {
		if m.Method == method && m.Session == b.session {
			var one T
			require.NoError(t, json.Unmarshal(m.Params, &one))
			all = append(all, one)
		}
	}
	return all
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return strings.ReplaceAll(string(text), "</", `<\/`)
}
