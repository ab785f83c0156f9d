package neo4jquery

import (
	"context"

	"graphrest/internal/answer"
	"graphrest/internal/pattern"
)

// Matcher answers questions in the places of queries: a question may be as heavy as a query, and the plan of one as that of a query.
type Matcher struct {
	pattern.Matcher
	engine *Engine
}

// NewMatcher returns a matcher whose questions take places of the engine.
func (e *Engine) NewMatcher(m pattern.Matcher) *Matcher { return &Matcher{m, e} }

// Match answers a question: see pattern.Matcher.
func (m *Matcher) Match(ctx context.Context, q *pattern.Question) (*answer.Answer, error) {
	release, err := m.engine.take(ctx, m.engine.places, q.UserID)
	if err != nil {
		return nil, err
	}
	defer release()
	if q.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Timeout)
		defer cancel()
	}
	if q.Began != nil {
		q.Began()
	}
	return m.Matcher.Match(ctx, q)
}

// ExplainMatch explains a question: see pattern.Matcher.
func (m *Matcher) ExplainMatch(ctx context.Context, q *pattern.Question) (*pattern.Explanation, error) {
	release, err := m.engine.take(ctx, m.engine.judging, q.UserID)
	if err != nil {
		return nil, err
	}
	defer release()
	return m.Matcher.ExplainMatch(ctx, q)
}
