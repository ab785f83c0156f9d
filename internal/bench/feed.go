package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/neo4jdev"
)

// FeedOptions are the options of MeasureFeed. All fields but Version and Log are required.
type FeedOptions struct {
	Gateway     string // the program
	Dir         string // gets a temporary directory with the database
	Version     string // of Neo4j
	HeapMB      int    // of Neo4j
	PageCacheMB int
	Rate        int // changes a second, of all writers together
	Writers     int // clients that send one change after another, half of them to each of two gateways
	WarmUp      time.Duration
	Duration    time.Duration // after the warm-up
	Log         io.Writer
}

// feedTimeout bounds how long readers of the feed may need for the rest after the last write.
const feedTimeout = time.Minute

// MeasureFeed prints how far readers of the change feed are behind while writers make changes at a steady rate, on two gateways. Each
// gateway has a reader by long polling and one of server-sent events. Every reader must read every change exactly once.
func MeasureFeed(ctx context.Context, o FeedOptions, out io.Writer) (err error) {
	dir, err := os.MkdirTemp(o.Dir, "feed-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := neo4jdev.Start(ctx, neo4jdev.Options{
		Dir: dir, Version: o.Version, HeapMB: o.HeapMB, PageCacheMB: o.PageCacheMB, Log: o.Log,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	at := Neo4j{URI: server.URI, Username: server.Username, Password: server.Password, Database: "neo4j"}
	m := &feedMeasurement{FeedOptions: o}
	defer func() {
		for _, g := range m.gateways {
			g.stop()
		}
	}()
	shared := newSecrets()
	for range 2 {
		g, err := startGateway(ctx, o.Gateway, at, shared, "on")
		if err != nil {
			return err
		}
		m.gateways = append(m.gateways, g)
	}
	return m.run(ctx, out)
}

type feedMeasurement struct {
	FeedOptions
	gateways []*gateway
	counted  time.Time     // changes before it belong to the warm-up
	written  atomic.Int64  // acknowledged changes
	finished chan struct{} // closed after the last of them
	readers  []*feedReader
}

func (m *feedMeasurement) run(ctx context.Context, out io.Writer) error {
	m.finished = make(chan struct{})
	m.counted = time.Now().Add(m.WarmUp)
	readers, ctx := errgroup.WithContext(ctx)
	for i, g := range m.gateways {
		page, err := readFeedPage(ctx, g, "/api/changes")
		if err != nil {
			return err
		}
		newReader := func(how string) *feedReader {
			name := fmt.Sprintf("gateway %d, %s", i+1, how)
			return &feedReader{m: m, gateway: g, name: name, since: page.Meta.Page.NextCursor, seen: map[string]bool{}}
		}
		poll, events := newReader("long polling"), newReader("server-sent events")
		m.readers = append(m.readers, poll, events)
		readers.Go(func() error { return poll.poll(ctx) })
		readers.Go(func() error { return events.stream(ctx) })
	}
	began := time.Now()
	writers, writing := errgroup.WithContext(ctx)
	for i := range m.Writers {
		writers.Go(func() error { return m.write(writing, m.gateways[i%len(m.gateways)], began, i) })
	}
	err := writers.Wait()
	took := time.Since(began)
	close(m.finished)
	if err = errors.Join(err, readers.Wait()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d writers made %d changes in %.1f s, %.0f a second (%d wanted), of which the first %s are not counted.\n\n"+
		"| reader | changes | counted | p50 ms | p95 ms | p99 ms | slowest ms |\n|---|--:|--:|--:|--:|--:|--:|\n",
		m.Writers, m.written.Load(), took.Seconds(), float64(m.written.Load())/took.Seconds(), m.Rate, m.WarmUp)
	for _, r := range m.readers {
		slices.Sort(r.behind)
		at := func(percent float64) int64 { return Percentile(r.behind, percent).Milliseconds() }
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %d |\n", r.name, len(r.seen), len(r.behind), at(50), at(95), at(99), at(100))
	}
	return nil
}

// write creates and updates nodes, one request after another, at this writer's part of the rate.
func (m *feedMeasurement) write(ctx context.Context, g *gateway, began time.Time, writer int) error {
	interval := time.Second * time.Duration(m.Writers) / time.Duration(m.Rate)
	client := &http.Client{Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	next, id := began.Add(interval*time.Duration(writer)/time.Duration(m.Writers)), ""
	for i := 0; next.Before(m.counted.Add(m.Duration)); i++ {
		if err := sleepUntil(ctx, next); err != nil {
			return err
		}
		next = next.Add(interval)
		method, path, body := http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":"Feed","properties":{"writer":%d,"n":%d}}`, writer, i)
		if i%2 == 1 {
			method, path, body = http.MethodPut, "/api/nodes/"+id, fmt.Sprintf(`{"properties":{"n":%d}}`, i)
		}
		var answer struct{ Data struct{ ID string } }
		if err := exchange(ctx, client, g, method, path, body, &answer); err != nil {
			return err
		}
		id = answer.Data.ID
		m.written.Add(1)
	}
	return nil
}

func sleepUntil(ctx context.Context, t time.Time) error {
	select {
	case <-time.After(time.Until(t)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// exchange sends a request and decodes its answer, which must be a success.
func exchange(ctx context.Context, client *http.Client, g *gateway, method, path, body string, answer any) error {
	response, err := openAnswer(ctx, client, g, method, path, body, "application/json")
	if err != nil {
		return err
	}
	defer response.Close()
	return json.NewDecoder(response).Decode(answer)
}

func openAnswer(ctx context.Context, client *http.Client, g *gateway, method, path, body, accept string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+g.address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+g.tokens[0])
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 300))
		return nil, errors.Join(failure(response.StatusCode, text, nil), response.Body.Close())
	}
	return response.Body, nil
}

// feedClient has no limit for a whole answer: a stream of events has no end.
var feedClient = &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second}}

