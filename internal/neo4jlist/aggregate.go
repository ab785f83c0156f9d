package neo4jlist

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// Aggregates counts and measures what lists read. It is safe for concurrent use.
type Aggregates struct {
	client     *bolt.Client
	texts      *neo4jentity.Texts
	elements   *neo4jentity.ElementReader
	exclusions *neo4jentity.ExclusionCache
	timeouts   *neo4jentity.TimeoutExplainer
	counts     *neo4jschema.Counts
	names      *neo4jschema.Names
	filters    *filterBuilder
	ends       *endResolver
	equal      bolt.SharedReads[graph.Aggregate] // that requests for the same share
}

var _ graph.Aggregator = (*Aggregates)(nil)

// NewAggregates creates the aggregates of lists.
func (ls *Lists) NewAggregates() *Aggregates {
	ag := &Aggregates{
		client: ls.core.Client, texts: ls.core.Texts, elements: ls.core.Elements, exclusions: ls.core.Exclusions, timeouts: ls.core.Timeouts,
		counts: ls.core.Schema.Counts, names: ls.core.Schema.Names, filters: ls.sources.filters, ends: ls.sources.ends,
	}
	ag.equal.Off = ls.core.Config.Uncoalesced
	return ag
}

// AggregateNodes aggregates nodes: see graph.Aggregator.
func (ag *Aggregates) AggregateNodes(ctx context.Context, q graph.NodeAggregateQuery) (graph.Aggregate, error) {
	f, err := ag.filters.buildFilter(ctx, graph.NodeKind, q.Filter)
	if err != nil {
		return graph.Aggregate{}, err
	}
	return neo4jentity.ReadShared(ctx, &ag.equal, nodeAggregateKey(q), ownAggregate, func(ctx context.Context) (graph.Aggregate, error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		found, err := ag.aggregateNodes(ctx, q, f)
		slow := neo4jentity.SlowList{Kind: graph.NodeKind, Type: q.Type, Filter: q.Filter, Aggregate: true}
		return found, ag.timeouts.ExplainListTimeout(ctx, recorder, slow, f.AttributeError(err))
	})
}

func (ag *Aggregates) aggregateNodes(ctx context.Context, q graph.NodeAggregateQuery, f Filter) (graph.Aggregate, error) {
	label, none := f.View.AnyOf(cypher.AnyOrNone)
	if q.Type != "" && !none {
		label = cypher.Quote(string(q.Type))
		mayHave, err := ag.mayHaveVisible(ctx, string(q.Type), f.View)
		if err != nil {
			return graph.Aggregate{}, err
		}
		none = !mayHave
	}
	if none {
		return emptyAggregate(q.Aggregation), nil
	}
	slots := cypher.Slots{"of": cypher.OfLabels(label), "where": f.where(string(q.Type))}
	return ag.aggregate(ctx, cypher.AggregateNodes, slots, q.Type, q.Aggregation, f, map[string]any{})
}

// mayHaveVisible reports whether the user may see a node of a type: it is in use, and named by a grant or that of nodes with a label of
// one.
func (ag *Aggregates) mayHaveVisible(ctx context.Context, label string, view neo4jview.Predicate) (bool, error) {
	used, err := ag.exclusions.TypeInUse(ctx, graph.NodeKind, label)
	seen, all := view.Names()
	if err != nil || !used || all || len(seen) > maxTogether || slices.Contains(seen, label) {
		return used, err
	}
	return hasNodeWithBothLabels(ctx, ag.client, label, seen)
}

// AggregateEdges aggregates edges: see graph.Aggregator.
func (ag *Aggregates) AggregateEdges(ctx context.Context, q graph.EdgeAggregateQuery) (graph.Aggregate, error) {
	f, err := ag.filters.buildFilter(ctx, graph.EdgeKind, q.Filter)
	if err != nil {
		return graph.Aggregate{}, err
	}
	return neo4jentity.ReadShared(ctx, &ag.equal, edgeAggregateKey(q), ownAggregate, func(ctx context.Context) (graph.Aggregate, error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		found, err := ag.aggregateEdges(ctx, q, f)
		ofNode := q.SourceID != "" || q.TargetID != "" || q.NodeID != ""
		slow := neo4jentity.SlowList{Kind: graph.EdgeKind, Type: q.Type, Filter: q.Filter, Aggregate: true, Node: ofNode}
		return found, ag.timeouts.ExplainListTimeout(ctx, recorder, slow, f.AttributeError(err))
	})
}

