package httpapi

import (
	"net/http"
	"slices"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// getDegree answers GET /api/nodes/{node_id}/degree.
//
//	@Summary		Count a node's edges
//	@Description	By edge type, direction, and the type of the node at the other end. An edge from the node to itself counts in both directions, and
//	@Description	once in total.
//	@Tags			Nodes
//	@Param			node_id	path		string	true	"Id of the node"
//	@Success		200		{object}	Answer[Degree]
//	@Router			/api/nodes/{node_id}/degree [get]
func (a *API) getDegree(c *call) error {
	id := c.readPathValue("node_id")
	if err := c.validateWithID("node", id); err != nil {
		return err
	}
	d, err := a.options.Explorer.Degree(c.ctx(), id)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, func(b []byte) []byte { return appendDegree(b, d) })
	return nil
}

func appendDegree(b []byte, d graph.Degree) []byte {
	number := func(name string, n int64) {
		b = append(append(append(b, `,"`...), name...), `":`...)
		b = strconv.AppendInt(b, n, 10)
	}
	b = typedjson.AppendString(append(b, `{"id":`...), d.ID)
	number("total", d.Total)
	number("out", d.Out)
	number("in", d.In)
	b = append(b, `,"counts":[`...)
	for i, each := range d.Counts {
		if i > 0 {
			b = append(b, ',')
		}
		b = typedjson.AppendString(append(b, `{"edge_type":`...), each.EdgeType)
		b = typedjson.AppendString(append(b, `,"direction":`...), string(each.Direction))
		b = append(b, `,"node_type":`...)
		if each.NodeType == "" {
			b = append(b, "null"...)
		} else {
			b = typedjson.AppendString(b, each.NodeType)
		}
		number("count", each.Count)
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

// getNeighbors answers GET /api/nodes/{node_id}/neighbors.
//
//	@Summary		Find the nodes around a node
//	@Description	Returns the nodes within depth edges, the requested node first, and the edges that lead to them. Only edges
//	@Description	of edge_type in the direction, and only nodes of node_type, are traversed. truncated means that limit, max_degree or the size of
//	@Description	the entities left something out.
//	@Tags			Nodes
//	@Param			node_id		path		string	true	"Id of the node"
//	@Param			direction	query		string	false	"As seen from the nearer node"	Enums(both, out, in)	default(both)
//	@Param			edge_type	query		string	false	"Only along edges of this type"			example(ACTED_IN)
//	@Param			node_type	query		string	false	"Only to nodes that have this type"		example(Person)
//	@Param			depth		query		int		false	"Maximum distance in edges"					minimum(1)	maximum(3)		default(1)
//	@Param			limit		query		int		false	"Maximum number of nodes"					minimum(1)	maximum(1000)	default(100)
//	@Param			max_degree	query		int		false	"Maximum number of edges followed from one node"	minimum(1)	maximum(10000)	default(1000)
//	@Success		200			{object}	Answer[Graph]
//	@Router			/api/nodes/{node_id}/neighbors [get]
func (a *API) getNeighbors(c *call) error {
	q := graph.NeighborQuery{
		NodeID: c.readPathValue("node_id"), Direction: c.readDirection(),
		EdgeType: c.readTypeName("edge_type"), NodeType: c.readTypeName("node_type"),
		Depth:     int(c.readInteger("depth", 1, 1, graph.MaxDepth)),
		Limit:     int(c.readInteger("limit", graph.DefaultLimit, 1, graph.MaxLimit)),
		MaxDegree: int(c.readInteger("max_degree", graph.DefaultMaxDegree, 1, graph.MaxMaxDegree)),
	}
	if err := c.validateWithID("node", q.NodeID); err != nil {
		return err
	}
	found, err := a.options.Explorer.Neighbors(c.ctx(), q)
	if err != nil {
		return err
	}
	c.sendGraph(&found)
	return nil
}

// readDirection reads the direction of edges; both if it is absent.
func (c *call) readDirection() graph.Direction {
	return graph.Direction(c.readEnum("direction", string(graph.Both), string(graph.Out), string(graph.In)))
}

// findPaths answers GET /api/paths.
//
//	@Summary		Find the shortest paths between two nodes
//	@Description	One shortest path, or with all=true every path of that length (at most 100; truncated means that there are more). Each path is
//	@Description	a list of ids: node, edge, node, and so on. If there is no path, paths is empty.
//	@Tags			Paths
//	@Param			source_id	query		string	true	"Id of the start node"
//	@Param			target_id	query		string	true	"Id of the end node"
//	@Param			edge_type	query		string	false	"Only along edges of this type"	example(ACTED_IN)
//	@Param			direction	query		string	false	"out follows the direction of the edges, in the reverse"	Enums(both, out, in)	default(both)
//	@Param			max_depth	query		int		false	"Maximum length of a path in edges"	minimum(1)	maximum(12)	default(6)
//	@Param			all			query		bool	false	"All shortest paths instead of one"
//	@Success		200			{object}	Answer[Graph]
//	@Failure		404			"NOT_FOUND: the detail names source_id or target_id"
//	@Router			/api/paths [get]
func (a *API) findPaths(c *call) error {
	all := c.readBoolean("all")
	q := graph.PathQuery{
		SourceID: c.readRequiredIdentifier("source_id"), TargetID: c.readRequiredIdentifier("target_id"),
		EdgeType: c.readTypeName("edge_type"), Direction: c.readDirection(),
		MaxDepth: int(c.readInteger("max_depth", graph.DefaultPathDepth, 1, graph.MaxPathDepth)), All: all != nil && *all,
	}
	if err := c.validate(); err != nil {
		return err
	}
	for field, id := range map[string]string{"source_id": q.SourceID, "target_id": q.TargetID} {
		if cannotBeID(id) {
			return fault.New(fault.NotFound, "There is no such node", fault.Detail{Field: field, Message: "is the id of no node"})
		}
	}
	found, err := a.options.Explorer.Paths(c.ctx(), q)
	if err != nil {
		return err
	}
	c.sendGraph(&found)
	return nil
}

// listEdgesAmong answers POST /api/edges/among.
//
//	@Summary		List the edges among nodes
//	@Description	The edges whose both ends are among ids, ordered by type name, then by id: each once, also an edge from a node to itself. Ids that do
//	@Description	not exist are ignored. meta.truncated is true if there are more edges than limit, or if the edges exceed the size of a page; then
//	@Description	which are left out is not defined. Nothing is changed: the request needs the permission read.
//	@Tags			Edges
//	@Param			body	body		AmongBody	true	"The nodes"
//	@Success		200		{object}	AmongAnswer
//	@Failure		409		"CONFLICT: more than one node has one of the ids"
//	@Router			/api/edges/among [post]
func (a *API) listEdgesAmong(c *call) error {
	q := graph.AmongQuery{Limit: graph.DefaultAmong}
	o := c.parseObject()
	if o != nil {
		q.NodeIDs = nodeIDs(o)
		q.Types = edgeTypes(o)
		if limit, given := o.OptionalInteger("limit"); given {
			if limit < 1 || limit > graph.MaxGraphEdges {
				o.Invalid("limit", "must be a whole number from 1 to %d", graph.MaxGraphEdges)
			}
			q.Limit = int(limit)
		}
	}
	if err := c.finish(o); err != nil {
		return err
	}
	q.NodeIDs = slices.DeleteFunc(q.NodeIDs, cannotBeID)
	found, err := a.options.Explorer.Among(c.ctx(), q)
	if err != nil {
		return err
	}
	c.write(http.StatusOK, listData(found.Edges, appendAndRelease(typedjson.AppendEdge)), func(b []byte) []byte {
		return strconv.AppendBool(append(b, `,"truncated":`...), found.Truncated)
	})
	return nil
}

// nodeIDs reads the ids of an AmongQuery.
func nodeIDs(o *typedjson.Object) []string {
	ids := o.Strings("ids")
	if o.Has("ids") && (len(ids) == 0 || len(ids) > graph.MaxAmong) {
		o.Invalid("ids", "must have 1 to %d ids", graph.MaxAmong)
		return nil
	}
	for i, id := range ids {
		if problem := idProblem(id); problem != "" {
			o.Invalid("ids["+strconv.Itoa(i)+"]", "%s", problem)
			return nil
		}
	}
	return ids
}

// edgeTypes reads the types of an AmongQuery; nil for all.
func edgeTypes(o *typedjson.Object) []graph.TypeName {
	if _, given := o.OptionalStrings("types"); !given {
		return nil
	}
	names := distinctNames(o, "types", graph.MaxAmongTypes)
	types := make([]graph.TypeName, 0, len(names))
	for i, name := range names {
		parsed, f := graph.ParseTypeName("types["+strconv.Itoa(i)+"]", name)
		o.Add(f)
		types = append(types, parsed)
	}
	return types
}
