package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

const (
	retryAfterStreams = 5 * time.Second // when to try again where there are as many as may be
	// streamIdleTimeout is how long a client may take for one line, and for taking what is sent to it, before its stream is cut.
	streamIdleTimeout = 60 * time.Second
	streamBuffer      = 64 << 10
	// When the rights behind a stream end, the batch that is being written may end in this time; then its statement is cut.
	batchGracePeriod = 250 * time.Millisecond
	// lastLineTimeout is how long the last line may take then, where the client reads slowly.
	lastLineTimeout = 500 * time.Millisecond
)

const ndjsonMediaType = "application/x-ndjson; charset=utf-8"

// ndjsonMediaTypes are the media types that NDJSON goes by; none is registered.
var ndjsonMediaTypes = []string{"application/x-ndjson", "application/ndjson", "application/jsonl"}

// streams are the imports and exports under way. They are bounded in all, since each holds a connection to the database, and for each
// user and route, so that the slow streams of one user leave room for the others.
type streams struct {
	draining    context.Context // ends when the service is about to stop
	drain       context.CancelFunc
	idleTimeout time.Duration

	limit, limitPerUser int

	mu    sync.Mutex
	total int
	users map[streamUser]int
}

// streamUser is a user on one route.
type streamUser struct{ id, path string }

func newStreams(most, mostOfUser int) *streams {
	ctx, cancel := context.WithCancel(context.Background())
	return &streams{
		draining: ctx, drain: cancel, idleTimeout: streamIdleTimeout, limit: most, limitPerUser: mostOfUser, users: map[streamUser]int{},
	}
}

// acquire counts a stream of a user. RATE_LIMITED: the user has as many under way as one may. DATABASE_UNAVAILABLE: all have.
func (s *streams) acquire(u streamUser) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[u] >= s.limitPerUser {
		what := strings.TrimPrefix(u.path, "/api/")
		return fault.New(fault.RateLimited, fmt.Sprintf("One user may have %d %s under way at a time; wait for its end, or end it", s.limitPerUser, what)).
			RetryAfter(retryAfterStreams)
	}
	if s.total >= s.limit {
		return fault.New(fault.DatabaseUnavailable, "The service is busy with other imports and exports; try again").RetryAfter(retryAfterStreams)
	}
	s.total++
	s.users[u]++
	return nil
}

func (s *streams) release(u streamUser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.users[u]--; s.users[u] == 0 {
		delete(s.users, u)
	}
}

// stream is one request that may take as long as it goes on. In place of the server's deadlines, each line read and each write has one
// of its own. A stop of the service ends it, and so does the end of its user's rights. Its writer may be used by several goroutines.
type stream struct {
	c            *call
	streams      *streams
	user         streamUser
	control      *http.ResponseController
	lineDeadline time.Time // when the line that is being read must be whole; of the goroutine that reads

	ctx            context.Context // ends with the request, and soon after the rights
	alive          context.Context // ends with the stream
	endAlive       context.CancelFunc
	cancel         context.CancelFunc
	stopNow        context.CancelFunc // ends ctx and the statements under way
	stopDrainHook  func() bool
	watcher        sync.WaitGroup
	rightsError    atomic.Pointer[fault.Error] // the end of the user's rights
	answerDeadline atomic.Pointer[time.Time]   // when the last line must have been taken, once the rights have ended

	readMu      sync.Mutex // held while the next three change
	readAborted bool       // no more is read
	readPending bool       // a read is under way
	bodyRead    bool       // the body was read to its end; so is that of a request that has none

	mu      sync.Mutex
	buffer  []byte
	started bool
	failed  error
}

// open makes a request a stream. RATE_LIMITED and DATABASE_UNAVAILABLE as enter says.
func (s *streams) open(c *call) (*stream, error) {
	user := streamUser{c.principal.UserID, c.route.Path}
	if err := s.acquire(user); err != nil {
		return nil, err
	}
	control := http.NewResponseController(c.gin.Writer)
	// Without it net/http would read the rest of an import before the first line of its answer, or drop it.
	_ = control.EnableFullDuplex()
	// Once a body has been read, net/http reads on, to see whether the client leaves. A deadline then would end the context of this
	// request and of all that follow on the connection: it is taken away at the body's end, and nothing follows.
	_ = control.SetReadDeadline(time.Time{})
	if c.gin.Request.ProtoMajor == 1 {
		c.gin.Header("Connection", "close")
	}
	st := &stream{c: c, streams: s, user: user, control: control, bodyRead: c.route.body == noBody}
	st.resetLineDeadline()
	stop, stopNow := context.WithCancel(context.Background())
	st.ctx, st.cancel = context.WithCancel(graph.WithStop(c.ctx(), stop))
	st.stopNow = func() { stopNow(); st.cancel() }
	st.alive, st.endAlive = context.WithCancel(context.WithoutCancel(c.ctx()))
	st.stopDrainHook = context.AfterFunc(s.draining, st.abortRead)
	st.watcher.Go(st.watch)
	return st, nil
}

// watch ends the stream when its user's rights end: what waits for the client at once, what waits for the database a moment later.
func (st *stream) watch() {
	err := st.c.watchRights(st.alive)
	if err == nil {
		return
	}
	st.recordLostRights(err)
	st.abortRead()
	_ = st.control.SetWriteDeadline(*st.answerDeadline.Load())
	select {
	case <-st.alive.Done():
	case <-time.After(batchGracePeriod):
	}
	st.stopNow()
}

