package neo4jstore

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

// explainWait is how long a request whose time is over waits for the plan of its statement.
const explainWait = 3 * time.Second

// timeoutExplainer finds out why a read ran out of time.
type timeoutExplainer struct {
	client  *bolt.Client
	indexes *neo4jschema.IndexStore
	log     *slog.Logger
}

// explainTimeout adds the cause to a DATABASE_TIMEOUT, derived from the plan of the statement that timed out. If the plan cannot be read,
// the error is returned unchanged. The plan is read with a new context, because that of the request has expired.
func (e *timeoutExplainer) explainTimeout(
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
	ctx, cancel := context.WithTimeout(graph.WithoutStop(context.WithoutCancel(ctx)), explainWait)
	defer cancel()
	cost, fails := e.client.Explain(ctx, text, params)
	if fails != nil {
		e.log.Debug("the plan of a statement that ran out of time cannot be read", "statement", text.Statement(), "error", fails.Error())
		return err
	}
	return fault.Wrap(err, f.Code, f.Message, describe(text, cost)...)
}

// slowList is a list whose statement timed out.
type slowList struct {
	kind   kind
	typ    graph.TypeName
	filter graph.Filter
	sort   graph.Sort
	paging graph.Paging
	node   bool // only the edges of a node
	// aggregate: all entities of the list are read, whatever the page
	aggregate bool
}

// explainListTimeout names the parameters that make a list slow, and what would help.
func (e *timeoutExplainer) explainListTimeout(ctx context.Context, recorder *bolt.TimeoutRecorder, l slowList, err error) error {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return err // the number of entities that a plan reads would disclose hidden ones
	}
	return e.explainTimeout(ctx, recorder, err, func(text cypher.Text, cost bolt.PlanCost) []fault.Detail {
		known, cancel := context.WithTimeout(context.WithoutCancel(ctx), explainWait)
		defer cancel()
		indexed, fails := e.indexes.IndexedKeys(known, l.kind)
		if fails != nil {
			indexed = neo4jschema.IndexedKeys{}
		}
		return l.details(text.Statement(), cost, indexed)
	})
}

// details returns the causes, in the order type, filter, sort, offset, count; none if the plan shows no cause.
func (l slowList) details(statement string, cost bolt.PlanCost, indexed neo4jschema.IndexedKeys) []fault.Detail {
	var details []fault.Detail
	add := func(field, format string, args ...any) {
		details = append(details, fault.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
	}
	what := l.describeScan(cost)
	if l.typ == "" && cost.Scanned > 0 && !l.node {
		add("type", "no type is named, so %s; name a type", what)
	}
	if l.aggregate && len(l.filter) == 0 && (l.typ != "" || l.node) {
		add("filter", "%s; add a condition that fewer of them meet", what)
	}
	if len(l.filter) > 0 && cost.Sought > 0 {
		add("filter", "an index finds about %d entities, which are all read; add a condition that fewer of them meet", cost.Sought)
	}
	if cost.Scanned > 0 || l.node {
		for _, c := range l.filter {
			if problem := l.conditionProblem(c, what, indexed); problem != "" {
				add(c.Field, "%s", problem)
			}
		}
	}
	if len(l.sort) > 0 && cost.Sorts {
		key := l.sort[0].Property
		switch {
		case l.typ != "" && !l.node && l.sort[0].Side == "" && !indexed.Has("RANGE", string(l.typ), key):
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

// describeScan describes what the plan reads.
func (l slowList) describeScan(cost bolt.PlanCost) string {
	plural := string(l.kind) + "s"
	switch {
	case l.node:
		return "all edges of the node are read"
	case cost.Scanned > 0:
		return fmt.Sprintf("about %d %s are read", cost.Scanned, plural)
	default:
		return "all " + plural + " found are read"
	}
}

// conditionProblem describes why no index serves a condition; empty if one does.
func (l slowList) conditionProblem(c graph.Condition, what string, indexed neo4jschema.IndexedKeys) string {
	kinds := neo4jschema.IndexKindsFor(string(c.Operator))
	switch {
	case c.Side != "":
		return fmt.Sprintf("no index serves a condition on an end, so %s; add a condition on a property of the edges, "+
			"or list the edges of one node", what)
	case len(kinds) == 0:
		return fmt.Sprintf("no index serves the operator %s, so %s; add a condition on the same type that an index serves", c.Operator, what)
	case l.node || l.typ == "":
		return ""
	case indexed.ServesAmong(string(l.typ), c, l.filter) || slices.ContainsFunc(kinds, func(indexKind string) bool {
		return indexed.Has(indexKind, string(l.typ), c.Property)
	}):
		return ""
	case kinds[0] == "TEXT":
		return fmt.Sprintf("%s.%s has no text index, so %s; a text index on it would help (POST /api/admin/indexes)", l.typ, c.Property, what)
	default:
		return fmt.Sprintf("%s.%s has no index, so %s; %s", l.typ, c.Property, what, rangeIndexRemedy)
	}
}

// explainWalkTimeout names the parameters that make a walk along edges slow. depth is the name of the parameter that limits its length.
func (e *timeoutExplainer) explainWalkTimeout(
	ctx context.Context, recorder *bolt.TimeoutRecorder, depth string, edgeType graph.TypeName, err error,
) error {
	return e.explainTimeout(ctx, recorder, err, func(_ cypher.Text, cost bolt.PlanCost) []fault.Detail {
		if !cost.Expands {
			return nil
		}
		details := []fault.Detail{{
			Field: depth,
			Message: fmt.Sprintf("a step of the search follows about %d relationships by estimate; lower %s",
				max(cost.Expanded, 1), depth),
		}}
		if !rules.ViewOf(ctx).AllowsAll(rules.Read) { // as in explainListTimeout
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
