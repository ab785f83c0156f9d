package benchlarge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"sync"
	"time"

	"graphrest/internal/bench"
)

// Adoption is the measurement of graphrest adopt on the whole graph during reads, and of the same work in hand-written Cypher.
type Adoption struct {
	Entities int `json:"entities"`
	// Seconds are those of graphrest adopt, HandSeconds those of hand-written Cypher; both create the constraints too.
	Seconds     bench.Number `json:"seconds"`
	HandSeconds bench.Number `json:"hand_written_seconds"`
	// Ratio is the rate of adopt divided by that of the hand-written Cypher.
	Ratio bench.Number `json:"rate_ratio"`
	// FirstMiB and LastMiB are the largest resident memory of adopt in its first and in its last quarter.
	FirstMiB bench.Number `json:"first_quarter_mib"`
	LastMiB  bench.Number `json:"last_quarter_mib"`
	// IdleP99 and BusyP99 are 99th percentiles of reads at the gateway, in milliseconds, before and during adopt.
	IdleP99 bench.Number `json:"idle_p99_ms"`
	BusyP99 bench.Number `json:"busy_p99_ms"`
	Reads   int          `json:"reads_meanwhile"`
}

const (
	idProperty = "uuid" // the gateway's default
	// handBatch is the number of entities that a transaction of the hand-written Cypher changes, the same as for adopt.
	handBatch = 1000
	// readClients is the number of clients that read while the p99 is measured, each once in readPause unless an answer takes longer: a
	// load that leaves most of a machine to adopt.
	readClients = 4
	readPause   = 40 * time.Millisecond
)

// adoptByHand sets the id of every entity as an administrator would do in Cypher, on a separate copy of the graph, and returns the time
// it took.
func (r *run) adoptByHand(ctx context.Context) (a *Adoption, err error) {
	defer func() { err = errors.Join(err, r.end(context.WithoutCancel(ctx))) }()
	if err := r.startNeo4j(ctx); err != nil {
		return nil, err
	}
	if r.db, err = openDatabase(ctx, r.at.URI, r.at.Username, r.at.Password); err != nil {
		return nil, err
	}
	r.progress("giving ids by hand")
	began := time.Now()
	for _, statement := range handWritten() {
		if _, err := r.db.run(ctx, statement, nil); err != nil {
			return nil, err
		}
	}
	return &Adoption{HandSeconds: bench.Number(time.Since(began).Seconds())}, nil
}

// handWritten returns the Cypher that an administrator would write.
func handWritten() []string {
	var statements []string
	for _, name := range nodeTypes {
		statements = append(statements,
			fmt.Sprintf("CREATE CONSTRAINT FOR (n:%s) REQUIRE n.%s IS UNIQUE", name, idProperty),
			fmt.Sprintf("MATCH (n:%[1]s) WHERE n.%[2]s IS NULL CALL (n) { SET n.%[2]s = randomUUID() } IN TRANSACTIONS OF %[3]d ROWS", name,
				idProperty, handBatch))
	}
	for _, name := range edgeTypes {
		statements = append(statements,
			fmt.Sprintf("CREATE CONSTRAINT FOR ()-[r:%s]-() REQUIRE r.%s IS UNIQUE", name, idProperty),
			fmt.Sprintf("MATCH ()-[r:%[1]s]->() WHERE r.%[2]s IS NULL CALL (r) { SET r.%[2]s = randomUUID() } IN TRANSACTIONS OF %[3]d ROWS", name,
				idProperty, handBatch))
	}
	return statements
}

// adopt runs graphrest adopt while clients read through the gateway. a has the measurements of adoptByHand.
func (r *run) adopt(ctx context.Context, a *Adoption) error {
	paths, err := r.readPaths(ctx)
	if err != nil {
		return err
	}
	r.progress("reading at the gateway, for its p99")
	var idle []float64
	for range 2 { // the first turn warms the gateway up
		turn, cancel := context.WithTimeout(ctx, r.idleTime())
		idle, err = r.readFor(ctx, paths, turn.Done())
		cancel()
		if err != nil {
			return err
		}
	}
	r.progress("adopting everything")
	command := exec.Command(r.Gateway, "adopt") //nolint:gosec // the program that is measured
	command.Env = r.gatewayEnv(r.at.URI)
	began := time.Now()
	process, err := bench.StartProcess("graphrest adopt", command)
	if err != nil {
		return err
	}
	defer process.Stop()
	memory := make(chan []float64, 1)
	go func() { memory <- watchMemory(process) }()
	busy, err := r.readFor(ctx, paths, process.Done())
	if err != nil {
		return err
	}
	a.Seconds = bench.Number(time.Since(began).Seconds())
	sizes := <-memory
	quarter := max(1, len(sizes)/4)
	a.FirstMiB, a.LastMiB = bench.Number(slices.Max(sizes[:quarter])), bench.Number(slices.Max(sizes[len(sizes)-quarter:]))
	a.Ratio = bench.Number(bench.Ratio(float64(a.HandSeconds), float64(a.Seconds)))
	a.IdleP99, a.BusyP99, a.Reads = p99(idle), p99(busy), len(busy)
	if a.Entities, err = r.countAdopted(ctx); err != nil {
		return fmt.Errorf("%w\n%s", err, process.Output())
	}
	r.table.Adopted, r.table.Adoption = true, a
	return r.findIDs(ctx)
}

