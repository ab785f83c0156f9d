package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/internal/fault"
)

const (
	// streamsAtOnce bounds the imports and exports under way: each holds a connection to the database all the time.
	streamsAtOnce = 4
	afterStreams  = 5 * time.Second // when to try again where there are as many
	// streamPatience is how long a client may send nothing, or take nothing, before its stream is cut.
	streamPatience = 60 * time.Second
	streamBuffer   = 64 << 10
)

const lineType = "application/x-ndjson; charset=utf-8"

// lineMedia are the media types that NDJSON goes by; none is registered.
var lineMedia = []string{"application/x-ndjson", "application/ndjson", "application/jsonl"}

// streams are the imports and exports under way.
type streams struct {
	draining context.Context // ends when the service is about to stop
	end      context.CancelFunc
	places   chan struct{}
}

func newStreams() streams {
	ctx, cancel := context.WithCancel(context.Background())
	return streams{draining: ctx, end: cancel, places: make(chan struct{}, streamsAtOnce)}
}

// stream is one request that may take as long as it goes on. In place of the server's deadlines, each read and each write has one
// of its own, and a stop of the service ends it. Its writer may be used by several goroutines.
type stream struct {
	c       *call
	control *http.ResponseController
	forget  func() bool
	cut     atomic.Bool // no more is read

	mu      sync.Mutex
	buffer  []byte
	started bool
	failed  error
}

// begin makes a request a stream. DATABASE_UNAVAILABLE when there are as many as may be.
func (s *streams) begin(c *call) (*stream, error) {
	select {
	case s.places <- struct{}{}:
	default:
		return nil, fault.New(fault.DatabaseUnavailable, "The service is busy with other imports and exports; try again").RetryAfter(afterStreams)
	}
	control := http.NewResponseController(c.gin.Writer)
	// Without it net/http would read the rest of an import before the first line of its answer, or drop it.
	_ = control.EnableFullDuplex()
	st := &stream{c: c, control: control}
	st.forget = context.AfterFunc(s.draining, st.interrupt)
	return st, nil
}

// interrupt ends a read that waits for the client, and all further ones. Where a connection has no deadlines, as in a test, the
// read ends by itself.
func (st *stream) interrupt() {
	st.cut.Store(true)
	_ = st.control.SetReadDeadline(time.Now())
}

func (st *stream) end() {
	st.forget()
	<-st.c.api.streams.places
}

// stopping says whether the service is about to stop.
func (st *stream) stopping() bool { return st.c.api.streams.draining.Err() != nil }

// Read reads from the request's body, waiting for a while.
func (st *stream) Read(p []byte) (int, error) {
	_ = st.control.SetReadDeadline(time.Now().Add(streamPatience))
	if st.cut.Load() { // whoever cuts it after this look sets the deadline again
		return 0, os.ErrDeadlineExceeded
	}
	return st.c.gin.Request.Body.Read(p)
}

// line appends one line to the answer, and sends the buffer when it is full.
func (st *stream) line(one appender) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.buffer = append(one(st.buffer), '\n')
	if len(st.buffer) < streamBuffer {
		return st.failed
	}
	return st.send()
}

// flush sends what is in the buffer.
func (st *stream) flush() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.send()
}

func (st *stream) send() error {
	if st.failed != nil || (len(st.buffer) == 0 && st.started) {
		return st.failed
	}
	w := st.c.gin.Writer
	if !st.started {
		st.started = true
		w.Header().Set("Content-Type", lineType)
		w.Header().Set("X-Accel-Buffering", "no") // a proxy that collects the answer would hide the progress
		w.WriteHeader(http.StatusOK)
	}
	_ = st.control.SetWriteDeadline(time.Now().Add(streamPatience))
	if _, st.failed = w.Write(st.buffer); st.failed == nil {
		st.failed = st.control.Flush()
	}
	if errors.Is(st.failed, http.ErrNotSupported) {
		st.failed = nil
	}
	st.buffer = st.buffer[:0]
	return st.failed
}

// begun says whether a part of the answer has been sent, so that its status cannot change any more.
func (st *stream) begun() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.started
}

// errStopping ends a stream because the service is about to stop.
func errStopping() *fault.Error {
	return fault.New(fault.DatabaseUnavailable, "The service is stopping; try again").RetryAfter(defaultRetry)
}

// brokenOff is why the client's lines have ended too early.
func (st *stream) brokenOff(err error) *fault.Error {
	switch {
	case st.stopping():
		return errStopping()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: "body", Message: "stopped for more than " + streamPatience.String()})
	case errors.Is(err, io.EOF):
		return nil
	default:
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: "body", Message: "could not be read to its end"})
	}
}

// noteFault puts a fault that comes in the middle of a stream into the request's line in the log.
func (st *stream) noteFault(err error) *fault.Error {
	f := fault.As(err)
	n := noteOf(st.c.gin)
	n.code = f.Code
	n.clientLeft = errors.Is(n.client.Err(), context.Canceled)
	if StatusOf(f.Code) >= http.StatusInternalServerError && !n.clientLeft {
		n.cause = err
	}
	return f
}
