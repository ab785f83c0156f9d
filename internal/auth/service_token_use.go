package auth

import (
	"context"
	"time"
)

// TokenUse is the minute at which a service token was used last.
type TokenUse struct {
	TokenID string
	At      time.Time
}

const (
	// maxUsesPerWrite bounds one statement; all uses of an interval are written by as many as it takes.
	maxUsesPerWrite = 500
	useWriteTimeout = 5 * time.Second
	// lastWriteTimeout bounds the write at the end of the service, which must not delay it if the database is away.
	lastWriteTimeout = time.Second
)

// writeTokenUses writes the last uses of service tokens at an interval until the context ends, and then once more. Requests never wait for
// it. What cannot be written stays in memory for the next time.
func (s *Service) writeTokenUses(ctx context.Context) {
	ticker := time.NewTicker(s.config.TokenUses)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.writeUnwrittenUses(context.WithoutCancel(ctx), lastWriteTimeout)
			return
		case <-ticker.C:
			s.writeUnwrittenUses(ctx, useWriteTimeout)
		}
	}
}

func (s *Service) writeUnwrittenUses(ctx context.Context, timeout time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	uses, written := s.cache.unwrittenUses()
	for len(uses) > 0 {
		count := min(len(uses), maxUsesPerWrite)
		if err := s.store.RecordTokenUses(ctx, uses[:count]); err != nil {
			s.log.Debug("last uses of service tokens could not be written; the next attempt follows", "error", err)
			return
		}
		for _, u := range uses[:count] {
			written(u)
		}
		uses = uses[count:]
	}
}
