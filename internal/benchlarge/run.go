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
	// Server is a running Neo4j that contains such a graph, of any size; nil imports a graph and starts a server. AdminPassword is
	// the password of the gateway's administrator there.
	Server        *bench.Neo4j
	AdminPassword string
	// Adopt also measures graphrest adopt, and then asks all questions again with an id on every entity.
	Adopt bool
	Log   io.Writer // progress, and each answer when it arrives
}

// run is the state of one run on one graph.
type run struct {
	Options
	began    time.Time
	dir      string // a copy of the graph, deleted at the end
	access   *access
	neo4j    *neo4jdev.Server // nil if the run did not start it
	at       bench.Neo4j
	db       *database
	gateway  *gateway
	recorder *recorder
	recorded *gateway // speaks to Neo4j through the recorder
	facts    facts
	ids      facts // facts by the gateway's ids, if the entities have them
	table    *Table
	index    string // the index statement in effect
	searches bool   // this run created the search index
}

// Run measures and returns a table, and with Adopt a second. Everything it started is stopped when it returns.
func Run(ctx context.Context, o Options) (tables []*Table, err error) {
	if o.Server != nil && o.Adopt {
		return nil, errors.New("adopt is measured on a graph of the benchmark's own only")
	}
	if err := o.createCache(); err != nil {
		return nil, err
	}
	began := time.Now()
	table, err := (&run{Options: o, began: began}).measure(ctx, nil)
	if err != nil || !o.Adopt {
		return []*Table{table}, err
	}
	byHand, err := (&run{Options: o, began: began}).adoptByHand(ctx)
	if err != nil {
		return nil, err
	}
	adopted, err := (&run{Options: o, began: began}).measure(ctx, byHand)
	return []*Table{table, adopted}, err
}

// createCache creates the directory for imported graphs, and makes its path absolute.
func (o *Options) createCache() (err error) {
	if o.Cache, err = filepath.Abs(o.Cache); err != nil {
		return err
	}
	return os.MkdirAll(o.Cache, 0o700)
}

// measure asks all questions. If byHand, the measurement of hand-written Cypher, is given, it first adopts all entities.
func (r *run) measure(ctx context.Context, byHand *Adoption) (table *Table, err error) {
	began := time.Now()
	defer func() { err = errors.Join(err, r.end(context.WithoutCancel(ctx))) }()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	if byHand != nil {
		if err := r.adopt(ctx, byHand); err != nil {
			return nil, fmt.Errorf("adopt: %w", err)
		}
	}
	if err := r.prepare(ctx); err != nil {
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
		r.table.compareWithGoal(q, answer)
		r.table.Answers = append(r.table.Answers, *answer)
		r.progress("%s", answer)
	}
	if err := r.starts(ctx); err != nil {
		return nil, err
	}
	r.table.Minutes = bench.Number(time.Since(began).Minutes())
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
	if r.Server != nil {
		r.at = *r.Server
	} else if err := r.startNeo4j(ctx); err != nil {
		return err
	}
	if r.db, err = openDatabase(ctx, r.at.URI, r.at.Username, r.at.Password); err != nil {
		return err
	}
	r.table = &Table{Size: r.Size, Date: time.Now().UTC().Truncate(time.Second), Commit: r.Commit, HeapMB: r.HeapMB, CacheMB: r.PageCacheMB}
	if r.table.Machine, err = bench.DescribeMachine(ctx, r.at); err != nil {
		return err
	}
	if r.table.Nodes, err = countEntities(ctx, r.db, "()"); err != nil {
		return err
	}
	if r.table.Edges, err = countEntities(ctx, r.db, "()-->()"); err != nil {
		return err
	}
	if r.Server != nil {
		r.table.Size, r.table.HeapMB, r.table.CacheMB = r.table.Nodes, 0, 0
	}
	r.progress("%d nodes, %d relationships", r.table.Nodes, r.table.Edges)
	if r.facts, err = findFacts(ctx, r.db); err != nil {
		return err
	}
	r.access = newAccess(r.AdminPassword)
	if r.gateway, err = r.startGateway(ctx, r.at.URI); err != nil {
		return err
	}
	return r.gateway.prepare(ctx)
}

// prepare prepares the servers and indexes for the questions.
func (r *run) prepare(ctx context.Context) (err error) {
	server, err := url.Parse(r.at.URI)
	if err != nil {
		return err
	}
	if r.recorder, err = startRecorder(server.Host); err != nil {
		return err
	}
	if r.recorded, err = r.startGateway(ctx, r.recorder.uri()); err != nil {
		return err
	}
	if err := r.createSearchIndex(ctx); err != nil {
		return err
	}
	r.progress("warming up")
	return r.warmUp(ctx)
}

// createSearchIndex creates the full-text index of the search questions and waits until it is built.
func (r *run) createSearchIndex(ctx context.Context) error {
	body := map[string]any{"name": searchIndex, "kind": "node", "types": []string{nodeTypes[0], "Company"}, "properties": []string{"name"}}
	status, answer, err := r.gateway.call(ctx, http.MethodPost, "/api/admin/search-indexes", r.access.adminToken, body)
	r.searches = err == nil && status < http.StatusMultipleChoices
	if err != nil || (!r.searches && status != http.StatusConflict) { // on a shared server another run may have created it
		return fmt.Errorf("make the search index: status %d %.300s %w", status, answer, err)
	}
	return r.awaitIndexes(ctx)
}

