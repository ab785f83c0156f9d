package neo4jquery

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"graphrest/cypher"
	"graphrest/internal/answer"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jmatch"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
	"graphrest/internal/rules"
	"graphrest/internal/snapshot"
)

// fetchRows is how many rows are pulled at a time: the database computes no more of them than an answer needs, but for the last batch.
const fetchRows = 200

// Engine is a query.Engine. Its statements have their own connections, so that heavy queries take none from other requests. It is safe for
// concurrent use.
type Engine struct {
	client  *bolt.Client
	guard   *queryguard.Guard
	answers *neo4jmatch.Answers
	places  *Places
	judging *Places // of queries and questions that are judged and not run
	most    time.Duration
	threads *snapshot.Snapshot[int] // of the database, one for each processor unless it is configured otherwise
}

var _ query.Engine = (*Engine)(nil)

// EngineConfig is what an engine needs.
type EngineConfig struct {
	Client      *bolt.Client // with Concurrency connections, and ConnectionsToJudge
	Guard       *queryguard.Guard
	Answers     *neo4jmatch.Answers
	Concurrency int           // how many queries and questions run at a time
	Timeout     time.Duration // of a query without its own
}

const (
	// judgingPlaces is how many queries that do not run are judged at a time: the plan of one can take the database its whole time.
	judgingPlaces = 4
	// ConnectionsToJudge is how many connections an engine needs beside those of runs: for queries that do not run, and for the names in
	// use.
	ConnectionsToJudge = judgingPlaces + 1
	// threadsAge is how old the number of the threads of the database may be.
	threadsAge = 10 * time.Minute
)

// NewEngine creates an engine.
func NewEngine(c EngineConfig) *Engine {
	e := &Engine{
		client: c.Client, guard: c.Guard, answers: c.Answers, most: c.Timeout,
		places: newPlaces(c.Concurrency, "Too many queries run at the moment; try again later, or raise GRAPHREST_QUERY_CONCURRENCY"),
		judging: newPlaces(judgingPlaces,
			"Too many queries are explained or saved at the moment, which a gateway does four at a time; try again later"),
	}
	e.threads = snapshot.New(e.readThreads, bolt.SnapshotOptions(nil))
	return e
}

const threadsSetting = "server.threads.worker_count"

func (e *Engine) readThreads(ctx context.Context) (*int, error) {
	rows, err := e.client.ReadRows(ctx, cypher.DoctorSettings.Text(nil), map[string]any{"names": []string{threadsSetting}})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	most := math.MaxInt // an account of Enterprise that may not see settings gets no row
	for _, row := range rows {
		if n, err := strconv.Atoi(bolt.Column[string](row, "value")); err == nil {
			most = n
		}
	}
	return &most, nil
}

// take takes one of the places for a user: see Places.
func (e *Engine) take(ctx context.Context, places *Places, user string) (release func(), err error) {
	threads, err := e.threads.Fresh(ctx, threadsAge)
	if err != nil {
		return nil, err
	}
	places.share(*threads)
	return places.take(ctx, user)
}

// Judge judges a query: see query.Engine.
func (e *Engine) Judge(ctx context.Context, q query.Question) (queryguard.Checked, error) {
	release, err := e.take(ctx, e.judging, q.UserID)
	if err != nil {
		return queryguard.Checked{}, err
	}
	defer release()
	return e.guard.Check(ctx, request(q))
}

// Explain judges a query without refusing it: see query.Engine.
func (e *Engine) Explain(ctx context.Context, q query.Question) (queryguard.Verdict, error) {
	release, err := e.take(ctx, e.judging, q.UserID)
	if err != nil {
		return queryguard.Verdict{}, err
	}
	defer release()
	return e.guard.Explain(ctx, request(q))
}

func request(q query.Question) queryguard.Request {
	return queryguard.Request{Text: q.Text, Language: q.Language, Parameters: parameters(q), Allow: q.Allow}
}

func parameters(q query.Question) map[string]any {
	converted := make(map[string]any, len(q.Parameters))
	for name, v := range q.Parameters {
		converted[name] = bolt.ToDriver(v)
	}
	return converted
}

// Run judges and runs a query: see query.Engine. What it returns are not the rights of the caller: the context has no view.
func (e *Engine) Run(ctx context.Context, q query.Question) (*answer.Answer, error) {
	timeout := e.most
	if q.Timeout > 0 {
		timeout = min(timeout, q.Timeout)
	}
	ctx = rules.WithoutView(ctx)
	release, err := e.take(ctx, e.places, q.UserID)
	if err != nil {
		return nil, err
	}
	defer release()
	checked, err := e.guard.Check(ctx, request(q))
	if err != nil {
		return nil, err
	}
	q.Began()
	running, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if end, limited := running.Deadline(); limited { // the request's may be sooner
		timeout = time.Until(end).Round(time.Millisecond)
	}
	a, err := e.read(running, checked, q)
	if err != nil {
		return nil, e.explainFailure(err, timeout)
	}
	return a, nil
}

// read runs an accepted query until the answer is full.
func (e *Engine) read(ctx context.Context, checked queryguard.Checked, q query.Question) (*answer.Answer, error) {
	var rows *neo4jmatch.AnswerRows
	var failed error
	budget := graph.NewCountedBudget(ctx)
	reading := graph.WithByteBudget(ctx, budget)
	begin := func() {
		_ = budget.Take(-budget.Taken()) // a failed statement is run again from its start
		rows, failed = e.answers.Begin(ctx, checked.Columns, q.Limits)
	}
	err := e.client.ReadRecords(ctx, checked.Text, parameters(q), fetchRows, begin, func(r *bolt.Record) bool {
		if failed != nil {
			return false
		}
		if len(r.Values) != len(checked.Columns) {
			failed = fmt.Errorf("a query returns %d columns, its plan has %d", len(r.Values), len(checked.Columns))
			return false
		}
		var more bool
		more, failed = rows.Add(reading, r.Values)
		return more && failed == nil
	})
	if err = errors.Join(failed, err); err != nil {
		return nil, err
	}
	return rows.Finish(ctx)
}

// explainFailure translates the error of a run. What the query itself does wrong is a mistake of its input.
func (e *Engine) explainFailure(err error, timeout time.Duration) error {
	if f := fault.As(err); f != nil && f.Code != fault.Internal {
		return f
	}
	if bolt.IsSlow(err) || bolt.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.DatabaseTimeout, fmt.Sprintf("The query took longer than %s and was ended; "+
			"let it read less, or give it a longer timeout", timeout))
	}
	return queryguard.Translate(err)
}