// recordLostRights notes the end of the user's rights, once.
func (st *stream) recordLostRights(err error) {
	due := time.Now().Add(lastLineTimeout)
	st.answerDeadline.CompareAndSwap(nil, &due)
	if st.rightsError.CompareAndSwap(nil, fault.As(err)) {
		st.c.auditRefusal(err)
	}
}

// abortRead ends a read that waits for the client, and all further ones. Where a connection has no deadlines, as in a test, the
// read ends by itself.
func (st *stream) abortRead() {
	st.readMu.Lock()
	defer st.readMu.Unlock()
	if st.readAborted = true; st.readPending {
		_ = st.control.SetReadDeadline(time.Now())
	}
}

func (st *stream) end() {
	st.stopDrainHook()
	st.endAlive()
	st.cancel()
	st.watcher.Wait()
	st.readMu.Lock()
	defer st.readMu.Unlock()
	if !st.bodyRead { // net/http would wait for more of it
		_ = st.control.SetReadDeadline(time.Now())
	}
	st.streams.release(st.user)
}

// endReason says why the service ends the stream; nil while it does not.
func (st *stream) endReason() error {
	if f := st.rightsError.Load(); f != nil {
		return f
	}
	if st.streams.draining.Err() != nil {
		return errStopping()
	}
	return nil
}

// confirm looks at the stream and its user's rights before the next batch. A stop of the service ends the wait for rights that cannot be
// known.
func (st *stream) confirm() error {
	if err := st.endReason(); err != nil {
		return err
	}
	// net/http ends the request's context when a read misses its deadline, which decides nothing here
	ctx, stop := context.WithCancel(st.alive)
	defer stop()
	forget := context.AfterFunc(st.streams.draining, stop)
	defer forget()
	err := st.c.confirmRights(ctx)
	if rightsLost(err) {
		st.recordLostRights(err)
	}
	if err != nil {
		return cmp.Or(st.endReason(), err)
	}
	return nil
}

// resetLineDeadline gives the client its time for the next line.
func (st *stream) resetLineDeadline() { st.lineDeadline = time.Now().Add(st.streams.idleTimeout) }

// Read reads from the request's body, until the line must be whole: a client that trickles bytes gains nothing.
func (st *stream) Read(p []byte) (int, error) {
	if !st.beginRead() {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := st.c.gin.Request.Body.Read(p)
	st.readMu.Lock()
	defer st.readMu.Unlock()
	if st.readPending = false; errors.Is(err, io.EOF) {
		st.bodyRead = true
		_ = st.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// beginRead sets the deadline of a read, unless no more is read.
func (st *stream) beginRead() bool {
	st.readMu.Lock()
	defer st.readMu.Unlock()
	if st.readAborted {
		return false
	}
	st.readPending = true
	_ = st.control.SetReadDeadline(st.lineDeadline)
	return true
}

// writeLine appends one line to the answer, and sends the buffer when it is full.
func (st *stream) writeLine(one appender) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.buffer = append(one(st.buffer), '\n')
	if len(st.buffer) < streamBuffer {
		return st.failed
	}
	return st.send()
}

// writeData appends one line of what needs the user's rights, and sends the buffer when it is full and they still hold.
func (st *stream) writeData(one appender) error {
	st.mu.Lock()
	st.buffer = append(one(st.buffer), '\n')
	full, failed := len(st.buffer) >= streamBuffer, st.failed
	st.mu.Unlock()
	if !full || failed != nil {
		return failed
	}
	if err := st.confirmBuffer(); err != nil {
		return err
	}
	return st.flush()
}

// confirmBuffer is confirm for the lines that the buffer holds: they are not sent unless the rights hold.
func (st *stream) confirmBuffer() error {
	err := st.confirm()
	if err != nil {
		st.discard()
	}
	return err
}

// discard forgets the lines that were not sent yet.
func (st *stream) discard() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.buffer = st.buffer[:0]
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
		w.Header().Set("Content-Type", ndjsonMediaType)
		w.Header().Set("X-Accel-Buffering", "no") // a proxy that collects the answer would hide the progress
		w.WriteHeader(http.StatusOK)
	}
	_ = st.control.SetWriteDeadline(time.Now().Add(st.streams.idleTimeout))
	if due := st.answerDeadline.Load(); due != nil { // whoever sets it after this look sets the deadline again
		_ = st.control.SetWriteDeadline(*due)
	}
	if _, st.failed = w.Write(st.buffer); st.failed == nil {
		st.failed = st.control.Flush()
	}
	if errors.Is(st.failed, http.ErrNotSupported) {
		st.failed = nil
	}
	st.buffer = st.buffer[:0]
	return st.failed
}

// hasStarted says whether a part of the answer has been sent, so that its status cannot change any more.
func (st *stream) hasStarted() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.started
}

// errStopping ends a stream because the service is about to stop.
func errStopping() *fault.Error {
	return fault.New(fault.DatabaseUnavailable, "The service is stopping; try again").RetryAfter(defaultRetry)
}

// readError is why the client's lines have ended too early.
func (st *stream) readError(err error) error {
	if ended := st.endReason(); ended != nil {
		return ended
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: "body", Message: "held no whole line for " + st.streams.idleTimeout.String()})
	case errors.Is(err, io.EOF):
		return nil
	default:
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: "body", Message: "could not be read to its end"})
	}
}

// logFault puts a fault that comes in the middle of a stream into the request's line in the log.
func (st *stream) logFault(err error) *fault.Error {
	f := fault.As(err)
	n := requestLogOf(st.c.gin)
	n.code = f.Code
	n.clientLeft = errors.Is(n.client.Err(), context.Canceled) && st.endReason() == nil
	if StatusOf(f.Code) >= http.StatusInternalServerError && !n.clientLeft {
		n.cause = err
	}
	return f
}
