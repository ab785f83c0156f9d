package faulttest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// feedReader follows the change feed with one cursor, on each replica in turn, and makes the graph again from what it reads.
type feedReader struct {
	w      *testbed
	name   string
	since  string
	follow func(ctx context.Context, replica int) error // reads some changes
	paused chan struct{}                                // closed when the loop has ended
	stop   context.CancelFunc

	seen   map[string]bool
	twice  []string         // ids of changes that were read again
	gaps   []string         // ids of changes that do not follow what was read before of their entity
	values map[string]int64 // of the nodes that exist, by id
	edges  map[string]int64 // numbers of the edges that exist, by id
	behind []time.Duration  // how long after its time each change was read
}

// feedChange is the part of a change that the reader needs.
type feedChange struct {
	ID, Action, Kind, Entity, Type string
	At                             time.Time
	After                          *struct {
		Properties struct{ N, Value *int64 }
	}
	Gap bool
}

type feedPage struct {
	Data []feedChange
	Meta struct {
		Page struct {
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
	}
}

// followFeed starts a reader by long polling at the oldest change.
func (w *testbed) followFeed() *feedReader {
	f := &feedReader{w: w, name: "reader by long polling"}
	f.follow = func(ctx context.Context, replica int) error {
		_, err := f.read(ctx, replica, 1)
		return err
	}
	return f.begin()
}

// followEvents starts a reader of server-sent events at the oldest change.
func (w *testbed) followEvents() *feedReader {
	f := &feedReader{w: w, name: "reader of server-sent events"}
	f.follow = f.stream
	return f.begin()
}

func (f *feedReader) begin() *feedReader {
	f.since, f.seen, f.values, f.edges = "0", map[string]bool{}, map[string]int64{}, map[string]int64{}
	f.resume()
	f.w.parent.Cleanup(f.pause)
	return f
}

func (f *feedReader) resume() {
	ctx, stop := context.WithCancel(context.Background())
	f.stop, f.paused = stop, make(chan struct{})
	go func() {
		defer close(f.paused)
		for i := 0; ctx.Err() == nil; i++ {
			if err := f.follow(ctx, i); err != nil {
				time.Sleep(20 * time.Millisecond) // the replica is being killed, or has no database
			}
		}
	}()
}

func (f *feedReader) pause() {
	f.stop()
	<-f.paused
}

// read reads and applies one page from a replica; atEnd says that it was the last one.
func (f *feedReader) read(ctx context.Context, replica, wait int) (atEnd bool, err error) {
	query := url.Values{"since": {f.since}, "wait": {fmt.Sprint(wait)}, "limit": {"500"}}
	body, err := f.open(ctx, replica, "/api/changes?"+query.Encode(), "application/json")
	if err != nil {
		return false, err
	}
	defer func() { _ = body.Close() }()
	var page feedPage
	if err := json.NewDecoder(body).Decode(&page); err != nil {
		return false, err
	}
	f.apply(page.Data)
	f.since = page.Meta.Page.NextCursor
	return len(page.Data) == 0 && !page.Meta.Page.HasMore, nil
}

// open begins to read an answer, which must be a success.
func (f *feedReader) open(ctx context.Context, replica int, path, accept string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+f.w.gateways[replica%replicas].address+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+f.w.token)
	request.Header.Set("Accept", accept)
	response, err := f.w.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return nil, errors.Join(fmt.Errorf("%d %s", response.StatusCode, text), response.Body.Close())
	}
	return response.Body, nil
}

// stream reads and applies server-sent events until the connection ends. An event that is cut off has no empty line at its end.
func (f *feedReader) stream(ctx context.Context, replica int) error {
	body, err := f.open(ctx, replica, "/api/changes?since="+url.QueryEscape(f.since), "text/event-stream")
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	lines, event := bufio.NewScanner(body), map[string]string{}
	for lines.Scan() {
		if name, value, isField := strings.Cut(lines.Text(), ": "); isField && name != "" {
			event[name] = value
		}
		if lines.Text() != "" || event["id"] == "" {
			continue
		}
		var change feedChange
		if err := json.Unmarshal([]byte(event["data"]), &change); err != nil {
			return err
		}
		f.apply([]feedChange{change})
		f.since = event["id"]
		clear(event)
	}
	return lines.Err()
}

func (f *feedReader) apply(changes []feedChange) {
	for _, change := range changes {
		if f.seen[change.ID] {
			f.twice = append(f.twice, change.ID)
			continue
		}
		f.seen[change.ID] = true
		f.behind = append(f.behind, time.Since(change.At))
		if change.Gap {
			f.gaps = append(f.gaps, change.ID)
		}
		switch {
		case change.Type != nodeLabel && change.Type != "FAULTY":
		case change.Action == "delete":
			delete(f.values, change.Entity)
			delete(f.edges, change.Entity)
		case change.Kind == "edge":
			f.edges[change.Entity] = *change.After.Properties.N
		default:
			if _, exists := f.values[change.Entity]; !exists && change.Action != "create" {
				f.gaps = append(f.gaps, change.ID)
			}
			f.values[change.Entity] = *change.After.Properties.Value
		}
	}
}

// check reads the feed to its end and compares the graph that it describes with the one in the database. A write of unknown outcome may
// still be committed, so that it takes some reads.
func (f *feedReader) check(t *testing.T) {
	t.Helper()
	f.pause()
	defer f.resume()
	deadline := time.Now().Add(waitTimeout)
	for replica := 0; ; replica++ {
		atEnd, err := f.read(t.Context(), replica, 0)
		require.True(t, err == nil || time.Now().Before(deadline), "the feed cannot be read: %v", err)
		if err != nil || !atEnd {
			continue
		}
		same := maps.Equal(f.values, f.stored(t, "MATCH (n:Faulty) RETURN n.uuid AS id, n.value AS value")) &&
			maps.Equal(f.edges, f.stored(t, "MATCH ()-[e:FAULTY]->() RETURN e.uuid AS id, e.n AS value"))
		if same {
			break
		}
		require.True(t, time.Now().Before(deadline), "the feed describes another graph than the database has:\n%s", f.w.logs())
	}
	require.Empty(t, f.twice, "changes that were read twice")
	require.Empty(t, f.gaps, "changes out of order, or after one that is missing")
}

func (f *feedReader) stored(t *testing.T, statement string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, row := range f.w.db.Query(t, statement, nil) {
		all[row["id"].(string)] = row["value"].(int64)
	}
	return all
}

// report says how the feed was read.
func (f *feedReader) report() string {
	f.pause()
	slices.Sort(f.behind)
	at := func(percent int) time.Duration { return f.behind[len(f.behind)*percent/100].Round(time.Millisecond) }
	return fmt.Sprintf("\nA %s followed the change feed over both replicas meanwhile: %d changes, none missed, none twice, those of "+
		"one entity in order. Half of them were read within %s of their time, 95 %% within %s, faults of the database included.\n",
		f.name, len(f.seen), at(50), at(95))
}