func (ag *Aggregates) aggregateEdges(ctx context.Context, q graph.EdgeAggregateQuery, f Filter) (graph.Aggregate, error) {
	ends, err := ag.ends.resolveEnds(ctx, graph.EdgeQuery{SourceID: q.SourceID, TargetID: q.TargetID, NodeID: q.NodeID})
	types, none := f.View.AnyOf(cypher.Any)
	if err != nil || ends.none || none || q.Type != "" && len(f.View.NamesOf([]string{string(q.Type)})) == 0 {
		return emptyAggregate(q.Aggregation), err
	}
	if q.Type != "" {
		used, err := ag.exclusions.TypeInUse(ctx, graph.EdgeKind, string(q.Type))
		if err != nil || !used {
			return emptyAggregate(q.Aggregation), err
		}
		types = cypher.Quote(string(q.Type))
	}
	if !ends.hasNodes() {
		if f, err = ag.filters.withEnds(ctx, f, q.Type); err != nil {
			return graph.Aggregate{}, err
		}
		slots := cypher.Slots{"types": types, "where": f.where(string(q.Type))}
		return ag.aggregate(ctx, cypher.AggregateEdges, slots, q.Type, q.Aggregation, f, map[string]any{"types_visible": q.Type != ""})
	}
	slots := cypher.Slots{"type": types, "id": ag.texts.IDName, "where": f.whereByParameters()}
	maps.Copy(slots, ends.expansionDirection())
	return ag.aggregate(ctx, cypher.AggregateEdgesAround, slots, "", q.Aggregation, f, ends.expansionParams())
}

// expansionDirection is the direction in which the edges of the ends are found by an expansion, also of edges between two nodes.
func (e endpointFilter) expansionDirection() cypher.Slots {
	if e.source != nil {
		return cypher.EdgesOut()
	}
	return e.direction()
}

func (e endpointFilter) expansionParams() map[string]any {
	_, _, params := e.statements()
	if e.source != nil && e.target != nil {
		params = e.source.Params()
		params["target"] = e.target.ElementID
		return params
	}
	params["target"] = nil
	return params
}

// aggregate runs a statement whose other slots are filled.
func (ag *Aggregates) aggregate(
	ctx context.Context, statement cypher.Statement, slots cypher.Slots, typ graph.TypeName, a graph.Aggregation, f Filter,
	params map[string]any,
) (graph.Aggregate, error) {
	propertySlots, keys := ag.aggregationSlots(a, typ, f)
	maps.Copy(slots, propertySlots)
	params["aggregate"], params["limit"] = keys, a.Limit+1
	rows, full, err := ag.elements.ReadPage(ctx, statement.Text(slots), f.AddParams(params))
	if err != nil {
		return graph.Aggregate{}, err
	}
	if len(rows) == 0 {
		return emptyAggregate(a), nil
	}
	found := graph.Aggregate{Groups: make([]graph.Group, 0, len(rows)), Truncated: full || len(rows) > a.Limit}
	for _, row := range rows[:min(len(rows), a.Limit)] {
		found.Groups = append(found.Groups, groupOf(row, a))
	}
	return found, nil
}

// emptyAggregate is the aggregate of no entities: one group if there is no property that groups.
func emptyAggregate(a graph.Aggregation) graph.Aggregate {
	if a.GroupBy != "" {
		return graph.Aggregate{Groups: []graph.Group{}}
	}
	return graph.Aggregate{Groups: []graph.Group{{Measures: make([]graph.Measure, len(a.Measures))}}}
}

