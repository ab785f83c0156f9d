package neo4jentity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/rules"
)

// ExplainWait is how long a request whose time is over waits for the plan of its statement.
const ExplainWait = 3 * time.Second

// TimeoutExplainer finds out why a read ran out of time.
type TimeoutExplainer struct {
	client  *bolt.Client
	Indexes *neo4jschema.IndexStore
	log     *slog.Logger
}

// ExplainTimeout adds the cause to a DATABASE_TIMEOUT, derived from the plan of the statement that timed out. If the plan cannot be read,
// the error is returned unchanged. The plan is read with a new context, because that of the request has expired.
func (e *TimeoutExplainer) ExplainTimeout(
	ctx context.Context, recorder *bolt.TimeoutRecorder, err error, describe func(text cypher.Text, cost bolt.PlanCost) []fault.Detail,
) error {
	text, params := recorder.Statement()
	if err == nil || text.String() == "" || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	f := fault.As(bolt.Translate(err))
	if f.Code != fault.DatabaseTimeout || len(f.Details) > 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(graph.WithoutStop(context.WithoutCancel(ctx)), ExplainWait)
	defer cancel()
	cost, fails := e.client.Explain(ctx, text, params)
	if fails != nil {
		e.log.Debug("the plan of a statement that ran out of time cannot be read", "statement", text.Statement(), "error", fails.Error())
		return err
	}
	return fault.Wrap(err, f.Code, f.Message, describe(text, cost)...)
}

// SlowList is a list whose statement timed out.
type SlowList struct {
	Kind   kind
	Type   graph.TypeName
	Filter graph.Filter
	Sort   graph.Sort
	Paging graph.Paging
	Node   bool // only the edges of a node
	// aggregate: all entities of the list are read, whatever the page
	Aggregate bool
}

// ExplainListTimeout names the parameters that make a list slow, and what would help.
func (e *TimeoutExplainer) ExplainListTimeout(ctx context.Context, recorder *bolt.TimeoutRecorder, l SlowList, err error) error {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return err // the number of entities that a plan reads would disclose hidden ones
	}
	return e.ExplainTimeout(ctx, recorder, err, func(text cypher.Text, cost bolt.PlanCost) []fault.Detail {
		known, cancel := context.WithTimeout(context.WithoutCancel(ctx), ExplainWait)
		defer cancel()
		indexed, fails := e.Indexes.IndexedKeys(known, l.Kind)
		if fails != nil {
			indexed = neo4jschema.IndexedKeys{}
		}
		return l.details(text.Statement(), cost, indexed)
	})
}

// details returns the causes, in the order type, filter, sort, offset, count; none if the plan shows no cause.
func (l SlowList) details(statement string, cost bolt.PlanCost, indexed neo4jschema.IndexedKeys) []fault.Detail {
	var details []fault.Detail
	add := func(field, format string, args ...any) {
		details = append(details, fault.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
	}
	what := l.DescribeScan(cost)
	if l.Type == "" && cost.Scanned > 0 && !l.Node {
		add("type", "no type is named, so %s; name a type", what)
	}
	if l.Aggregate && len(l.Filter) == 0 && (l.Type != "" || l.Node) {
		add("filter", "%s; add a condition that fewer of them meet", what)
	}
	if len(l.Filter) > 0 && cost.Sought > 0 {
		add("filter", "an index finds about %d entities, which are all read; add a condition that fewer of them meet", cost.Sought)
	}
	if cost.Scanned > 0 || l.Node {
		for _, c := range l.Filter {
			if problem := l.ConditionProblem(c, what, indexed); problem != "" {
				add(c.Field, "%s", problem)
			}
		}
	}
	if len(l.Sort) > 0 && cost.Sorts {
		key := l.Sort[0].Property
		switch {
		case l.Type != "" && !l.Node && l.Sort[0].Side == "" && !indexed.Has("RANGE", string(l.Type), key):
			add("sort", "%s.%s has no index, so %s to be sorted; %s", l.Type, key, what, rangeIndexRemedy)
		default:
			add("sort", "%s to be sorted; leave the sort out, or add a condition that few of them meet", what)
		}
	}
	if l.Paging.Offset > 0 {
		add("offset", "the %d entities before the page are read to be skipped; follow next_cursor instead", l.Paging.Offset)
	}
	if l.Paging.Count && (strings.HasSuffix(statement, "_count") || strings.Contains(statement, "_total")) {
		add("count", "the exact count reads everything that may match; leave it out")
	}
	return details
}

const rangeIndexRemedy = "a range index on it would help (POST /api/admin/indexes)"

// DescribeScan describes what the plan reads.
func (l SlowList) DescribeScan(cost bolt.PlanCost) string {
	plural := string(l.Kind) + "s"
	switch {
	case l.Node:
		return "all edges of the node are read"
	case cost.Scanned > 0:
		return fmt.Sprintf("about %d %s are read", cost.Scanned, plural)
	default:
		return "all " + plural + " found are read"
	}
}

// ConditionProblem describes why no index serves a condition; empty if one does.
func (l SlowList) ConditionProblem(c graph.Condition, what string, indexed neo4jschema.IndexedKeys) string {
	kinds := neo4jschema.IndexKindsFor(string(c.Operator))
	switch {
	case c.Side != "":
		return fmt.Sprintf("no index serves a condition on an end, so %s; add a condition on a property of the edges, "+
			"or list the edges of one node", what)
	case c.Any != 0 && !neo4jschema.AlternativesCanBeServed(l.Filter):
		return fmt.Sprintf("no index serves alternatives unless each has a condition that an index can serve, so %s; "+
			"add a condition beside the alternatives", what)
	case len(kinds) == 0:
		return fmt.Sprintf("no index serves the operator %s, so %s; add a condition on the same type that an index serves", c.Operator, what)
	case l.Node || l.Type == "":
		return ""
	case indexed.ServesAmong(string(l.Type), c, l.Filter) || slices.ContainsFunc(kinds, func(indexKind string) bool {
		return indexed.Has(indexKind, string(l.Type), c.Property)
	}):
		return ""
	case kinds[0] == "TEXT":
		return fmt.Sprintf("%s.%s has no text index, so %s; a text index on it would help (POST /api/admin/indexes)", l.Type, c.Property, what)
	default:
		return fmt.Sprintf("%s.%s has no index, so %s; %s", l.Type, c.Property, what, rangeIndexRemedy)
	}
}

// ExplainWalkTimeout names the parameters that make a walk along edges slow. depth is the name of the parameter that limits its length.
func (e *TimeoutExplainer) ExplainWalkTimeout(
	ctx context.Context, recorder *bolt.TimeoutRecorder, depth string, edgeType graph.TypeName, err error,
) error {
	return e.ExplainTimeout(ctx, recorder, err, func(_ cypher.Text, cost bolt.PlanCost) []fault.Detail {
		if !cost.Expands {
			return nil
		}
		details := []fault.Detail{{
			Field: depth,
			Message: fmt.Sprintf("a step of the search follows about %d relationships by estimate; lower %s",
				max(cost.Expanded, 1), depth),
		}}
		if !rules.ViewOf(ctx).AllowsAll(rules.Read) { // as in ExplainListTimeout
			details[0].Message = "the search reads too much; lower " + depth
		}
		if edgeType == "" {
			details = append(details, fault.Detail{
				Field: "edge_type", Message: "no type is named, so relationships of every type are followed; name one",
			})
		}
		return details
	})
}
