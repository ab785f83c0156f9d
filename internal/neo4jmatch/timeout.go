package neo4jmatch

import (
	"context"
	"fmt"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/pattern"
	"graphrest/internal/rules"
)

// explainMatchTimeout names the parts of a question that make it slow, and what would help, as ExplainListTimeout does for lists.
func (ms *Matches) explainMatchTimeout(ctx context.Context, recorder *bolt.TimeoutRecorder, q *pattern.Question, err error) error {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return err // as for lists
	}
	return ms.timeouts.ExplainTimeout(ctx, recorder, err, func(_ cypher.Text, cost bolt.PlanCost) []fault.Detail {
		known, cancel := context.WithTimeout(context.WithoutCancel(ctx), neo4jentity.ExplainWait)
		defer cancel()
		indexed := map[graph.Kind]neo4jschema.IndexedKeys{}
		for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
			if found, fails := ms.timeouts.Indexes.IndexedKeys(known, k); fails == nil {
				indexed[k] = found
			}
		}
		return matchTimeoutDetails(q, cost, indexed)
	})
}

// matchTimeoutDetails returns the causes, in the order of the chains.
func matchTimeoutDetails(q *pattern.Question, cost bolt.PlanCost, indexed map[graph.Kind]neo4jschema.IndexedKeys) []fault.Detail {
	var details []fault.Detail
	add := func(field, format string, args ...any) {
		details = append(details, fault.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
	}
	problems := func(l neo4jentity.SlowList) {
		what := l.DescribeScan(cost)
		for _, c := range l.Filter {
			if problem := l.ConditionProblem(c, what, indexed[l.Kind]); problem != "" {
				add(c.Field, "%s", problem)
			}
		}
	}
	selective := false
	for _, chain := range q.Match {
		for _, n := range chain.Nodes {
			problems(neo4jentity.SlowList{Kind: graph.NodeKind, Type: n.Type, Filter: n.Filter})
			selective = selective || n.IsIdentified() || len(n.Filter) > 0
		}
		for _, h := range chain.Hops {
			if len(h.Types) == 0 {
				add(h.Place+".edge", "no type is named, so edges of every type are followed; name one")
			}
			if h.Max > 1 {
				add(h.Place+".hops", "up to %d edges are followed one after another; lower the second number", h.Max)
			}
			problems(neo4jentity.SlowList{Kind: graph.EdgeKind, Type: oneType(h.Types), Filter: h.Filter})
		}
	}
	if !selective && cost.Scanned > 0 {
		first := q.Match[0].Nodes[0]
		add(first.Place+".filter", "about %d entities are read; add a condition that fewer of them meet", cost.Scanned)
	}
	if len(q.Sort) > 0 && cost.Sorts {
		add("sort", "all rows found are read to be sorted; leave the sort out, or add a condition that few of them meet")
	}
	if q.Offset > 0 {
		add("offset", "the %d rows before the page are read to be skipped; lower the offset", q.Offset)
	}
	return details
}

// oneType is the only type of a hop; empty if there are several or none.
func oneType(types []graph.TypeName) graph.TypeName {
	if len(types) == 1 {
		return types[0]
	}
	return ""
}