// aggregationSlots are the slots and the parameters of the properties. A property is named in the text if a separate plan is worthwhile,
// see filter.where, unless it may be a literal: see neo4jview.MayBeLiteral.
func (ag *Aggregates) aggregationSlots(a graph.Aggregation, typ graph.TypeName, f Filter) (cypher.Slots, map[string]any) {
	k := graph.NodeKind
	if f.variable == cypher.EdgeVariable {
		k = graph.EdgeKind
	}
	named := namesKeys(ag.counts.Known().Of(k), string(typ), f.View)
	params := map[string]any{"bin": binParam(a.Bin), "days": daysParam(a.Bin)}
	property := func(position int, name string) cypher.Aggregated {
		params["k"+strconv.Itoa(position)] = name
		read := cypher.Aggregated{Shown: f.View.Shown("", string(typ), name)}
		if named && !neo4jview.MayBeLiteral(f.View, f.Conditions, name) && ag.names.KnownKeys(graph.Filter{{Property: name}})[name] {
			read.Key = cypher.Quote(name)
		}
		return read
	}
	var group *cypher.Aggregated
	if a.GroupBy != "" {
		by := property(0, a.GroupBy)
		group = &by
	}
	measures := make([]cypher.Aggregated, len(a.Measures))
	for i, name := range a.Measures {
		measures[i] = property(i+1, name)
	}
	return cypher.Aggregation(f.variable, group, binningOf(a.Bin), measures), params
}

func binningOf(b graph.Bin) cypher.Binning {
	_, whole := b.Width.(int64)
	switch {
	case whole:
		return cypher.ByWholeWidth
	case b.Width != nil:
		return cypher.ByWidth
	case b.Unit != "":
		return cypher.ByUnit
	default:
		return cypher.ByValue
	}
}

func binParam(b graph.Bin) any {
	if b.Unit != "" {
		return b.Unit
	}
	return b.Width
}

// daysParam is the unit for dates, which have no hours.
func daysParam(b graph.Bin) any {
	if b.Unit == "hour" {
		return "day"
	}
	return b.Unit
}

func groupOf(row *bolt.Record, a graph.Aggregation) graph.Group {
	value, _ := row.Get("value")
	g := graph.Group{
		Value: bolt.FromDriver(value), Count: bolt.Column[int64](row, "entities"), Measures: make([]graph.Measure, len(a.Measures)),
	}
	if index, isIndex := g.Value.(int64); isIndex && a.Bin.Width != nil {
		g.Value, g.Until = a.Bin.Bounds(index)
	} else if a.Bin.Unit != "" {
		g.Until = a.Bin.Next(g.Value)
	}
	for i, list := range bolt.Column[[]any](row, "measures") {
		g.Measures[i] = measureOf(list.([]any))
	}
	return g
}

// measureOf converts a list of cypher.Aggregation.
func measureOf(list []any) graph.Measure {
	number := func(i int) int64 { n, _ := list[i].(int64); return n }
	integers, floats := number(1), number(2)
	m := graph.Measure{Count: number(0), Numbers: integers + floats, Min: bolt.FromDriver(list[10]), Max: bolt.FromDriver(list[11])}
	if m.Numbers == 0 {
		return m
	}
	m.Min = slices.MinFunc(present(list[6], list[8]), compareNumbers)
	m.Max = slices.MaxFunc(present(list[7], list[9]), compareNumbers)
	exact := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(number(3)), 32), big.NewInt(number(4)))
	total, _ := new(big.Float).SetInt(exact).Float64()
	sum, _ := list[5].(float64)
	if m.Sum = total + sum; floats == 0 && exact.IsInt64() {
		m.Sum = exact.Int64()
	}
	m.Mean = (total + sum) / float64(m.Numbers)
	return m
}

func present(values ...any) []any {
	return slices.DeleteFunc(values, func(v any) bool { return v == nil })
}

// compareNumbers compares integers and floats, none of them NaN, by their exact value.
func compareNumbers(a, b any) int {
	return numberOf(a).Cmp(numberOf(b))
}

func numberOf(v any) *big.Float {
	switch v := v.(type) {
	case int64:
		return new(big.Float).SetInt64(v)
	case float64:
		return new(big.Float).SetFloat64(v)
	default:
		return new(big.Float)
	}
}
