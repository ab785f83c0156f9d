package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/fault"
)

// Results of counting a request against its user's limit.
const (
	limitAllowed = "allowed"
	limitRefused = "refused"
	limitFailed  = "failed"
)

const successLabel = "success"

// Arrived counts a request whose header was read.
func (m *Metrics) Arrived() { m.inFlight.Inc() }

// Answered records a request that was answered. Route is its pattern, empty if none matched; code is empty for a
// success.
func (m *Metrics) Answered(method, route string, status int, code fault.Code, took time.Duration) {
	m.inFlight.Dec()
	if route == "" {
		route = "none"
	}
	method = knownMethod(method)
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.durations.WithLabelValues(method, route).Observe(took.Seconds())
	if code != "" {
		m.errors.WithLabelValues(string(code)).Inc()
	}
}

// knownMethod maps unknown methods to "other", to bound the label values.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}

// Counted records a request that was counted against its user's limit, or could not be.
func (m *Metrics) Counted(allowed bool, err error) {
	result := limitRefused
	switch {
	case err != nil:
		result = limitFailed
	case allowed:
		result = limitAllowed
	}
	m.limits.WithLabelValues(result).Inc()
}

// Login records a login's outcome; the empty code is a success.
func (m *Metrics) Login(code fault.Code) {
	if code == "" {
		code = successLabel
	}
	m.logins.WithLabelValues(string(code)).Inc()
}

// Revoked records a token that its user revoked.
func (m *Metrics) Revoked() { m.logouts.Inc() }

// WebhookAttempt records an attempt to deliver a change to a webhook: delivered, failed, or dead if it was the last one.
func (m *Metrics) WebhookAttempt(outcome string) { m.webhookAttempts.WithLabelValues(outcome).Inc() }

// QueryRan records the run of a saved query, or of one that is not saved. The names of saved queries are few: see query.MaxQueries.
func (m *Metrics) QueryRan(name string, took time.Duration, a *answer.Answer, err error) {
	outcome := "success"
	switch {
	case err != nil:
		outcome = string(fault.CodeOf(err))
	case a.Meta.Truncated != answer.Whole:
		outcome = "truncated"
	}
	m.queries.WithLabelValues(name, outcome).Inc()
	m.queryTimes.WithLabelValues(name).Observe(took.Seconds())
}

// ChangeSet records what was done to a change set.
func (m *Metrics) ChangeSet(action string) { m.changeSets.WithLabelValues(action).Inc() }

// ToolCalled records a call of an agent's tool; the empty code is a success.
func (m *Metrics) ToolCalled(tool string, code fault.Code) {
	if code == "" {
		code = successLabel
	}
	m.toolCalls.WithLabelValues(tool, string(code)).Inc()
}

// Batch records the start of a batch.
func (m *Metrics) Batch(group string, size int, oldestWait time.Duration, _ int) {
	m.batchSizes.WithLabelValues(group).Observe(float64(size))
	m.batchWaits.WithLabelValues(group).Observe(oldestWait.Seconds())
	m.lanes.WithLabelValues(group).Inc()
}

// Done records the end of a batch.
func (m *Metrics) Done(group string, _ int, took time.Duration) {
	m.lanes.WithLabelValues(group).Dec()
	m.batchTimes.WithLabelValues(group).Observe(took.Seconds())
}

// Refused records a call that found its queue full.
func (m *Metrics) Refused(group string) { m.refused.WithLabelValues(group).Inc() }

// Dropped records a call whose caller left before it was dispatched.
func (m *Metrics) Dropped(group string) { m.dropped.WithLabelValues(group).Inc() }

// Statement records a statement that has ended. Failure is Neo4j's status code or a word, empty for a success.
func (m *Metrics) Statement(_ context.Context, name, _ string, began time.Time, failure string) {
	m.statements.WithLabelValues(name).Observe(time.Since(began).Seconds())
	if failure != "" {
		m.failures.WithLabelValues(name, reason(failure)).Inc()
	}
}

// reason returns the class of a Neo4j status code, of which there are few: TransientError for
// "Neo.TransientError.Transaction.DeadlockDetected".
func reason(failure string) string {
	parts := strings.SplitN(failure, ".", 3)
	if len(parts) == 3 && parts[0] == "Neo" {
		return parts[1]
	}
	return failure
}