// idleTime is the duration of measuring the p99 of an idle gateway.
func (r *run) idleTime() time.Duration { return min(10*time.Second, r.Limits.Time) }

// countAdopted counts the entities that have an id, and fails unless all that have a type do.
func (r *run) countAdopted(ctx context.Context) (int, error) {
	records, err := r.db.run(ctx,
		`MATCH (n) WHERE n.uuid IS NOT NULL WITH count(n) AS nodes MATCH ()-[r]->() RETURN nodes, count(r.uuid) AS edges`, nil)
	if err != nil {
		return 0, err
	}
	nodes, _ := records[0].Values[0].(int64)
	edges, _ := records[0].Values[1].(int64)
	if edges < int64(r.table.Edges) {
		return 0, fmt.Errorf("adopt gave ids to %d of %d edges", edges, r.table.Edges)
	}
	return int(nodes + edges), nil
}

// findIDs reads the ids that the nodes of the questions have now. The Cypher continues to find them by element id.
func (r *run) findIDs(ctx context.Context) error {
	r.ids = facts{}
	for _, name := range []string{"hub", "ordinary", "other", "island"} {
		statement := "MATCH (n) WHERE elementId(n) = $id RETURN n." + idProperty
		if err := r.ids.find(ctx, r.db, name, statement, map[string]any{"id": r.facts[name]}); err != nil {
			return err
		}
	}
	return nil
}

// readPaths returns what clients read during adopt: nodes by element id, spread over the graph, and pages of a type of medium size.
func (r *run) readPaths(ctx context.Context) ([]string, error) {
	records, err := r.db.run(ctx, "MATCH (n:Product) RETURN elementId(n) LIMIT 1000", nil)
	if err != nil {
		return nil, err
	}
	var paths []string
	for i, record := range records {
		id, _ := record.Values[0].(string)
		paths = append(paths, "/api/nodes/"+url.PathEscape(id))
		if i%10 == 0 {
			paths = append(paths, nodesOf+nodeTypes[typeCount/2])
		}
	}
	return paths, nil
}

// readFor runs clients that read until done is closed, and returns the duration of each read in milliseconds.
func (r *run) readFor(ctx context.Context, paths []string, done <-chan struct{}) ([]float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	finished := errors.New("finished")
	go func() {
		select {
		case <-done:
		case <-ctx.Done():
		}
		cancel(finished)
	}()
	var mutex sync.Mutex
	var times []float64
	var clients sync.WaitGroup
	for client := range readClients {
		clients.Go(func() {
			pace := time.NewTicker(readPause)
			defer pace.Stop()
			for i := client; ; i += readClients {
				select {
				case <-ctx.Done():
					return
				case <-pace.C:
				}
				began := time.Now()
				status, answer, err := r.gateway.read(ctx, paths[i%len(paths)])
				if ctx.Err() != nil {
					return
				}
				if err != nil || status != http.StatusOK {
					cancel(fmt.Errorf("read %s: status %d %.300s %w", paths[i%len(paths)], status, answer, err))
					return
				}
				mutex.Lock()
				times = append(times, float64(time.Since(began).Microseconds())/1000)
				mutex.Unlock()
			}
		})
	}
	clients.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, finished) {
		return nil, cause
	}
	return times, nil
}

// watchMemory samples the resident memory of a process until it ends.
func watchMemory(process *bench.Process) []float64 {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	sizes := []float64{bench.ResidentMiB(process.Pid())}
	for {
		select {
		case <-process.Done():
			return sizes
		case <-ticker.C:
			if size := bench.ResidentMiB(process.Pid()); !math.IsNaN(size) {
				sizes = append(sizes, size)
			}
		}
	}
}

func p99(times []float64) bench.Number {
	if len(times) == 0 {
		return notMeasured
	}
	sorted := slices.Sorted(slices.Values(times))
	return bench.Number(sorted[min(len(sorted)-1, len(sorted)*99/100)])
}
