package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// feedReader follows the change feed with one cursor, a request to each replica in turn, and makes the graph again from what it reads.
type feedReader struct {
	w      *testbed
	since  string
	paused chan struct{} // closed when the loop has ended
	stop   context.CancelFunc

	seen   map[string]bool
	twice  []string         // ids of changes that were read again
	gaps   []string         // ids of changes that do not follow what was read before of their entity
	values map[string]int64 // of the nodes that exist, by id
	edges  map[string]int64 // numbers of the edges that exist, by id
	behind []time.Duration  // how long after its time each change was read
}

// feedPage is the part of a page that the reader needs.
type feedPage struct {
	Data []struct {
		ID, Action, Kind, Entity, Type string
		At                             time.Time
		After                          *struct {
			Properties struct{ N, Value *int64 }
		}
		Gap bool
	}
	Meta struct {
		Page struct {
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
	}
}

// followFeed starts a reader at the oldest change.
func (w *testbed) followFeed() *feedReader {
	f := &feedReader{w: w, since: "0", seen: map[string]bool{}, values: map[string]int64{}, edges: map[string]int64{}}
	f.resume()
	w.parent.Cleanup(f.pause)
	return f
}

func (f *feedReader) resume() {
	ctx, stop := context.WithCancel(context.Background())
	f.stop, f.paused = stop, make(chan struct{})
	go func() {
		defer close(f.paused)
		for i := 0; ctx.Err() == nil; i++ {
			if _, err := f.read(ctx, i, 1); err != nil {
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
	target := "http://" + f.w.gateways[replica%replicas].address + "/api/changes?" + query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return false, err
	}
	request.Header.Set("Authorization", "Bearer "+f.w.token)
	response, err := f.w.client.Do(request)
	if err != nil {
		return false, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return false, err
	}
	var page feedPage
	if err := json.Unmarshal(text, &page); err != nil || response.StatusCode != http.StatusOK {
		return false, fmt.Errorf("%d %s: %w", response.StatusCode, text, err)
	}
	f.apply(page)
	f.since = page.Meta.Page.NextCursor
	return len(page.Data) == 0 && !page.Meta.Page.HasMore, nil
}

func (f *feedReader) apply(page feedPage) {
	for _, change := range page.Data {
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
	return fmt.Sprintf("\nOne reader followed the change feed over both replicas meanwhile: %d changes, none missed, none twice, those of "+
		"one entity in order. Half of them were read within %s of their time, 95 %% within %s, faults of the database included.\n",
		len(f.seen), at(50), at(95))
}
