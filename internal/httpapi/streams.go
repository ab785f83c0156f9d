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
	retryAfterStreams = 5 * time.Second // Retry-After if the limit of streams is reached
	// streamIdleTimeout is the timeout of one line from the client, and of one write to it; then the stream ends.
	streamIdleTimeout = 60 * time.Second
	streamBuffer      = 64 << 10
	// batchGracePeriod is how long a batch may continue after the user's rights have ended; then its statement is canceled.
	batchGracePeriod = 250 * time.Millisecond
	// lastLineTimeout is the timeout for writing the last line then, if the client reads slowly.
	lastLineTimeout = 500 * time.Millisecond
)

const ndjsonMediaType = "application/x-ndjson; charset=utf-8"

// ndjsonMediaTypes are the media types in use for NDJSON; none is registered.
var ndjsonMediaTypes = []string{"application/x-ndjson", "application/ndjson", "application/jsonl"}

// streams limits the imports and exports in progress, and the readers of the feed: in total, since each uses a connection to the database,
// and per user and route, so that slow streams of one user do not block other users.
type streams struct {
	draining    context.Context // ends when the service is about to stop
	drain       context.CancelFunc
	idleTimeout time.Duration

	limit, limitPerUser int
	what, mediaType     string // mediaType is that of the responses

	mu    sync.Mutex
	total int
	users map[streamUser]int
}

// streamUser is a user and a route.
type streamUser struct{ id, path string }

// newStreams limits streams. What names them in messages.
func newStreams(most, mostOfUser int, what, mediaType string) *streams {
	ctx, cancel := context.WithCancel(context.Background())
	return &streams{
		draining: ctx, drain: cancel, idleTimeout: streamIdleTimeout, limit: most, limitPerUser: mostOfUser, users: map[streamUser]int{},
		what: what, mediaType: mediaType,
	}
}

// acquire counts a new stream of a user. RATE_LIMITED: the user has reached the limit per user. DATABASE_UNAVAILABLE: the total limit
// is reached.
func (s *streams) acquire(u streamUser) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[u] >= s.limitPerUser {
		return fault.New(fault.RateLimited, fmt.Sprintf("A user may have %d %s in progress at a time; wait until it ends, or cancel it",
			s.limitPerUser, streamName(u.path))).
			RetryAfter(retryAfterStreams)
	}
	if s.total >= s.limit {
		return fault.New(fault.DatabaseUnavailable, "The service is busy with other "+s.what+"; try again").RetryAfter(retryAfterStreams)
	}
	s.total++
	s.users[u]++
	return nil
}

// streamName names the streams of a route in messages.
func streamName(path string) string {
	if path == feedPath {
		return "readers of the change feed"
	}
	return strings.TrimPrefix(path, "/api/")
}

func (s *streams) release(u streamUser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.users[u]--; s.users[u] == 0 {
		delete(s.users, u)
	}
}

// stream is a request without an overall timeout. Instead of the server's deadlines, each line read and each write has a separate
// deadline. It ends when the service shuts down or the user's rights end. Its write methods are safe for concurrent use.
type stream struct {
	c            *call
	streams      *streams
	user         streamUser
	control      *http.ResponseController
	lineDeadline time.Time // deadline of the line that is being read; used by the reading goroutine only

	ctx            context.Context // ends with the request, and shortly after the rights
	alive          context.Context // ends with the stream
	endAlive       context.CancelFunc
	cancel         context.CancelFunc
	stopNow        context.CancelFunc // ends ctx and cancels running statements
	stopDrainHook  func() bool
	watcher        sync.WaitGroup
	rightsError    atomic.Pointer[fault.Error] // why the user's rights ended
	answerDeadline atomic.Pointer[time.Time]   // deadline of the last line, once the rights have ended

	readMu      sync.Mutex // guards the next three
	readAborted bool       // reads are stopped
	readPending bool       // a read is in progress
	bodyRead    bool       // the body was read to its end, or there is none

	mu      sync.Mutex
	buffer  []byte
	started bool
	failed  error
}

