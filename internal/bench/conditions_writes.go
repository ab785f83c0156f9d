package bench

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// besideWriters is how many clients write, one request after another, beside manyClients that read.
const besideWriters = 8

// BesideWrites is what reads of one target take alone and while other clients write.
type BesideWrites struct {
	Target        Target
	Alone, Beside *Cell  // node by id
	Writes        Number // a second, meanwhile
}

// measureBeside measures reads by clients that ask one request after another: alone, and while further clients write as fast as they are
// answered. Both take turns.
func (c *conditions) measureBeside(ctx context.Context) error {
	if err := c.start(ctx, Gateway, Service, Driver); err != nil {
		return err
	}
	defer c.stop()
	for _, target := range c.Targets {
		b := &BesideWrites{
			Target: target,
			Alone:  &Cell{Operation: NodeByID, Clients: manyClients, Target: target},
			Beside: &Cell{Operation: NodeByID, Clients: manyClients, Target: target},
		}
		if err := c.measureBesideOf(ctx, b); err != nil {
			return err
		}
		c.result.Beside = append(c.result.Beside, b)
		c.progress("%-8s reads: p99 %s ms alone, %s ms beside %s writes/s", target, Short(b.Alone.P99), Short(b.Beside.P99), Short(b.Writes))
	}
	return nil
}

func (c *conditions) measureBesideOf(ctx context.Context, b *BesideWrites) error {
	writers, err := startLoad(ctx, c.Load, c.setupOf(b.Target, c.dataFile(), ""))
	if err != nil {
		return err
	}
	defer writers.end()
	var writes []float64
	for number := range c.Rounds + 1 { // the first round of both warms up
		reads := turn{Operation: NodeByID, Clients: manyClients, Duration: 2 * c.Duration, Seed: uint64(number)}
		alone, err := c.play(ctx, b.Target, reads)
		if err != nil {
			return err
		}
		beside, written, err := c.playBeside(ctx, b.Target, reads, writers)
		if err != nil {
			return err
		}
		if number > 0 {
			b.Alone.Rounds, b.Beside.Rounds = append(b.Alone.Rounds, alone), append(b.Beside.Rounds, beside)
			writes = append(writes, written)
		}
	}
	b.Alone.summarize()
	b.Beside.summarize()
	b.Writes = Number(Median(writes))
	return nil
}

// besideMargin is how long the writers write before and after the reads.
const besideMargin = 200 * time.Millisecond

// playBeside plays reads while writers write, and returns also how many writes a second there were.
func (c *conditions) playBeside(ctx context.Context, target Target, reads turn, writers *loadChild) (Round, float64, error) {
	var written turnResult
	var writing errgroup.Group
	writing.Go(func() (err error) {
		written, err = writers.ask(ctx, turn{
			Operation: Writes, Clients: besideWriters, Duration: reads.Duration + 2*besideMargin, Seed: reads.Seed,
		})
		return err
	})
	err := sleepUntil(ctx, time.Now().Add(besideMargin))
	var round Round
	if err == nil {
		round, err = c.play(ctx, target, reads)
	}
	if failed := writing.Wait(); err == nil {
		err = failed
	}
	if err == nil && (written.Operations == 0 || float64(written.Errors) > mayFail*float64(written.Operations)) {
		err = fmt.Errorf("%d of %d writes failed, first: %s", written.Errors, written.Errors+written.Operations, written.FirstError)
	}
	return round, Ratio(float64(written.Operations), written.Elapsed.Seconds()), err
}
