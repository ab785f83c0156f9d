package neo4jquery

import (
	"context"

	"graphrest/internal/answer"
	"graphrest/internal/pattern"
)

// Matcher answers questions in the places of queries: a question may be as heavy as a query. Explaining one runs nothing and takes none.
type Matcher struct {
	pattern.Matcher
	places *Places
}

// NewMatcher returns a matcher whose questions take places.
func NewMatcher(m pattern.Matcher, p *Places) *Matcher { return &Matcher{m, p} }

// Match answers a question: see pattern.Matcher.
func (m *Matcher) Match(ctx context.Context, q *pattern.Question) (*answer.Answer, error) {
	release, err := m.places.take(ctx, q.UserID)
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
