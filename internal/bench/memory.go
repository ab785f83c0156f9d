package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// MemoryOptions are the options of MeasureMemory. All fields except Environment are required.
type MemoryOptions struct {
	Gateway     string   // the program
	Environment []string // of the gateway, in addition to the required variables
	Neo4j       Neo4j
	Nodes       int // of 1 MB each
	AtOnce      []int
	Rounds      int // of each number of concurrent requests
}

// The graph of the measurement: a hub, and nodes of this size around it.
const (
	largeNodeBytes = 1_000_000
	largeLabel     = "BenchLarge"
)

// MeasureMemory requests many large nodes concurrently from a gateway and prints the peak resident memory of its process. The
// nodes are removed at the end.
func MeasureMemory(ctx context.Context, o MemoryOptions, out io.Writer) (err error) {
	db, err := openDatabase(ctx, o.Neo4j)
	if err != nil {
		return err
	}
	defer func() {
		_, removed := db.run(context.WithoutCancel(ctx), "MATCH (n:"+largeLabel+") CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10 ROWS", nil)
		err = errors.Join(err, removed, db.driver.Close(context.WithoutCancel(ctx)))
	}()
	if err := loadLarge(ctx, db, o.Nodes); err != nil {
		return err
	}
	hub, err := db.run(ctx, "MATCH (n:"+largeLabel+" {number: 0}) RETURN elementId(n)", nil)
	if err != nil {
		return err
	}
	all, err := db.run(ctx, "MATCH (n:"+largeLabel+") WHERE n.number > 0 RETURN elementId(n)", nil)
	if err != nil {
		return err
	}
	byID := func(i int) string { return "/api/nodes/" + fmt.Sprint(all[i%len(all)].Values[0]) }
	page := fmt.Sprintf("/api/nodes?type=%s&limit=%d", largeLabel, o.Nodes+1)
	around := fmt.Sprintf("/api/nodes/%v/neighbors?limit=%d", hub[0].Values[0], o.Nodes)
	fmt.Fprintf(out, "%d nodes of %d bytes; resident memory of the gateway at its most, %d rounds each\n\n",
		o.Nodes, largeNodeBytes, o.Rounds)
	fmt.Fprint(out, "| request | at once | answered 200 | 503 | MB answered | seconds | MiB before | MiB at most |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, request := range []struct {
		name string
		path func(i int) string
	}{
		{"page of all nodes", func(int) string { return page }},
		{"neighbors of a hub", func(int) string { return around }},
		{"node by id, each another", byID},
	} {
		for _, atOnce := range o.AtOnce {
			if err := o.measure(ctx, out, request.name, request.path, atOnce); err != nil {
				return fmt.Errorf("%s, %d at once: %w", request.name, atOnce, err)
			}
		}
	}
	return nil
}

func loadLarge(ctx context.Context, db *database, nodes int) error {
	if _, err := db.run(ctx, "CREATE (:"+largeLabel+" {number: 0})", nil); err != nil {
		return err
	}
	text := strings.Repeat("0123456789", largeNodeBytes/10)
	for i := 1; i <= nodes; i++ {
		_, err := db.run(ctx, "MATCH (hub:"+largeLabel+" {number: 0}) CREATE (hub)-[:BENCH_LARGE]->(:"+largeLabel+" {number: $i, text: $text})",
			map[string]any{"i": i, "text": text})
		if err != nil {
			return err
		}
	}
	return nil
}

// measure starts a new gateway, whose memory no earlier request has grown, and sends concurrent requests.
func (o MemoryOptions) measure(ctx context.Context, out io.Writer, name string, path func(int) string, atOnce int) error {
	g, err := startGateway(ctx, o.Gateway, o.Neo4j, newMemorySecrets(), "on", o.Environment...)
	if err != nil {
		return err
	}
	defer g.stop()
	before := residentMiB(g.pid())
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", g.pid()), []byte("5"), 0) // resets the peak (proc_pid_clear_refs(5))
	began := time.Now()
	answered := make([]int, atOnce*o.Rounds)
	refused := make([]int, atOnce*o.Rounds)
	sent := make([]int64, atOnce*o.Rounds)
	for round := range o.Rounds {
		var group sync.WaitGroup
		failed := make([]error, atOnce)
		for i := range atOnce {
			at := round*atOnce + i
			group.Go(func() {
				var status int
				status, sent[at], failed[i] = g.fetch(ctx, path(at))
				switch status {
				case http.StatusOK:
					answered[at] = 1
				case http.StatusServiceUnavailable:
					refused[at] = 1
				}
			})
		}
		group.Wait()
		if err := errors.Join(failed...); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %.1f | %.0f | %.0f |\n", name, atOnce, sumOf(answered), sumOf(refused), sumOf(sent)/1_000_000,
		time.Since(began).Seconds(), before, peakMiB(g.pid()))
	return nil
}

func newMemorySecrets() secrets {
	s := newSecrets()
	s.admin, s.user = "memory measurement 1", "memory measurement 2" // every gateway of a run knows the users that the first one created
	return s
}

// memoryClient has a timeout that suffices for 16 concurrent answers of large entities on a slow machine.
var memoryClient = &http.Client{Timeout: 5 * time.Minute}

// fetch reads an answer to its end and discards it.
func (g *gateway) fetch(ctx context.Context, path string) (status int, bytes int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+g.address+path, nil)
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("Authorization", "Bearer "+g.tokens[0])
	answer, err := memoryClient.Do(request)
	if err != nil {
		return 0, 0, err
	}
	bytes, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, bytes, errors.Join(err, answer.Body.Close())
}

func sumOf[N int | int64](all []N) (total N) {
	for _, n := range all {
		total += n
	}
	return total
}

// peakMiB returns the peak resident memory of a process, NaN if /proc does not contain it.
func peakMiB(pid int) float64 {
	kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(procLine("/proc/"+strconv.Itoa(pid)+"/status", "VmHWM"), " kB"), 64)
	if err != nil {
		return math.NaN()
	}
	return kilobytes / 1024
}
