package benchlarge

import (
	"math"
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
	// Ratio is the ratio of the medians.
	Ratio bench.Number `json:"ratio"`
	// Rounds are the numbers of answers of the gateway and of the analyst.
	Rounds       int `json:"gateway_rounds"`
	CypherRounds int `json:"cypher_rounds"`
	// Rows are the number of entities in the gateway's page, -1 if the answer is not a page, and the number of rows of the Cypher.
	Rows       int `json:"rows"`
	CypherRows int `json:"cypher_rows"`
	// Hits and CypherHits are the db hits of both statements, of questions over several hops.
	Hits       int64 `json:"gateway_hits,omitempty"`
	CypherHits int64 `json:"cypher_hits,omitempty"`
	// Failure and CypherFailure are the reasons why a side did not answer, Skipped is the reason why the question was not asked.
	Failure       string `json:"failure,omitempty"`
	CypherFailure string `json:"cypher_failure,omitempty"`
	Skipped       string `json:"skipped,omitempty"`
}

// Table contains the answers to all questions on a graph of one size.
type Table struct {
	Size    int           `json:"size"`
	Date    time.Time     `json:"date"`
	Commit  string        `json:"commit"`
	Machine bench.Machine `json:"machine"`
	HeapMB  int           `json:"neo4j_heap_mib"`
	CacheMB int           `json:"neo4j_page_cache_mib"`
	Nodes   int           `json:"nodes"`
	Edges   int           `json:"edges"`
	Minutes bench.Number  `json:"minutes"`
	Answers []Answer      `json:"answers"`
}