// open starts the stream of a request. RATE_LIMITED and DATABASE_UNAVAILABLE as in acquire.
func (s *streams) open(c *call) (*stream, error) {
	user := streamUser{c.principal.UserID, c.route.Path}
	if err := s.acquire(user); err != nil {
		return nil, err
	}
	control := http.NewResponseController(c.gin.Writer)
	// Without full duplex net/http would read or discard the rest of an import before the first line of its response.
	_ = control.EnableFullDuplex()
	// After the end of a body net/http continues reading, to detect that the client disconnects. A deadline would then end the context
	// of this request and of all later ones on the connection. So the deadline is cleared at the body's end, and the connection closes.
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

// watch ends the stream when its user's rights end: reads and writes immediately, statements after batchGracePeriod.
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

// recordLostRights stores the reason why the user's rights ended, once.
func (st *stream) recordLostRights(err error) {
	due := time.Now().Add(lastLineTimeout)
	st.answerDeadline.CompareAndSwap(nil, &due)
	if st.rightsError.CompareAndSwap(nil, fault.As(err)) {
		st.c.auditRefusal(err)
	}
}

// abortRead ends a read that waits for the client, and prevents further ones. If a connection has no deadlines, as in a test, the
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
	if !st.bodyRead { // otherwise net/http would wait for the rest
		_ = st.control.SetReadDeadline(time.Now())
	}
	st.streams.release(st.user)
}

// endReason returns why the service ends the stream; nil if it does not.
func (st *stream) endReason() error {
	if f := st.rightsError.Load(); f != nil {
		return f
	}
	if st.streams.draining.Err() != nil {
		return errStopping()
	}
	return nil
}

// confirm checks the stream and its user's rights before the next batch. A shutdown ends the wait while the rights are unknown.
func (st *stream) confirm() error {
	if err := st.endReason(); err != nil {
		return err
	}
	// Not the request's context: net/http ends it when a read misses its deadline, which must not matter here.
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

// resetLineDeadline starts the timeout of the next line.
func (st *stream) resetLineDeadline() { st.lineDeadline = time.Now().Add(st.streams.idleTimeout) }

// Read reads from the request's body until the deadline of the line, which single bytes do not extend.
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

// beginRead sets the deadline of a read; false if reads are stopped.
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

// writeLine appends one line to the response and sends the buffer when it is full.
func (st *stream) writeLine(one appender) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.buffer = append(one(st.buffer), '\n')
	if len(st.buffer) < streamBuffer {
		return st.failed
	}
	return st.send()
}

// writeLastLine appends the line that ends the stream and sends the buffer. If the user's rights have ended, the client has lastLineTimeout
// from now on to read it, however long the database took to end its statement. A disconnected client is seen in the access log.
func (st *stream) writeLastLine(one appender) {
	if st.answerDeadline.Load() != nil {
		due := time.Now().Add(lastLineTimeout)
		st.answerDeadline.Store(&due)
	}
	_ = st.writeLine(one)
	_ = st.flush()
}

// writeData appends one line that needs the user's rights; when the buffer is full it checks the rights and sends the buffer.
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

// confirmBuffer runs confirm for the buffered lines: on an error it discards them.
func (st *stream) confirmBuffer() error {
	err := st.confirm()
	if err != nil {
		st.discard()
	}
	return err
}

// discard drops the lines that were not sent yet.
func (st *stream) discard() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.buffer = st.buffer[:0]
}

// flush sends the buffer.
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
		st.setHeader()
	}
	_ = st.control.SetWriteDeadline(time.Now().Add(st.streams.idleTimeout))
	if due := st.answerDeadline.Load(); due != nil { // a goroutine that stores it later sets the deadline itself
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

// setHeader starts a successful response; it is sent with the first line, or when the handler returns.
func (st *stream) setHeader() {
	st.started = true
	header := st.c.gin.Writer.Header()
	header.Set("Content-Type", st.streams.mediaType)
	header.Set("X-Accel-Buffering", "no") // a buffering proxy would hide the progress
	st.c.gin.Writer.WriteHeader(http.StatusOK)
}

// hasStarted reports whether a part of the response was sent, so that its status can no longer change.
func (st *stream) hasStarted() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.started
}

// errStopping is the error of a stream that ends because the service shuts down.
func errStopping() *fault.Error {
	return fault.New(fault.DatabaseUnavailable, "The service is stopping; try again").RetryAfter(defaultRetry)
}

// readError converts an error of reading the client's lines; nil at the end of the body.
func (st *stream) readError(err error) error {
	if ended := st.endReason(); ended != nil {
		return ended
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: "body", Message: "had no complete line within " + st.streams.idleTimeout.String()})
	case errors.Is(err, io.EOF):
		return nil
	default:
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: "body", Message: "could not be read to its end"})
	}
}

// logFault records a fault in the middle of a stream in the request's log line.
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
