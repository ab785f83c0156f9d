package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// explainWait bounds how long a request that has run out of time waits for the plan of its statement.
const explainWait = 3 * time.Second

// timeoutRecorder keeps the first statement of a request that ran out of time. It is safe for concurrent use.
type timeoutRecorder struct {
	mu     sync.Mutex
	text   cypher.Text
	params map[string]any
}

type timeoutRecorderKey struct{}

// withTimeoutRecorder returns a context whose statements report to a recorder when they run out of time.
func withTimeoutRecorder(ctx context.Context) (context.Context, *timeoutRecorder) {
	recorder := new(timeoutRecorder)
	return context.WithValue(ctx, timeoutRecorderKey{}, recorder), recorder
}

// recordTimeout reports a statement that failed to the context's recorder, if it failed because of its time.
func recordTimeout(ctx context.Context, text cypher.Text, params map[string]any, err error) {
	if err == nil || !isTimeout(err) && ctx.Err() == nil {
		return
	}
	recorder, found := ctx.Value(timeoutRecorderKey{}).(*timeoutRecorder)
	if !found {
		return
	}
	recorder.mu.Lock()
	defer recorder.mu.Unlock()
	if recorder.text.String() == "" {
		recorder.text, recorder.params = text, params
	}
}

func (r *timeoutRecorder) statement() (cypher.Text, map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text, r.params
}

// planCost is what the plan of a statement says about its cost. Rows are the planner's estimates.
type planCost struct {
	scanned  int64 // of the largest scan without a property index; 0 if there is none
	sought   int64 // of the largest look-up in a property index
	expanded int64 // of the largest expansion of relationships
	expands  bool
	sorts    bool
}

// explainTimeout adds to a DATABASE_TIMEOUT what the plan of the statement that ran out of time says about the cause. If there is no
// plan, the error stays as it is. The request's own time has passed, so the plan is read in a context of its own.
func (s *Store) explainTimeout(
	ctx context.Context, recorder *timeoutRecorder, err error, describe func(text cypher.Text, cost planCost) []fault.Detail,
) error {
	text, params := recorder.statement()
	if err == nil || text.String() == "" || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	f := fault.As(translate(err))
	if f.Code != fault.DatabaseTimeout || len(f.Details) > 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(graph.WithoutStop(context.WithoutCancel(ctx)), explainWait)
	defer cancel()
	cost, fails := s.client.explain(ctx, text, params)
	if fails != nil {
		s.config.Log.Debug("the plan of a statement that ran out of time cannot be read", "statement", text.Statement(), "error", fails.Error())
		return err
	}
	return fault.Wrap(err, f.Code, f.Message, describe(text, cost)...)
}

