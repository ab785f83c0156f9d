package httpapi_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func (c *client) AggregateNodes(ctx context.Context, q graph.NodeAggregateQuery) (graph.Aggregate, error) {
	query := url.Values{}
	if q.Type != "" {
		query.Set("type", string(q.Type))
	}
	addFilterAndSort(query, q.Filter, nil)
	return c.aggregate(ctx, "/api/aggregate/nodes", query, q.Aggregation)
}

func (c *client) AggregateEdges(ctx context.Context, q graph.EdgeAggregateQuery) (graph.Aggregate, error) {
	query := url.Values{}
	for name, value := range map[string]string{"type": string(q.Type), "source_id": q.SourceID, "target_id": q.TargetID, "node_id": q.NodeID} {
		if value != "" {
			query.Set(name, value)
		}
	}
	addEdgeFilterAndSort(query, q.Filter, nil)
	return c.aggregate(ctx, "/api/aggregate/edges", query, q.Aggregation)
}

func (c *client) aggregate(ctx context.Context, path string, query url.Values, a graph.Aggregation) (graph.Aggregate, error) {
	query.Set("limit", strconv.Itoa(a.Limit))
	if a.GroupBy != "" {
		query.Set("group_by", a.GroupBy)
	}
	switch {
	case a.Bin.Unit != "":
		query.Set("bin", a.Bin.Unit)
	case a.Bin.Width != nil:
		query.Set("bin", string(typedjson.AppendValue(nil, a.Bin.Width)))
	}
	if a.Measures != nil {
		names := make([]string, len(a.Measures))
		for i, name := range a.Measures {
			names[i] = quote(name)
		}
		query.Set("measure", "["+strings.Join(names, ",")+"]")
	}
	answered, err := c.do(ctx, request{method: "GET", path: path, query: query})
	if err != nil {
		return graph.Aggregate{}, err
	}
	return aggregateOf(answered.Data, a)
}

// aggregateOf decodes an aggregate: its values as the properties of an entity.
func aggregateOf(data []byte, a graph.Aggregation) (graph.Aggregate, error) {
	var d struct {
		Groups []struct {
			Value, Until json.RawMessage
			Count        int64
			Measures     map[string]json.RawMessage
		}
		Truncated bool
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return graph.Aggregate{}, err
	}
	found := graph.Aggregate{Groups: []graph.Group{}, Truncated: d.Truncated}
	for _, group := range d.Groups {
		bounds, err := valuesOf(map[string]json.RawMessage{"value": group.Value, "until": group.Until})
		if err != nil {
			return found, err
		}
		out := graph.Group{Value: bounds["value"], Until: bounds["until"], Count: group.Count, Measures: []graph.Measure{}}
		for _, name := range a.Measures {
			members := map[string]json.RawMessage{}
			if err := json.Unmarshal(group.Measures[name], &members); err != nil {
				return found, err
			}
			m, err := valuesOf(members)
			if err != nil {
				return found, err
			}
			count, _ := m["count"].(int64)
			numbers, _ := m["numbers"].(int64)
			out.Measures = append(out.Measures, graph.Measure{
				Count: count, Numbers: numbers, Sum: m["sum"], Mean: m["mean"], Min: m["min"], Max: m["max"],
			})
		}
		found.Groups = append(found.Groups, out)
	}
	return found, nil
}

// valuesOf decodes typed values; an absent one is nil.
func valuesOf(members map[string]json.RawMessage) (graph.Properties, error) {
	for name, raw := range members {
		if len(raw) == 0 {
			delete(members, name)
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	p, faults := typedjson.DecodeProperties("values", text)
	return p, fault.Merge(faults...)
}
