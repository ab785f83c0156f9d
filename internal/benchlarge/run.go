// Package benchlarge measures the gateway on a large imported graph: it sends each question in turns to the gateway, over HTTP,
// and, as the Cypher that an analyst would write, to Neo4j through the driver.
package benchlarge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"graphrest/internal/bench"
	"graphrest/internal/neo4jdev"
)

// Limits bound the requests to one side for one question: no more rounds than Rounds, none after Time, none longer than Timeout.
// Walk bounds the time of paging to a position deep in a list, and WarmUp is the number of easy requests before all questions.
type Limits struct {
	Rounds, WarmUp      int
	Time, Timeout, Walk time.Duration
}

// Options are the options of a run. Size, Gateway, Cache and Limits are required.
type Options struct {
	Size    int    // nodes of the graph
	Gateway string // the program
	// Cache is the directory in which imported graphs are kept.
	Cache string
	// Questions selects questions by their name; nil selects all.
	Questions *regexp.Regexp
	Limits    Limits
	// Version, HeapMB and PageCacheMB are those of the Neo4j to start. Development starts it faster and runs it slower, for tests.
	Version             string
	HeapMB, PageCacheMB int
	Development         bool
	Commit              string
	Log                 io.Writer // progress, and each answer when it arrives
}

// run is the state of one run on one graph.
type run struct {
	Options
	began   time.Time
	dir     string // a copy of the graph, deleted at the end
	neo4j   *neo4jdev.Server
	at      bench.Neo4j
	db      *bench.Database
	gateway *gateway
	facts   facts
	table   *Table
	index   string // the index statement in effect
}

// Run measures and returns a table. Everything it started is stopped when it returns.
func Run(ctx context.Context, o Options) (*Table, error) {
	if err := o.createCache(); err != nil {
		return nil, err
	}
	return (&run{Options: o, began: time.Now()}).measure(ctx)
}

// createCache creates the directory for imported graphs, and makes its path absolute.
func (o *Options) createCache() (err error) {
	if o.Cache, err = filepath.Abs(o.Cache); err != nil {
		return err
	}
	return os.MkdirAll(o.Cache, 0o700)
}

// measure asks all questions.
func (r *run) measure(ctx context.Context) (table *Table, err error) {
	defer func() { err = errors.Join(err, r.end(context.WithoutCancel(ctx))) }()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	if err := r.createSearchIndex(ctx); err != nil {
		return nil, err
	}
	r.progress("warming up")
	if err := r.warmUp(ctx); err != nil {
		return nil, err
	}
	for _, q := range allQuestions() {
		if !r.asked(q.Name) {
			continue
		}
		answer, err := r.answer(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Name, err)
		}
		r.table.Answers = append(r.table.Answers, *answer)
		r.progress("%s", answer)
	}
	r.table.Minutes = bench.Number(time.Since(r.began).Minutes())
	return r.table, nil
}

func (r *run) asked(name string) bool { return r.Questions == nil || r.Questions.MatchString(name) }

func (r *run) progress(format string, args ...any) {
	if r.Log != nil {
		fmt.Fprintf(r.Log, "%6.0fs  %s\n", time.Since(r.began).Seconds(), fmt.Sprintf(format, args...))
	}
}

// open starts Neo4j and the gateway.
func (r *run) open(ctx context.Context) (err error) {
	if err := r.startNeo4j(ctx); err != nil {
		return err
	}
	if r.db, err = bench.OpenDatabase(ctx, r.at); err != nil {
		return err
	}
	r.table = &Table{Size: r.Size, Date: time.Now().UTC().Truncate(time.Second), Commit: r.Commit, HeapMB: r.HeapMB, CacheMB: r.PageCacheMB}
	if r.table.Machine, err = bench.DescribeMachine(ctx, r.db); err != nil {
		return err
	}
	if r.table.Nodes, err = countEntities(ctx, r.db, "()"); err != nil {
		return err
	}
	if r.table.Edges, err = countEntities(ctx, r.db, "()-->()"); err != nil {
		return err
	}
	r.progress("%d nodes, %d relationships", r.table.Nodes, r.table.Edges)
	if r.facts, err = findFacts(ctx, r.db); err != nil {
		return err
	}
	r.gateway, err = r.startGateway(ctx)
	return err
}

// createSearchIndex creates the full-text index of the search questions and waits until it is built.
func (r *run) createSearchIndex(ctx context.Context) error {
	body := map[string]any{"name": searchIndex, "kind": "node", "types": []string{nodeTypes[0], "Company"}, "properties": []string{"name"}}
	status, answer, err := r.gateway.Call(ctx, http.MethodPost, "/api/admin/search-indexes", r.gateway.adminToken, body)
	if err != nil || status >= http.StatusMultipleChoices {
		return fmt.Errorf("make the search index: status %d %.300s %w", status, answer, err)
	}
	return r.awaitIndexes(ctx)
}

func (r *run) awaitIndexes(ctx context.Context) error {
	_, err := r.db.Run(ctx, "CALL db.awaitIndexes(600)", nil)
	return err
}