// explain reads the plan that the database has for a statement, without running it. With the statement's own parameters it is found in
// the database's cache of plans.
func (c *client) explain(ctx context.Context, statement cypher.Text, params map[string]any) (planCost, error) {
	return with(ctx, c, neo4j.AccessModeRead, func(session neo4j.SessionWithContext) (cost planCost, err error) {
		text := statement.Explain()
		result, err := session.Run(ctx, text.String(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
		if err != nil {
			return cost, err
		}
		summary, err := result.Consume(ctx)
		if err != nil {
			return cost, err
		}
		if summary.Plan() == nil {
			return cost, fmt.Errorf("the database returned no plan for %s", statement.Statement())
		}
		cost.add(summary.Plan())
		return cost, nil
	})
}

// add adds the operators of a plan. Their names are those of the Neo4j manual, "Operators at a glance".
func (p *planCost) add(plan neo4j.Plan) {
	operator, _, _ := strings.Cut(plan.Operator(), "@")
	estimate, _ := plan.Arguments()["EstimatedRows"].(float64)
	rows := int64(estimate)
	switch {
	case strings.Contains(operator, "Index") && (strings.Contains(operator, "Seek") || strings.Contains(operator, "Scan")):
		p.sought = max(p.sought, rows)
	case strings.HasSuffix(operator, "Scan"):
		p.scanned = max(p.scanned, rows)
	case strings.Contains(operator, "Expand"), strings.Contains(operator, "ShortestPath"):
		p.expands, p.expanded = true, max(p.expanded, rows)
	case strings.Contains(operator, "Sort"), strings.HasSuffix(operator, "Top"), strings.HasPrefix(operator, "Top"):
		p.sorts = true
	}
	for _, child := range plan.Children() {
		p.add(child)
	}
}

// slowList is a list whose statement ran out of time.
type slowList struct {
	kind   kind
	typ    graph.TypeName
	filter graph.Filter
	sort   graph.Sort
	paging graph.Paging
	node   bool // only the edges of a node
}

// explainListTimeout says which parameters of a list make it slow, and what would help.
func (s *Store) explainListTimeout(ctx context.Context, recorder *timeoutRecorder, l slowList, err error) error {
	return s.explainTimeout(ctx, recorder, err, func(text cypher.Text, cost planCost) []fault.Detail {
		known, cancel := context.WithTimeout(context.WithoutCancel(ctx), explainWait)
		defer cancel()
		indexed, fails := s.indexedOf(known, l.kind)
		if fails != nil {
			indexed = nil
		}
		return l.details(text.Statement(), cost, indexed)
	})
}

// details of the answer: first the conditions, then the sort, then the rest of the query. A plan that says nothing gives none.
func (l slowList) details(statement string, cost planCost, indexed indexedKeys) []fault.Detail {
	var details []fault.Detail
	add := func(field, format string, args ...any) {
		details = append(details, fault.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
	}
	what := l.what(cost)
	if l.typ == "" && cost.scanned > 0 && !l.node {
		add("type", "no type is named, so %s; name a type", what)
	}
	if len(l.filter) > 0 && cost.sought > 0 {
		add("filter", "an index finds about %d entities, which are all read; add a condition that fewer of them meet", cost.sought)
	}
	if cost.scanned > 0 || l.node {
		for _, c := range l.filter {
			if problem := l.conditionProblem(c, what, indexed); problem != "" {
				add(c.Field, "%s", problem)
			}
		}
	}
	if len(l.sort) > 0 && cost.sorts {
		key := l.sort[0].Property
		switch {
		case l.typ != "" && !l.node && !slices.Contains(indexed[[2]string{string(l.typ), key}], "RANGE"):
			add("sort", "%s.%s has no index, so %s to be sorted; %s", l.typ, key, what, rangeIndexRemedy)
		default:
			add("sort", "%s to be sorted; leave the sort out, or add a condition that few of them meet", what)
		}
	}
	if l.paging.Offset > 0 {
		add("offset", "the %d entities before the page are read to be skipped; follow next_cursor instead", l.paging.Offset)
	}
	if l.paging.Count && (strings.HasSuffix(statement, "_count") || strings.Contains(statement, "_total")) {
		add("count", "the exact count reads everything that may match; leave it out")
	}
	return details
}

const rangeIndexRemedy = "a range index on it would help (POST /api/admin/indexes)"

// what says what the plan reads.
func (l slowList) what(cost planCost) string {
	plural := string(l.kind) + "s"
	switch {
	case l.node:
		return "all edges of the node are read"
	case cost.scanned > 0:
		return fmt.Sprintf("about %d %s are read", cost.scanned, plural)
	default:
		return "all " + plural + " found are read"
	}
}

// conditionProblem says why no index serves a condition; empty if one does.
func (l slowList) conditionProblem(c graph.Condition, what string, indexed indexedKeys) string {
	kinds := indexKindsFor(string(c.Operator))
	switch {
	case len(kinds) == 0:
		return fmt.Sprintf("no index serves the operator %s, so %s; add a condition on the same type that an index serves", c.Operator, what)
	case l.node || l.typ == "":
		return ""
	case slices.ContainsFunc(kinds, func(kind string) bool {
		return slices.Contains(indexed[[2]string{string(l.typ), c.Property}], kind)
	}):
		return ""
	case kinds[0] == "TEXT":
		return fmt.Sprintf("%s.%s has no text index, so %s; a text index on it would help (POST /api/admin/indexes)", l.typ, c.Property, what)
	default:
		return fmt.Sprintf("%s.%s has no index, so %s; %s", l.typ, c.Property, what, rangeIndexRemedy)
	}
}

// explainWalkTimeout says which parameters of a walk from node to node make it slow. Depth is the name of the parameter that bounds it.
func (s *Store) explainWalkTimeout(ctx context.Context, recorder *timeoutRecorder, depth string, edgeType graph.TypeName, err error) error {
	return s.explainTimeout(ctx, recorder, err, func(_ cypher.Text, cost planCost) []fault.Detail {
		if !cost.expands {
			return nil
		}
		details := []fault.Detail{{
			Field: depth, Message: fmt.Sprintf("a step of the search follows about %d relationships by estimate; lower %s", max(cost.expanded, 1), depth),
		}}
		if edgeType == "" {
			details = append(details, fault.Detail{Field: "edge_type", Message: "no type is named, so relationships of every type are followed; name one"})
		}
		return details
	})
}
