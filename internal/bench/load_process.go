package bench

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A load process runs the clients of one target. It reads JSON documents, one per line: first its setup, then one turn
// after another, and answers each with a line. It ends when its input ends, so it cannot outlive the benchmark for
// longer than a turn. Secrets are sent this way too, since every user of a machine can read arguments.

// setup is the first line.
type setup struct {
	Target  Target   `json:"target"`
	Data    string   `json:"data"`              // file of the data set
	Address string   `json:"address"`           // of the gateway
	Tokens  []string `json:"tokens,omitempty"`  // distributed among the clients
	Cursor  string   `json:"cursor,omitempty"`  // of the deep page
	Cursors []string `json:"cursors,omitempty"` // of all pages
	Neo4j   Neo4j    `json:"neo4j"`
}

// turn is one operation, run for some time by a number of concurrent clients.
type turn struct {
	Operation Operation     `json:"operation"`
	Clients   int           `json:"clients"`
	Duration  time.Duration `json:"duration"`
	Seed      uint64        `json:"seed"`
	// Entities, if given, are processed once each; the turn ends when none is left.
	Entities []entity `json:"entities,omitempty"`
}

// turnResult is the result of a turn. Failed requests count neither as operations nor in the latencies.
type turnResult struct {
	Operations int           `json:"operations"`
	Elapsed    time.Duration `json:"elapsed"` // until the last answer
	P50        time.Duration `json:"p50"`
	P99        time.Duration `json:"p99"`
	Max        time.Duration `json:"max"`
	Errors     int           `json:"errors"`
	FirstError string        `json:"first_error,omitempty"`
	// Refused is how many of the errors are answers with 503, Unannounced how many of those have no Retry-After, and RefusedMax how long the
	// slowest took.
	Refused     int           `json:"refused,omitempty"`
	Unannounced int           `json:"unannounced,omitempty"`
	RefusedMax  time.Duration `json:"refused_max,omitempty"`
	// Failure is the reason if there was no turn.
	Failure string `json:"failure,omitempty"`
}

// answerTime is how long after the end of a turn its last answer may arrive.
const answerTime = 60 * time.Second

// ServeLoad runs the whole load process.
func ServeLoad(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	answers := json.NewEncoder(out)
	var s setup
	if err := lines.Decode(&s); err != nil {
		return fmt.Errorf("read the setup: %w", err)
	}
	l, err := newLoad(s)
	if err != nil {
		return errors.Join(err, answers.Encode(turnResult{Failure: err.Error()}))
	}
	defer l.closeAll(ctx)
	if err := answers.Encode(turnResult{}); err != nil {
		return err
	}
	for {
		var t turn
		if err := lines.Decode(&t); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a turn: %w", err)
		}
		result, err := l.play(ctx, t)
		if err != nil {
			result.Failure = err.Error()
		}
		if err := answers.Encode(result); err != nil {
			return err
		}
	}
}

type load struct {
	setup     setup
	data      *Dataset
	clients   []targetClient
	newClient func(number int) (targetClient, error)
	closeAll  func(context.Context)
}

func newLoad(s setup) (*load, error) {
	data, err := readDataset(s.Data)
	if err != nil {
		return nil, err
	}
	l := &load{setup: s, data: data, closeAll: func(context.Context) {}}
	switch {
	case s.Target.isHTTP() && len(s.Tokens) > 0:
		l.newClient = func(number int) (targetClient, error) {
			c := newGatewayClient(s.Address, s.Tokens[number%len(s.Tokens)], s.Cursor, data)
			c.cursors = s.Cursors
			if s.Target == Service {
				c.request = c.serviceRequest
			}
			return c, nil
		}
	case s.Target == QueryAPI:
		l.newClient = func(int) (targetClient, error) { return newQueryClient(s.Neo4j, data) }
	case s.Target == Driver:
		driver, err := newBenchDriver(s.Neo4j)
		if err != nil {
			return nil, err
		}
		l.newClient = func(int) (targetClient, error) { return newDriverClient(driver, s.Neo4j, data), nil }
		l.closeAll = func(ctx context.Context) { _ = driver.Close(ctx) }
	default:
		return nil, fmt.Errorf("no way to load %q", s.Target)
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
	limit, _ := ctx.Deadline()
	for _, c := range l.clients[:t.Clients] {
		if err := c.begin(limit); err != nil {
			return turnResult{}, err
		}
	}
	var next atomic.Int64
	logs := make([]clientLog, t.Clients)
	var workers sync.WaitGroup
	began := time.Now()
	end := began.Add(t.Duration)
	for i, c := range l.clients[:t.Clients] {
		draw := newPicker(l.data, t.Seed, i, !l.setup.Target.isHTTP())
		workers.Go(func() { logs[i].work(ctx, c, t, draw, &next, end) })
	}
	workers.Wait()
	return summary(logs, time.Since(began)), nil
}

// clientLog is the result of one client.
type clientLog struct {
	latencies    []time.Duration
	errors       int
	first        error // that is no refusal
	refused      int
	unannounced  int // refusals without Retry-After
	refusedMax   time.Duration
	firstRefusal error
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
			var refused *refusal
			if errors.As(err, &refused) {
				log.addRefusal(refused, time.Since(sent))
			} else {
				log.fail(err)
			}
			limit, _ := ctx.Deadline()
			if c.begin(limit) != nil {
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

// addRefusal counts an answer of 503. It is the first error only until there is another one.
func (log *clientLog) addRefusal(r *refusal, took time.Duration) {
	log.refused++
	log.refusedMax = max(log.refusedMax, took)
	if r.after == "" {
		log.unannounced++
	}
	log.errors++
	if log.firstRefusal == nil {
		log.firstRefusal = r
	}
}

func summary(logs []clientLog, elapsed time.Duration) turnResult {
	result := turnResult{Elapsed: elapsed}
	var all []time.Duration
	var first, refused error
	for _, log := range logs {
		all = append(all, log.latencies...)
		result.Errors += log.errors
		result.Refused += log.refused
		result.Unannounced += log.unannounced
		result.RefusedMax = max(result.RefusedMax, log.refusedMax)
		if first == nil {
			first = log.first
		}
		if refused == nil {
			refused = log.firstRefusal
		}
	}
	if first = cmp.Or(first, refused); first != nil {
		result.FirstError = first.Error()
	}
	slices.Sort(all)
	result.Operations = len(all)
	result.P50, result.P99, result.Max = Percentile(all, 50), Percentile(all, 99), Percentile(all, 100)
	return result
}