func (r *run) awaitIndexes(ctx context.Context) error {
	_, err := r.db.run(ctx, "CALL db.awaitIndexes(600)", nil)
	return err
}

// warmUp reads the whole graph once, to fill the page cache, and asks both sides easy questions until the
// Java virtual machine has compiled the code that they share.
func (r *run) warmUp(ctx context.Context) error {
	for _, statement := range []string{"MATCH (n) RETURN count(n.name)", "MATCH ()-[r]->() RETURN count(r.weight)"} {
		if _, err := r.db.run(ctx, statement, nil); err != nil {
			return err
		}
	}
	for range r.Limits.WarmUp {
		if status, answer, err := r.gateway.read(ctx, "/api/nodes/"+url.PathEscape(r.facts["ordinary"])); err != nil || status != http.StatusOK {
			return fmt.Errorf("read a node: status %d %.300s %w", status, answer, err)
		}
		if _, err := r.db.ask(ctx, "MATCH (n) WHERE elementId(n) = $id RETURN n", map[string]any{"id": r.facts["ordinary"]}); err != nil {
			return err
		}
	}
	return nil
}

// answer asks one question.
func (r *run) answer(ctx context.Context, q question) (*Answer, error) {
	a := &Answer{
		Question: q.Name, As: q.As, Scan: q.Scan, Gateway: notMeasured, GatewayFirst: notMeasured, Cypher: notMeasured,
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
	path := f.fill(r.ids.fill(q.Path))
	ofGateway, other := r.takeTurns(ctx, q, path, f.params())
	a.Gateway, a.GatewayFirst, a.Rounds, a.Failure = ofGateway.median(), ofGateway.first(), len(ofGateway.times), ofGateway.failure
	a.Cypher, a.CypherFirst, a.CypherRounds, a.CypherFailure = other.median(), other.first(), len(other.times), other.failure
	if a.Failure != "" {
		a.Gateway = notMeasured
	}
	a.Rows, a.CypherRows = ofGateway.rows, other.rows
	a.Ratio = bench.Number(bench.Ratio(float64(a.Gateway), float64(a.Cypher)))
	if a.Failure == "" {
		var err error
		if a.Plans, err = r.profileGateway(ctx, q.As, path); err != nil {
			return nil, err
		}
		a.DBHits = sumHits(a.Plans)
	}
	if q.As != "" && a.CypherFailure == "" {
		plans, err := r.profileGateway(ctx, "", path)
		if err != nil {
			return nil, err
		}
		a.CypherDBHits = sumHits(plans)
	}
	if q.Cypher != "" && a.CypherFailure == "" {
		plan, err := r.profile(ctx, q.Cypher, f.params())
		if err != nil {
			return nil, err
		}
		a.CypherDBHits = plan.DBHits
	}
	return a, ctx.Err()
}

// setIndex creates the index that a question needs, and drops another.
func (r *run) setIndex(ctx context.Context, statement string) error {
	if statement == r.index {
		return nil
	}
	if r.index != "" {
		if _, err := r.db.run(ctx, dropIndex, nil); err != nil {
			return err
		}
	}
	r.index = statement
	if statement != "" {
		if _, err := r.db.run(ctx, statement, nil); err != nil {
			return err
		}
	}
	if err := r.awaitIndexes(ctx); err != nil {
		return err
	}
	return r.awaitSchema(ctx, statement != "")
}

// end stops what was started and removes the copy of the graph, or what the run created on a server that it did not start.
func (r *run) end(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if r.Server != nil && r.gateway != nil {
		err = r.leave(ctx)
	}
	for _, g := range []*gateway{r.gateway, r.recorded} {
		if g != nil {
			g.Stop()
		}
	}
	if r.recorder != nil {
		err = errors.Join(err, r.recorder.close())
	}
	if r.db != nil {
		err = errors.Join(err, r.db.driver.Close(ctx))
	}
	if r.neo4j != nil {
		err = errors.Join(err, r.neo4j.Stop(ctx))
	}
	if r.dir != "" {
		err = errors.Join(err, os.RemoveAll(r.dir))
	}
	return err
}

// leave removes what the run created on a server that it did not start. The gateway's administrator stays.
func (r *run) leave(ctx context.Context) error {
	paths := append([]string{"/api/admin/users/" + r.access.readerName}, r.access.ruledPaths()...)
	if r.searches {
		paths = append(paths, "/api/admin/search-indexes/"+searchIndex)
	}
	for _, path := range paths {
		status, answer, err := r.gateway.call(ctx, http.MethodDelete, path, r.access.adminToken, nil)
		if err != nil || status >= http.StatusMultipleChoices {
			return fmt.Errorf("remove %s: status %d %.300s %w", path, status, answer, err)
		}
	}
	if r.index == "" {
		return nil
	}
	_, err := r.db.run(ctx, dropIndex, nil)
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
	verdict := ""
	if a.Goal != "" && a.Skipped == "" {
		verdict = "MISSED "
		if a.Reached {
			verdict = "reached "
		}
	}
	return fmt.Sprintf("%-50s %9s ms (first %9s)  Cypher %9s ms (first %9s)  ratio %7s  hits %10d  Cypher's %10d  %s%s %s", a.Question,
		bench.Short(a.Gateway), bench.Short(a.GatewayFirst), bench.Short(a.Cypher), bench.Short(a.CypherFirst), bench.Short(a.Ratio),
		a.DBHits, a.CypherDBHits, verdict, a.Goal, strings.Join(notes, "; "))
}
