// Package neo4jmatch answers questions over several hops, and converts the records of questions and queries into answers.
package neo4jmatch

import (
	"cmp"
	"context"
	"slices"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
	"graphrest/internal/pattern"
)

// Matches answers questions over several hops, each with one statement. It is safe for concurrent use.
type Matches struct {
	client     *bolt.Client
	config     *neo4jentity.Config
	texts      *neo4jentity.Texts
	reads      *neo4jentity.Reader
	exclusions *neo4jentity.ExclusionCache
	names      *neo4jschema.Names
	counts     *neo4jschema.Counts
	timeouts   *neo4jentity.TimeoutExplainer
	sizes      neo4jentity.RecordSizes
}

var _ pattern.Matcher = (*Matches)(nil)

// New creates what answers questions over several hops.
func New(core *neo4jentity.Core) *Matches {
	return &Matches{
		client: core.Client, config: core.Config, texts: core.Texts, reads: core.Reads, exclusions: core.Exclusions,
		names: core.Schema.Names, counts: core.Schema.Counts, timeouts: core.Timeouts,
	}
}

// Match answers a question: see pattern.Matcher.
func (ms *Matches) Match(ctx context.Context, q *pattern.Question) (*answer.Answer, error) {
	began := time.Now()
	s, err := ms.compose(ctx, q)
	if err != nil {
		return nil, err
	}
	ctx, recorder := bolt.WithTimeoutRecorder(ctx)
	found, err := ms.read(ctx, s)
	if err != nil {
		return nil, ms.explainMatchTimeout(ctx, recorder, q, s.attributeError(bolt.Translate(err)))
	}
	found.Meta.Elapsed = time.Since(began)
	return found, nil
}

// ExplainMatch explains a question: see pattern.Matcher.
func (ms *Matches) ExplainMatch(ctx context.Context, q *pattern.Question) (*pattern.Explanation, error) {
	if !neo4jview.PredicateOf(ctx, graph.EdgeKind).SeesEverything() {
		return nil, fault.New(fault.PermissionDenied, "The plan of a statement would disclose what rules hide",
			fault.Detail{Field: "explain", Message: "needs the permission read, without the rules of roles"})
	}
	s, err := ms.compose(ctx, q)
	if err != nil {
		return nil, err
	}
	plan, err := ms.client.ExplainPlan(ctx, s.text, s.params)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	parameters := map[string]answer.Cell{}
	for name, value := range s.params {
		parameters[name] = cellOf(value)
	}
	return &pattern.Explanation{Cypher: s.text.String(), Parameters: parameters, Plan: operatorOf(plan)}, nil
}

func operatorOf(plan bolt.Plan) pattern.Operator {
	o := pattern.Operator{Name: plan.Operator, Details: plan.Details, EstimatedRows: plan.Rows, Children: []pattern.Operator{}}
	for _, child := range plan.Children {
		o.Children = append(o.Children, operatorOf(child))
	}
	return o
}

// The parts of a record of match_entities.
const (
	nodePart = 0
	edgePart = 1
)

// read runs the statement of a question and reads its page.
func (ms *Matches) read(ctx context.Context, s *matchStatement) (*answer.Answer, error) {
	m, err := ms.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return nil, err
	}
	r := &matchReader{Matches: ms, statement: s, managed: m}
	more, err := ms.sizes.ReadBounded(ctx, ms.client, s.text, s.params, r.maxBytes(), neo4jentity.BoundedRun{
		Begin: r.begin, IsFull: func() bool { return r.rows == s.q.Limit },
		Each: func(row *bolt.Record, _ int64) (bool, error) { return r.take(ctx, row) },
	})
	if err != nil {
		return nil, err
	}
	found := r.builder.Answer()
	found.Meta.Page = &answer.Page{Limit: int64(s.q.Limit), Offset: int64(s.q.Offset), HasMore: more || r.cut}
	return found, nil
}

// matchReader reads the records of one question.
type matchReader struct {
	*Matches
	statement *matchStatement
	managed   *neo4jentity.ManagedTypes

	builder *answer.Builder
	cells   map[string]answer.Cell // of the nodes and edges that were read, by element id; absent if the user does not see it
	nodes   []graph.Node           // read since the last row
	edges   []graph.Edge
	rows    int
	cut     bool // the answer has no room for a row
}

// maxBytes is what the question allows, at most what a page may have.
func (r *matchReader) maxBytes() int64 {
	return min(cmp.Or(r.statement.q.MaxBytes, r.config.MaxPageBytes), r.config.MaxPageBytes)
}

// begin forgets what an earlier run has read.
func (r *matchReader) begin() {
	q := r.statement.q
	r.builder = answer.NewBuilder(q.ColumnNames(), answer.Limits{Rows: q.Limit, Bytes: r.maxBytes(), MinRows: 1})
	r.cells, r.nodes, r.edges = map[string]answer.Cell{}, nil, nil
	r.rows, r.cut = 0, false
}

// take reads one record; false if no more are wanted.
func (r *matchReader) take(ctx context.Context, record *bolt.Record) (more bool, err error) {
	if !r.statement.entities {
		return r.row(ctx, bolt.Column[[]any](record, "cells"))
	}
	row := bolt.Column[[]any](record, "row")
	switch bolt.Column[int64](record, "part") {
	case nodePart:
		return true, r.node(ctx, neo4jentity.ElementOf(graph.NodeKind, row))
	case edgePart:
		return true, r.edge(ctx, neo4jentity.ElementOf(graph.EdgeKind, row))
	default:
		return r.row(ctx, row)
	}
}

func (r *matchReader) node(ctx context.Context, e *neo4jentity.Record) error {
	if slices.ContainsFunc(e.Names, graph.Reserved) { // it became internal while the statement ran
		return nil
	}
	n, err := r.reads.DecodeNode(ctx, r.managed, e)
	if err == nil && neo4jview.ShowNode(ctx, &n) {
		r.nodes, r.cells[e.ElementID] = append(r.nodes, n), answer.NodeID(n.ID)
	}
	return err
}

func (r *matchReader) edge(ctx context.Context, e *neo4jentity.Record) error {
	edge, err := r.reads.DecodeEdge(ctx, r.managed, e)
	if err == nil && neo4jview.ShowEdge(ctx, &edge) {
		r.edges, r.cells[e.ElementID] = append(r.edges, edge), answer.EdgeID(edge.ID)
	}
	return err
}

// row adds a row to the answer; false if it has no room. A row with an entity that the user does not see is left out; the statement
// returns none.
func (r *matchReader) row(ctx context.Context, values []any) (more bool, err error) {
	row := make(answer.Row, len(values))
	for i, value := range values {
		if !r.statement.isEntity[i] {
			if row[i], err = (&AnswerRows{}).cell(ctx, value); err != nil {
				return false, err
			}
			continue
		}
		cell, seen := r.cells[bolt.AsText(value)]
		if !seen {
			return true, nil
		}
		row[i] = cell
	}
	added := r.builder.Add(row, r.nodes, r.edges)
	r.nodes, r.edges = nil, nil
	r.rows++
	r.cut = !added
	return added, nil
}

// cellOf shows a parameter of a statement.
func cellOf(value any) answer.Cell {
	switch value := value.(type) {
	case map[string]any:
		converted := answer.Map{}
		for key, each := range value {
			converted[key] = cellOf(each)
		}
		return converted
	case []string:
		list := make([]answer.Cell, len(value))
		for i, each := range value {
			list[i] = each
		}
		return list
	}
	return bolt.FromDriver(value)
}
