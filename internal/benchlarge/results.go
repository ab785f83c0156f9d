package benchlarge

import (
	"fmt"
	"math"
	"time"

	"graphrest/internal/bench"
)

var notMeasured = bench.Number(math.NaN())

// Answer is what one question gave. Times are milliseconds.
type Answer struct {
	Question     string       `json:"question"`
	Gateway      bench.Number `json:"gateway_ms"`
	GatewayFirst bench.Number `json:"gateway_first_ms"`
	Cypher       bench.Number `json:"cypher_ms"`
	CypherFirst  bench.Number `json:"cypher_first_ms"`
	// Ratio is that of the medians, to the Cypher or to the other question that the goal names.
	Ratio bench.Number `json:"ratio"`
	// Rounds are how often the gateway and the analyst answered.
	Rounds       int `json:"gateway_rounds"`
	CypherRounds int `json:"cypher_rounds"`
	// Rows are how many entities the gateway's page had, -1 where the answer is no page, and how many rows the Cypher gave.
	Rows         int    `json:"rows"`
	CypherRows   int    `json:"cypher_rows"`
	DBHits       int64  `json:"db_hits"`
	CypherDBHits int64  `json:"cypher_db_hits"`
	Plans        []Plan `json:"plans,omitempty"`
	Goal         string `json:"goal,omitempty"`
	Reached      bool   `json:"reached"`
	// Failure and CypherFailure are why a side did not answer, Skipped why the question was not asked.
	Failure       string `json:"failure,omitempty"`
	CypherFailure string `json:"cypher_failure,omitempty"`
	Skipped       string `json:"skipped,omitempty"`
	Scan          bool   `json:"scan"`
}

// Table is the answers to all questions on a graph of one size.
type Table struct {
	Size int `json:"size"`
	// Adopted says that every entity had an id of the gateway's.
	Adopted bool          `json:"adopted"`
	Date    time.Time     `json:"date"`
	Commit  string        `json:"commit"`
	Machine bench.Machine `json:"machine"`
	HeapMB  int           `json:"neo4j_heap_mib"`
	CacheMB int           `json:"neo4j_page_cache_mib"`
	Nodes   int           `json:"nodes"`
	Edges   int           `json:"edges"`
	Minutes bench.Number  `json:"minutes"`
	// Adoption is how the ids were given.
	Adoption *Adoption `json:"adoption,omitempty"`
	Answers  []Answer  `json:"answers"`
}

func (t *Table) answer(question string) *Answer {
	for i := range t.Answers {
		if t.Answers[i].Question == question {
			return &t.Answers[i]
		}
	}
	return nil
}

// judge says what the goal of a question is, and whether the answer reaches it.
func (t *Table) judge(q question, a *Answer) {
	if q.Goal == (goal{}) {
		return
	}
	a.Reached = a.Failure == "" && !math.IsNaN(float64(a.Gateway))
	require := func(holds bool, format string, args ...any) {
		if a.Goal != "" {
			a.Goal += ", "
		}
		a.Goal += fmt.Sprintf(format, args...)
		a.Reached = a.Reached && holds
	}
	g := q.Goal
	switch {
	case g.Versus != "":
		a.Ratio = notMeasured
		if other := t.answer(g.Versus); other != nil {
			a.Ratio = bench.Number(bench.Ratio(float64(a.Gateway), float64(other.Gateway)))
		}
		require(float64(a.Ratio) <= g.Ratio, "≤ %v of the first page", g.Ratio)
	case g.Ratio > 0:
		// Where the analyst gets no answer in time and the gateway does, there is nothing to compare with.
		require(float64(a.Ratio) <= g.Ratio || (a.CypherFailure != "" && a.Failure == ""), "≤ %v", g.Ratio)
	}
	if g.FirstMilliseconds > 0 {
		require(float64(a.GatewayFirst) <= g.FirstMilliseconds, "first ≤ %v ms", g.FirstMilliseconds)
	}
	if g.Milliseconds > 0 {
		require(float64(a.Gateway) <= g.Milliseconds, "≤ %v ms", g.Milliseconds)
	}
	if g.FirstRatio > 0 {
		require(float64(a.GatewayFirst) <= g.FirstRatio*float64(a.Gateway), "first ≤ %v of the median", g.FirstRatio)
	}
	if g.CountStore {
		require(countsFromStore(a.Plans), "from the count store")
	}
	if g.NoSort {
		require(sortsNothing(a.Plans), "no sort in the plan")
	}
}

// countsFromStore says that a count came from the count store and that nothing else was counted.
func countsFromStore(plans []Plan) bool {
	counted := false
	for _, p := range plans {
		counted = counted || p.fromCountStore()
		const mostOfAPage = 1000
		if p.DBHits > mostOfAPage {
			return false
		}
	}
	return counted
}

func sortsNothing(plans []Plan) bool {
	for _, p := range plans {
		if p.sorts() || p.Failure != "" {
			return false
		}
	}
	return len(plans) > 0
}
