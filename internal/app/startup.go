package app

import (
	"context"
	"log/slog"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Pauses between attempts to prepare a database that is away.
const (
	firstPause = 250 * time.Millisecond
	maxPause   = 5 * time.Second
)

// startup prepares the database once it answers. Until that is done the gateway lives, but is not ready.
type startup struct {
	steps []step
	done  chan struct{}
	log   *slog.Logger
}

// step is one thing to do before the gateway is ready. It may be done again.
type step struct {
	name string
	do   func(context.Context) error
}

// run does the steps in order, each as often as it takes. It returns an error only for what no waiting mends.
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

// insist repeats a step until it succeeds. The first failure is logged and then one a minute, so that an outage fills no
// disk.
func (s *startup) retryStep(ctx context.Context, step step) error {
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

// health is the database's own, and bad until the start is complete.
type health struct {
	graph.Health
	started <-chan struct{}
}

func (h health) Ready(ctx context.Context) error {
	select {
	case <-h.started:
		return h.Health.Ready(ctx)
	default:
		return fault.New(fault.DatabaseUnavailable, "The database is being prepared").RetryAfter(time.Second)
	}
}