// feedChange is the part of a change that a reader needs.
type feedChange struct {
	ID string
	At time.Time
}

type feedPage struct {
	Data []feedChange
	Meta struct {
		Page struct {
			NextCursor string `json:"next_cursor"`
		}
	}
}

func readFeedPage(ctx context.Context, g *gateway, path string) (page feedPage, err error) {
	return page, exchange(ctx, feedClient, g, http.MethodGet, path, "", &page)
}

// feedReader reads the feed of one gateway.
type feedReader struct {
	m       *feedMeasurement
	gateway *gateway
	name    string
	since   string

	mu     sync.Mutex // guards what follows
	seen   map[string]bool
	behind []time.Duration // between the time of a change and its reading
}

// add adds a change; an error if it was read before.
func (r *feedReader) add(c feedChange) error {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[c.ID] {
		return fmt.Errorf("%s: change %s was read twice", r.name, c.ID)
	}
	r.seen[c.ID] = true
	if c.At.After(r.m.counted) {
		r.behind = append(r.behind, now.Sub(c.At))
	}
	return nil
}

// isComplete reports whether all changes were written and read.
func (r *feedReader) isComplete() bool {
	select {
	case <-r.m.finished:
		return int64(r.count()) >= r.m.written.Load()
	default:
		return false
	}
}

// count is how many changes were read.
func (r *feedReader) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

// untilComplete returns a context that ends some time after the last write, or when the reader has read everything.
func (r *feedReader) untilComplete(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-r.m.finished:
		case <-ctx.Done():
			return
		}
		late := time.After(feedTimeout)
		for tick := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-tick.C:
				if r.isComplete() {
					cancel(errComplete)
				}
			case <-late:
				cancel(fmt.Errorf("%s: %d of %d changes were read", r.name, r.count(), r.m.written.Load()))
			case <-ctx.Done():
				tick.Stop()
				return
			}
		}
	}()
	return ctx, cancel
}

var errComplete = errors.New("every change was read")

// outcome is the error of a reader whose context may have been cancelled by untilComplete.
func outcome(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, errComplete) {
		return nil
	}
	return errors.Join(err, cause)
}

func (r *feedReader) poll(ctx context.Context) error {
	ctx, cancel := r.untilComplete(ctx)
	defer cancel(nil)
	for {
		page, err := readFeedPage(ctx, r.gateway, "/api/changes?limit=1000&wait=10&since="+r.since)
		if err != nil {
			return outcome(ctx, err)
		}
		for _, c := range page.Data {
			if err := r.add(c); err != nil {
				return err
			}
		}
		r.since = page.Meta.Page.NextCursor
	}
}

func (r *feedReader) stream(ctx context.Context) error {
	ctx, cancel := r.untilComplete(ctx)
	defer cancel(nil)
	events, err := openAnswer(ctx, feedClient, r.gateway, http.MethodGet, "/api/changes?since="+r.since, "", "text/event-stream")
	if err != nil {
		return outcome(ctx, err)
	}
	defer events.Close()
	lines := bufio.NewScanner(events)
	for lines.Scan() {
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData {
			continue
		}
		var c feedChange
		if err := json.Unmarshal([]byte(data), &c); err != nil || c.ID == "" {
			return fmt.Errorf("%s: %.300s: %w", r.name, data, err)
		}
		if err := r.add(c); err != nil {
			return err
		}
	}
	return outcome(ctx, errors.Join(lines.Err(), io.ErrUnexpectedEOF))
}