// warmUp reads the whole graph once, to fill the page cache, and asks both sides easy questions until the
// Java virtual machine has compiled the code that they share.
func (r *run) warmUp(ctx context.Context) error {
	for _, statement := range []string{"MATCH (n) RETURN count(n.name)", "MATCH ()-[r]->() RETURN count(r.weight)"} {
		if _, err := r.db.Run(ctx, statement, nil); err != nil {
			return err
		}
	}
	for range r.Limits.WarmUp {
		if status, answer, err := r.gateway.read(ctx, "/api/nodes/"+url.PathEscape(r.facts["ordinary"])); err != nil || status != http.StatusOK {
			return fmt.Errorf("read a node: status %d %.300s %w", status, answer, err)
		}
		if _, err := r.db.Ask(ctx, "MATCH (n) WHERE elementId(n) = $id RETURN n", map[string]any{"id": r.facts["ordinary"]}); err != nil {
			return err
		}
	}
	return nil
}

// answer asks one question.
func (r *run) answer(ctx context.Context, q question) (*Answer, error) {
	a := &Answer{
		Question: q.Name, As: q.As, Gateway: notMeasured, GatewayFirst: notMeasured, Cypher: notMeasured,
		CypherFirst: notMeasured, Ratio: notMeasured,
	}
	if err := r.setIndex(ctx, q.Index); err != nil {
		return nil, err
	}
	f, ok, walkErr := r.withCursor(ctx, q)
	switch {
	case walkErr != nil:
		a.Failure = walkErr.Error()
		return a, ctx.Err()
	case !ok:
		a.Skipped = "the list has no such page"
		return a, nil
	}
	path := f.fill(q.Path)
	ofGateway, other := r.takeTurns(ctx, q, path, f.params())
	a.Gateway, a.GatewayFirst, a.Rounds, a.Failure = ofGateway.median(), ofGateway.first(), len(ofGateway.times), ofGateway.failure
	a.Cypher, a.CypherFirst, a.CypherRounds, a.CypherFailure = other.median(), other.first(), len(other.times), other.failure
	if a.Failure != "" {
		a.Gateway = notMeasured
	}
	a.Rows, a.CypherRows = ofGateway.rows, other.rows
	if q.Path == matchPath && q.As == "" && a.Failure == "" {
		if a.Hits, a.CypherHits, walkErr = r.hitsOf(ctx, q, r.bodyOf(q), f.params()); walkErr != nil {
			a.Failure = walkErr.Error()
		}
	}
	a.Ratio = bench.Number(bench.Ratio(float64(a.Gateway), float64(a.Cypher)))
	return a, ctx.Err()
}

// setIndex creates the index that a question needs, and drops another.
func (r *run) setIndex(ctx context.Context, statement string) error {
	if statement == r.index {
		return nil
	}
	if r.index != "" {
		if _, err := r.db.Run(ctx, dropIndex, nil); err != nil {
			return err
		}
	}
	r.index = statement
	if statement != "" {
		if _, err := r.db.Run(ctx, statement, nil); err != nil {
			return err
		}
	}
	if err := r.awaitIndexes(ctx); err != nil {
		return err
	}
	return r.awaitSchema(ctx, statement != "")
}

// end stops what was started and removes the copy of the graph.
func (r *run) end(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if r.gateway != nil {
		r.gateway.Stop()
	}
	if r.db != nil {
		err = errors.Join(err, r.db.Close(ctx))
	}
	if r.neo4j != nil {
		err = errors.Join(err, r.neo4j.Stop(ctx))
	}
	if r.dir != "" {
		err = errors.Join(err, os.RemoveAll(r.dir))
	}
	return err
}

// String returns the answer on one line.
func (a Answer) String() string {
	var notes []string
	for _, note := range []string{a.Skipped, a.Failure, a.CypherFailure} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if a.Rows >= 0 && a.Failure == "" && a.CypherRounds > 0 && a.Rows != a.CypherRows {
		notes = append(notes, fmt.Sprintf("%d entities, the Cypher %d", a.Rows, a.CypherRows))
	}
	if a.CypherHits > 0 {
		notes = append(notes, fmt.Sprintf("%d db hits, the Cypher %d", a.Hits, a.CypherHits))
	}
	return fmt.Sprintf("%-50s %9s ms (first %9s)  Cypher %9s ms (first %9s)  ratio %7s  %s", a.Question, bench.Short(a.Gateway),
		bench.Short(a.GatewayFirst), bench.Short(a.Cypher), bench.Short(a.CypherFirst), bench.Short(a.Ratio), strings.Join(notes, "; "))
}

// awaitSchema waits until the gateway knows whether the benchmark's index exists, which it detects within seconds.
func (r *run) awaitSchema(ctx context.Context, there bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		status, answer, err := r.gateway.read(ctx, schemaPath)
		if err == nil && status == http.StatusOK && strings.Contains(string(answer), `"bench_large"`) == there {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the gateway does not notice an index: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
