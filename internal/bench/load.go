package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// turn is one operation, run for some time by a number of concurrent clients.
type turn struct {
	Operation Operation
	Clients   int
	Duration  time.Duration
	Seed      uint64
	// Entities, if given, are processed once each; the turn ends when none is left.
	Entities []entity
}

// turnResult is the result of a turn. Failed requests count neither as operations nor in the latencies.
type turnResult struct {
	Operations    int
	Elapsed       time.Duration // until the last answer
	P50, P99, Max time.Duration
	Errors        int
	FirstError    string
}

// answerTime is how long after the end of a turn its last answer may arrive.
const answerTime = 60 * time.Second

// load runs the clients of one target.
type load struct {
	target    Target
	data      *Dataset
	clients   []targetClient
	newClient func(number int) (targetClient, error)
	close     func(context.Context)
}

// newLoad returns the load of a target: of a running gateway with the cursor of its deep page, or of the database.
func newLoad(target Target, data *Dataset, g *GatewayProcess, cursor string, at Neo4j) (*load, error) {
	l := &load{target: target, data: data, close: func(context.Context) {}}
	switch {
	case g != nil:
		l.newClient = func(number int) (targetClient, error) {
			c := newGatewayClient(g.address, g.tokens[number%len(g.tokens)], cursor, data)
			c.namesTypes = target == Service
			return c, nil
		}
	case target == QueryAPI:
		l.newClient = func(int) (targetClient, error) { return newQueryClient(at, data) }
	case target == Driver:
		driver, err := newBenchDriver(at)
		if err != nil {
			return nil, err
		}
		l.newClient = func(int) (targetClient, error) { return newDriverClient(driver, at, data), nil }
		l.close = func(ctx context.Context) { _ = driver.Close(ctx) }
	default:
		return nil, fmt.Errorf("no way to load %q", target)
	}
	return l, nil
}

// play runs the clients and collects their results.
func (l *load) play(ctx context.Context, t turn) (turnResult, error) {
	for len(l.clients) < t.Clients {
		c, err := l.newClient(len(l.clients))
		if err != nil {
			return turnResult{}, err
		}
		l.clients = append(l.clients, c)
	}
	ctx, cancel := context.WithTimeout(ctx, t.Duration+answerTime)
	defer cancel()
	var next atomic.Int64
	logs := make([]clientLog, t.Clients)
	var workers sync.WaitGroup
	began := time.Now()
	end := began.Add(t.Duration)
	for i, c := range l.clients[:t.Clients] {
		draw := newPicker(l.data, t.Seed, i, !l.target.isServer())
		workers.Go(func() { logs[i].work(ctx, c, t, draw, &next, end) })
	}
	workers.Wait()
	return summary(logs, time.Since(began)), nil
}

// clientLog is the result of one client.
type clientLog struct {
	latencies []time.Duration
	errors    int
	first     error
}

// errorPause keeps a client whose requests fail immediately from a busy loop.
const errorPause = 5 * time.Millisecond

func (log *clientLog) work(ctx context.Context, c targetClient, t turn, draw *picker, next *atomic.Int64, end time.Time) {
	log.latencies = make([]time.Duration, 0, 4096)
	for {
		var w work
		if t.Entities != nil {
			i := int(next.Add(1)) - 1
			if i >= len(t.Entities) {
				return
			}
			w = work{operation: t.Operation, entity: t.Entities[i]}
		} else {
			var err error
			if w, err = draw.next(t.Operation); err != nil {
				log.fail(err)
				return
			}
		}
		sent := time.Now()
		if !sent.Before(end) {
			return
		}
		if err := c.do(ctx, &w); err != nil {
			log.fail(err)
			if ctx.Err() != nil {
				return
			}
			time.Sleep(errorPause)
			continue
		}
		log.latencies = append(log.latencies, time.Since(sent))
	}
}

func (log *clientLog) fail(err error) {
	log.errors++
	if log.first == nil {
		log.first = err
	}
}

func summary(logs []clientLog, elapsed time.Duration) turnResult {
	result := turnResult{Elapsed: elapsed}
	var all []time.Duration
	for _, log := range logs {
		all = append(all, log.latencies...)
		result.Errors += log.errors
		if result.FirstError == "" && log.first != nil {
			result.FirstError = log.first.Error()
		}
	}
	slices.Sort(all)
	result.Operations = len(all)
	result.P50, result.P99, result.Max = Percentile(all, 50), Percentile(all, 99), Percentile(all, 100)
	return result
}
