package queryguard_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/queryguard"
)

// BenchmarkOverhead prints what the guard adds to a run: the time of its judgement, and what the sealed text takes longer than the
// client's.
// `make measure-queries` runs it.
func BenchmarkOverhead(b *testing.B) {
	db := neo4jtest.Open(b)
	execute(b, db, visibleData)
	guard, _ := newGuard(db, b)
	const samples = 500
	for _, query := range []string{
		"RETURN 1 AS one",
		"MATCH (p:Person {name: $name}) RETURN p.name, p.age",
		"MATCH (p:Person {name: $name})-[:KNOWS]->(q:Person) RETURN q.name ORDER BY q.name LIMIT 10",
		"MATCH (p:Person {name: $name})-[:KNOWS*1..3]->(q:Person) RETURN count(q)",
		"MATCH (p:Person)-[r]->(x) RETURN type(r) AS t, count(*) AS n ORDER BY t",
		"MATCH (p:Person) RETURN count(p) AS n",
	} {
		var judging, asSent, sealed []time.Duration
		for n := range samples + 20 {
			began := time.Now()
			checked, err := guard.Check(b.Context(), queryguard.Request{Text: query, Parameters: runnable})
			judged := time.Since(began)
			require.NoError(b, err)
			run := func(text string) time.Duration {
				began := time.Now()
				db.Query(b, text, runnable)
				return time.Since(began)
			}
			first, second := query, checked.Text.String()
			if n%2 == 1 {
				first, second = second, first
			}
			one, other := run(first), run(second)
			if n%2 == 1 {
				one, other = other, one
			}
			if n >= 20 { // the first ones plan statements
				judging, asSent, sealed = append(judging, judged), append(asSent, one), append(sealed, other)
			}
		}
		fmt.Printf("judged in %8v, as sent %8v, sealed %8v (medians): %s\n", middle(judging), middle(asSent), middle(sealed), query)
	}
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2].Round(time.Microsecond)
}
