package gatewaytest

import (
	"bytes"
	"regexp"
	"sync"
	"time"
)

// LogBuffer collects the output of a gateway and can be read while it is written. Its zero value is empty.
type LogBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // closed and replaced at each write; nil while nobody waits
}

func (b *LogBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written != nil {
		close(b.written)
		b.written = nil
	}
	return b.text.Write(p)
}

// String returns all that was written.
func (b *LogBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// nextWrite returns what was written, and a channel that is closed at the next write.
func (b *LogBuffer) nextWrite() (text string, written <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written == nil {
		b.written = make(chan struct{})
	}
	return b.text.String(), b.written
}

// Await waits until a pattern was written and returns its match and groups. It returns nil if the writer ends, or the timeout passes,
// without that. A nil channel stands for a writer that does not end.
func (b *LogBuffer) Await(pattern *regexp.Regexp, ended <-chan struct{}, timeout time.Duration) []string {
	expired := time.After(timeout)
	for {
		text, written := b.nextWrite()
		if match := pattern.FindStringSubmatch(text); match != nil {
			return match
		}
		select {
		case <-written:
		case <-ended:
			return pattern.FindStringSubmatch(b.String())
		case <-expired:
			return nil
		}
	}
}
