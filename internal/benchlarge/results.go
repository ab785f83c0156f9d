package benchlarge

import (
	"fmt"
	"math"
	"strings"
	"time"

	"graphrest/internal/bench"
)

var notMeasured = bench.Number(math.NaN())

// Answer is the result of one question. Times are milliseconds.
type Answer struct {
	Question string `json:"question"`
	// As is the user with roles who asked, empty for the user who may read everything. If it is given, the fields of the Cypher are those of
	// the same question by the latter.
	As           string       `json:"as,omitempty"`
	Gateway      bench.Number `json:"gateway_ms"`
	GatewayFirst bench.Number `json:"gateway_first_ms"`
	Cypher       bench.Number `json:"cypher_ms"`
	CypherFirst  bench.Number `json:"cypher_first_ms"`
	// Ratio is the ratio of the medians: to that of the Cypher, or of the other question that the goal names.
	Ratio bench.Number `json:"ratio"`
	// Rounds are the numbers of answers of the gateway and of the analyst.
	Rounds       int `json:"gateway_rounds"`
	CypherRounds int `json:"cypher_rounds"`
	// Rows are the number of entities in the gateway's page, -1 if the answer is not a page, and the number of rows of the Cypher.
	Rows         int    `json:"rows"`
	CypherRows   int    `json:"cypher_rows"`
	DBHits       int64  `json:"db_hits"`
	CypherDBHits int64  `json:"cypher_db_hits"`
	Plans        []Plan `json:"plans,omitempty"`
	Goal         string `json:"goal,omitempty"`
	Reached      bool   `json:"reached"`
	// Failure and CypherFailure are the reasons why a side did not answer, Skipped is the reason why the question was not asked.
	Failure       string `json:"failure,omitempty"`
	CypherFailure string `json:"cypher_failure,omitempty"`
	Skipped       string `json:"skipped,omitempty"`
	Scan          bool   `json:"scan"`
}

// Table contains the answers to all questions on a graph of one size.
type Table struct {
	Size int `json:"size"`
	// Adopted reports that every entity had an id from the gateway.
	Adopted bool          `json:"adopted"`
	Date    time.Time     `json:"date"`
	Commit  string        `json:"commit"`
	Machine bench.Machine `json:"machine"`
	HeapMB  int           `json:"neo4j_heap_mib"`
	CacheMB int           `json:"neo4j_page_cache_mib"`
	Nodes   int           `json:"nodes"`
	Edges   int           `json:"edges"`
	Minutes bench.Number  `json:"minutes"`
	// Adoption is the measurement of the adoption that set these ids.
	Adoption *Adoption `json:"adoption,omitempty"`
	Answers  []Answer  `json:"answers"`
}

func (t *Table) answer(name string) *Answer {
	for i := range t.Answers {
		if t.Answers[i].Question == name {
			return &t.Answers[i]
		}
	}
	return nil
}

// compareWithGoal sets the goal of a question in the answer, and whether the answer reaches it.
func (t *Table) compareWithGoal(q question, a *Answer) {
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
		// If the gateway answers in time and the Cypher does not, no ratio can be computed.
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

// countsFromStore reports whether a plan read the count store and no plan has more database hits than a page needs.
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

// sortsNothing reports whether no plan sorts a list. The statements that read the entities which another one selected sort these, which
// are a page.
func sortsNothing(plans []Plan) bool {
	for _, p := range plans {
		if (p.sorts() && !strings.HasSuffix(p.Name, "_chosen")) || p.Failure != "" {
			return false
		}
	}
	return len(plans) > 0
}
