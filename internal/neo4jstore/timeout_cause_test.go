package neo4jstore_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// TestTimeoutsNameTheirCause: a list that runs out of time names the parameters that make it slow, as its plan shows them.
func TestTimeoutsNameTheirCause(t *testing.T) {
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = time.Second / 2 })
	t.Cleanup(func() { // one transaction for all would need too much memory
		db.Exec(t, "MATCH ()-[r:LINKED]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 100 ROWS", nil)
		db.Exec(t, "MATCH (n:Slow) CALL (n) { DELETE n } IN TRANSACTIONS OF 100 ROWS", nil)
	})
	create := func() {
		db.Exec(t, "CREATE (a:Slow) WITH a, reduce(s = 'Äb', i IN range(1, 15) | s + s) AS long "+
			"UNWIND range(1, 100) AS i CREATE (:Slow {s: long, v: i})<-[:LINKED {s: long}]-(a)", nil)
	}
	for range 12 {
		create()
	}
	folds := make(graph.Filter, graph.MaxConditions)
	for i := range folds {
		folds[i] = graph.Condition{Property: "s", Operator: graph.ContainsFold, Value: "bä", Field: "filter[s][icontains]"}
	}
	// No node meets the last one: a page of those that meet all would be full before all are read, and no more of them would make it slower.
	folds[len(folds)-1].Value = "no such text"
	equal := append(folds[1:], graph.Condition{Property: "v", Operator: graph.GreaterEqual, Value: int64(1), Field: "filter[v][gte]"})
	list := func(q graph.NodeQuery) error {
		_, err := s.Nodes(t.Context(), q)
		return err
	}
	edges := func(q graph.EdgeQuery) error {
		_, err := s.Edges(t.Context(), q)
		return err
	}
	page := graph.Paging{Limit: 1000}
	estimate := regexp.MustCompile(`about [1-9]\d*`)
	for name, test := range map[string]struct {
		run  func() error
		want map[string]string // part of the message, by field
	}{
		"an operator that no index serves": {
			func() error { return list(graph.NodeQuery{Type: "Slow", Filter: folds, Paging: page}) },
			map[string]string{"filter[s][icontains]": "no index serves the operator icontains, so about N nodes are read"},
		},
		"a property without an index": {
			func() error { return list(graph.NodeQuery{Type: "Slow", Filter: equal, Paging: page}) },
			map[string]string{"filter[v][gte]": "Slow.v has no index, so about N nodes are read; a range index on it would help"},
		},
		"a sort": {
			func() error {
				return list(graph.NodeQuery{Type: "Slow", Filter: folds, Sort: graph.Sort{{Property: "v"}}, Paging: page})
			},
			map[string]string{"sort": "Slow.v has no index, so about N nodes are read to be sorted"},
		},
		"no type": {
			func() error {
				return list(graph.NodeQuery{Filter: folds, Sort: graph.Sort{{Property: "v"}}, Paging: page})
			},
			map[string]string{"type": "name a type"},
		},
		"edges": {
			func() error { return edges(graph.EdgeQuery{Type: "LINKED", Filter: folds, Paging: page}) },
			map[string]string{"filter[s][icontains]": "so about N edges are read"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			for range 30 { // on a busy machine the database may seem to be away, or have no time to plan
				if err = test.run(); err == nil {
					create() // a quick machine needs more to do
				} else if len(fault.As(err).Details) > 0 {
					break
				}
			}
			require.Equal(t, fault.DatabaseTimeout, fault.CodeOf(err), "%v", err)
			got := map[string]string{}
			for _, d := range fault.As(err).Details {
				got[d.Field] = estimate.ReplaceAllString(d.Message, "about N")
			}
			for field, message := range test.want {
				require.Contains(t, got[field], message)
			}
		})
	}
}
