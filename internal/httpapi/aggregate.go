package httpapi

import (
	"net/http"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// aggregateNodes answers GET /api/aggregate/nodes.
//
//	@Summary		Aggregate nodes
//	@Description	Counts the nodes that GET /api/nodes lists with the same type and filter, in groups by the value of a property, and computes
//	@Description	the number, sum, mean, minimum and maximum of other properties in each group. Without group_by there is one group. bin
//	@Description	puts numbers into intervals of a width, or dates and date-times into units of time: a group then has the bounds value
//	@Description	(inside) and until (outside). Groups are ordered by count, the largest first; with bin by value. value is null for nodes
//	@Description	without the property, or with a value that no bin holds. truncated means that there are more groups than limit. All nodes
//	@Description	of the list are read once, within the timeout for queries (504).
//	@Tags			Nodes
//	@Param			type		query		string	false	"Only nodes that have this type"	example(Person)
//	@Param			group_by	query		string	false	"The property that groups; a text counts by its first 256 characters"	example(born)
//	@Param			bin			query		string	false	"A width such as 10, or year, quarter, month, week, day or hour"	example(10)
//	@Param			measure		query		string	false	"Up to 8 properties to compute, as comma-separated names or a JSON array"	example(born)
//	@Param			limit		query		int		false	"Maximum number of groups"	minimum(1)	maximum(1000)	default(100)
//	@Success		200			{object}	Answer[Aggregate]
//	@Router			/api/aggregate/nodes [get]
func (a *API) aggregateNodes(c *call) error {
	q := graph.NodeAggregateQuery{Type: c.readTypeName("type"), Filter: c.readFilter(), Aggregation: c.readAggregation()}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Aggregator.AggregateNodes(c.ctx(), q)
	if err != nil {
		return err
	}
	c.sendAggregate(&found, q.Aggregation)
	return nil
}

// aggregateEdges answers GET /api/aggregate/edges.
//
//	@Summary		Aggregate edges
//	@Description	Counts the edges that GET /api/edges lists with the same type, ends and filter, in groups: see GET /api/aggregate/nodes.
//	@Tags			Edges
//	@Param			type		query		string	false	"Only edges of this type"	example(ACTED_IN)
//	@Param			source_id	query		string	false	"Only edges that start at this node"
//	@Param			target_id	query		string	false	"Only edges that point to this node"
//	@Param			node_id		query		string	false	"Only edges with this node at either end"
//	@Param			group_by	query		string	false	"The property that groups; a text counts by its first 256 characters"
//	@Param			bin			query		string	false	"A width such as 10, or year, quarter, month, week, day or hour"	example(year)
//	@Param			measure		query		string	false	"Up to 8 properties to compute, as comma-separated names or a JSON array"
//	@Param			limit		query		int		false	"Maximum number of groups"	minimum(1)	maximum(1000)	default(100)
//	@Success		200			{object}	Answer[Aggregate]
//	@Router			/api/aggregate/edges [get]
func (a *API) aggregateEdges(c *call) error {
	q := graph.EdgeAggregateQuery{
		Type: c.readTypeName("type"), SourceID: c.readIdentifier("source_id"), TargetID: c.readIdentifier("target_id"),
		NodeID: c.readIdentifier("node_id"), Filter: c.readEdgeFilter(), Aggregation: c.readEdgeAggregation(),
	}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Aggregator.AggregateEdges(c.ctx(), q)
	if err != nil {
		return err
	}
	c.sendAggregate(&found, q.Aggregation)
	return nil
}

// readAggregation reads group_by, bin, measure and limit.
func (c *call) readAggregation() graph.Aggregation {
	a := graph.Aggregation{Limit: int(c.readInteger("limit", graph.DefaultGroups, 1, graph.MaxGroups))}
	text, grouped := c.query.get("group_by")
	if grouped && text == "" {
		c.invalid("group_by", "must name a property")
	}
	a.GroupBy = text
	if text, given := c.query.get("bin"); given {
		bin, f := graph.ParseBin("bin", text)
		c.addProblem(f)
		a.Bin = bin
		if !grouped {
			c.invalid("bin", "must be used together with group_by")
		}
	}
	if text, given := c.query.get("measure"); given {
		names, f := graph.ParseNames("measure", text, graph.MaxMeasures)
		c.addProblem(f)
		a.Measures = names
	}
	return a
}

// readEdgeAggregation is readAggregation with the names of filters of edges. The ends' properties neither group nor are measured.
func (c *call) readEdgeAggregation() graph.Aggregation {
	a := c.readAggregation()
	own := func(field string, name *string) {
		var f *fault.Error
		*name, f = graph.ParseOwnProperty(field, *name)
		c.addProblem(f)
	}
	if a.GroupBy != "" {
		own("group_by", &a.GroupBy)
	}
	for i := range a.Measures {
		own("measure", &a.Measures[i])
	}
	return a
}

func (c *call) sendAggregate(found *graph.Aggregate, a graph.Aggregation) {
	c.send(http.StatusOK, func(b []byte) []byte {
		b = append(b, `{"groups":[`...)
		for i := range found.Groups {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendGroup(b, &found.Groups[i], a)
		}
		b = append(b, `],"truncated":`...)
		return append(strconv.AppendBool(b, found.Truncated), '}')
	})
}

func appendGroup(b []byte, g *graph.Group, a graph.Aggregation) []byte {
	b = append(b, '{')
	if a.GroupBy != "" {
		b = append(typedjson.AppendValue(append(b, `"value":`...), g.Value), ',')
	}
	if a.Bin.IsSet() {
		b = append(typedjson.AppendValue(append(b, `"until":`...), g.Until), ',')
	}
	b = strconv.AppendInt(append(b, `"count":`...), g.Count, 10)
	b = append(b, `,"measures":{`...)
	for i, m := range g.Measures {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(typedjson.AppendString(b, a.Measures[i]), ':')
		b = appendMeasure(b, m)
	}
	return append(b, "}}"...)
}

func appendMeasure(b []byte, m graph.Measure) []byte {
	b = strconv.AppendInt(append(b, `{"count":`...), m.Count, 10)
	b = strconv.AppendInt(append(b, `,"numbers":`...), m.Numbers, 10)
	for _, member := range []struct {
		name  string
		value graph.Value
	}{{"sum", m.Sum}, {"mean", m.Mean}, {"min", m.Min}, {"max", m.Max}} {
		b = append(append(append(b, `,"`...), member.name...), `":`...)
		b = typedjson.AppendValue(b, member.value)
	}
	return append(b, '}')
}
