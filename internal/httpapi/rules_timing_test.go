package httpapi_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

// BenchmarkHiddenIDs compares, for a user with grants, the time of requests that name an entity which exists and is hidden with that of
// requests that name none. The samples alternate in random order. It prints both medians, and how probable it is that one of the first
// takes longer than one of the second (0.5 for no difference) with the standard deviation that chance alone gives: see
// make measure-rules-timing.
func BenchmarkHiddenIDs(b *testing.B) {
	samples := countOf(b, "GRAPHREST_TIMING_SAMPLES", 200)
	srv := newTestServer(b, nil)
	srv.user(b, "ann", auth.AllPermissions()...)
	withRole(b, srv, "bob", teamGrants)
	create := func(path, body string) string {
		r := srv.send(b, "ann", "POST", path, body)
		require.Equal(b, http.StatusCreated, r.status, r.body)
		return jsonAt(b, r.body, "data.id").(string)
	}
	var nodes, edges []string
	own := create("/api/nodes", `{"type":"Person","properties":{"team":"a"}}`)
	for range 50 {
		nodes = append(nodes, create("/api/nodes", `{"type":"Person","properties":{"team":"c","salary":1}}`))
		edges = append(edges, create("/api/edges", fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q}`, own, nodes[len(nodes)-1])))
	}
	for _, c := range []struct {
		request, body string
		ids           []string
	}{
		{"GET /api/nodes/{id}", "", nodes},
		{"GET /api/nodes/{id}/edges", "", nodes},
		{"GET /api/nodes/{id}/degree", "", nodes},
		{"GET /api/nodes/{id}/history", "", nodes},
		{"GET /api/paths?source_id={own}&target_id={id}", "", nodes},
		{"GET /api/edges/{id}", "", edges},
		{"PUT /api/nodes/{id}", `{"properties":{"x":1}}`, nodes},
		{"POST /api/batch", `{"operations":[{"op":"update_node","id":"{id}","properties":{"x":1}}]}`, nodes},
		{"POST /api/batch", `{"operations":[{"op":"delete_edge","id":"{id}"}]}`, edges},
		{"POST /api/batch", `{"operations":[{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{id}"}]}`, nodes},
	} {
		for range b.N {
			atOwn := strings.NewReplacer("{own}", own).Replace
			hidden, missing := sampleTimes(b, srv, atOwn(c.request), atOwn(c.body), c.ids, samples)
			probability, deviation := rankStatistic(hidden, missing)
			fmt.Printf("%-46s hidden %8v  missing %8v  P(hidden > missing) %.3f, by chance 0.5 ± %.3f\n", operationOf(c.request, c.body),
				median(hidden).Round(time.Microsecond), median(missing).Round(time.Microsecond), probability, deviation)
		}
	}
}

// sampleTimes takes the time of requests with ids that exist and of ones with ids that look like them and do not exist.
func sampleTimes(b *testing.B, srv *testServer, request, body string, ids []string, samples int) (hidden, missing []time.Duration) {
	method, target, _ := strings.Cut(request, " ")
	var refused []int // the status of the last answer, which each other one has as well
	take := func(id string) time.Duration {
		began := time.Now()
		r := srv.send(b, "bob", method, strings.ReplaceAll(target, "{id}", id), strings.ReplaceAll(body, "{id}", id))
		taken := time.Since(began)
		require.Contains(b, []int{http.StatusNotFound, http.StatusBadRequest}, r.status, r.body)
		if len(refused) > 0 {
			require.Equal(b, refused[0], r.status, r.body)
		}
		refused = append(refused[:0], r.status)
		return taken
	}
	for n := range samples + 20 {
		id := ids[rand.IntN(len(ids))]
		absent := id[:len(id)-8] + fmt.Sprintf("%08x", rand.Uint32())
		first := rand.IntN(2) == 0
		var ofHidden, ofMissing time.Duration
		if first {
			ofHidden = take(id)
		}
		ofMissing = take(absent)
		if !first {
			ofHidden = take(id)
		}
		if n >= 20 { // the first ones plan statements and fill caches
			hidden, missing = append(hidden, ofHidden), append(missing, ofMissing)
		}
	}
	return hidden, missing
}

// operationOf names a request; one of a batch by its operation.
func operationOf(request, body string) string {
	if _, operation, ok := strings.Cut(body, `"op":"`); ok {
		name, _, _ := strings.Cut(operation, `"`)
		return request + ": " + name
	}
	return request
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// rankStatistic is the statistic of Mann and Whitney, as the probability that a value of the first sample exceeds one of the second, and
// its standard deviation if both have the same distribution.
func rankStatistic(first, second []time.Duration) (probability, deviation float64) {
	type sample struct {
		taken   time.Duration
		isFirst bool
	}
	var all []sample
	for _, d := range first {
		all = append(all, sample{d, true})
	}
	for _, d := range second {
		all = append(all, sample{d, false})
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.taken, b.taken) })
	var ranks float64
	for begin := 0; begin < len(all); {
		end := begin
		for end < len(all) && all[end].taken == all[begin].taken {
			end++
		}
		for _, s := range all[begin:end] {
			if s.isFirst {
				ranks += float64(begin+end+1) / 2 // equal values share the mean of their ranks
			}
		}
		begin = end
	}
	n, m := float64(len(first)), float64(len(second))
	return (ranks - n*(n+1)/2) / (n * m), math.Sqrt((n + m + 1) / (12 * n * m))
}

func TestRankStatistic(t *testing.T) {
	low, high := []time.Duration{1, 2, 3, 4}, []time.Duration{5, 6, 7, 8}
	for _, c := range []struct {
		first, second []time.Duration
		want          float64
	}{{low, high, 0}, {high, low, 1}, {low, low, 0.5}, {[]time.Duration{1, 3}, []time.Duration{2, 4}, 0.25}} {
		got, deviation := rankStatistic(c.first, c.second)
		require.InDelta(t, c.want, got, 1e-9)
		require.Positive(t, deviation)
	}
}
