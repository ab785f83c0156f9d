package bolt

import (
	"context"
	"sync"

	"graphrest/cypher"
)

// TimeoutRecorder keeps the first statement of a request that ran out of time. It is safe for concurrent use.
type TimeoutRecorder struct {
	mu     sync.Mutex
	text   cypher.Text
	params map[string]any
}

type timeoutRecorderKey struct{}

// WithTimeoutRecorder returns a context whose statements report to a recorder when they run out of time.
func WithTimeoutRecorder(ctx context.Context) (context.Context, *TimeoutRecorder) {
	recorder := new(TimeoutRecorder)
	return context.WithValue(ctx, timeoutRecorderKey{}, recorder), recorder
}

// recordTimeout reports a statement that failed to the context's recorder, if it failed because of its time.
func recordTimeout(ctx context.Context, text cypher.Text, params map[string]any, err error) {
	if err == nil || !IsTimeout(err) && ctx.Err() == nil {
		return
	}
	recorder, found := ctx.Value(timeoutRecorderKey{}).(*TimeoutRecorder)
	if !found {
		return
	}
	recorder.mu.Lock()
	defer recorder.mu.Unlock()
	if recorder.text.String() == "" {
		recorder.text, recorder.params = text, params
	}
}

// Statement is the recorded statement with its parameters; empty if none ran out of time.
func (r *TimeoutRecorder) Statement() (cypher.Text, map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text, r.params
}
