package app

import (
	"context"
	"log/slog"
	"time"

	"graphrest/internal/fault"
)

// Pauses between attempts to prepare an unavailable database.
const (
	firstPause = 250 * time.Millisecond
	maxPause   = 5 * time.Second
)

// startup prepares the database once it answers. Until then the gateway is alive but not ready.
type startup struct {
	steps []startupStep
	done  chan struct{}
	log   *slog.Logger
}

// startupStep is one task that must succeed before the gateway is ready. It may be repeated.
type startupStep struct {
	name string
	do   func(context.Context) error
}

// run executes the steps in order, with retries. It returns an error only if a retry cannot help.
func (s *startup) run(ctx context.Context) error {
	for _, step := range s.steps {
		if err := s.retryStep(ctx, step); err != nil {
			return err
		}
	}
	close(s.done)
	s.log.Info("ready")
	return nil
}

// retryStep repeats a step until it succeeds. It logs the first failure and then one per minute, so that an outage does
// not fill the disk.
func (s *startup) retryStep(ctx context.Context, step startupStep) error {
	pause := firstPause
	var loggedAt time.Time
	for {
		err := step.do(ctx)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if code := fault.CodeOf(err); code == fault.Validation {
			return err
		}
		if time.Since(loggedAt) > time.Minute {
			loggedAt = time.Now()
			s.log.Warn("waiting for the database; the API answers 503 until then", "step", step.name, "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
	}
}
