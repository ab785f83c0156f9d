package httpapi

import (
	"cmp"
	"net/http"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// maxExportTypes is the maximum number of types in an export's filter.
const maxExportTypes = 256

// exportGraph answers GET /api/export.
//
//	@Summary		Export the graph
//	@Description	A stream of lines, each a JSON object (NDJSON): first {"kind":"types"} with the node types in the order in which the database
//	@Description	reports them, then {"kind":"node"} with the members of a node, then {"kind":"edge"} with the members of an edge, and finally
//	@Description	{"kind":"end","nodes":n,"edges":m}. A stream without that last line is incomplete; if the service knows the reason, the last line is
//	@Description	{"kind":"error"} with the member error. The lines can be imported unchanged. Concurrent changes may or may not be included.
//	@Description	It ends within a second after the user's rights end, with the code that a request would get. A user may have one export in
//	@Description	progress (GRAPHREST_STREAMS_PER_USER).
//	@Tags			Whole graphs
//	@Produce		application/x-ndjson
//	@Param			node_type	query		string	false	"Only nodes of these types, and edges between them: comma-separated names, or a JSON array of names"	example(Person,City)
//	@Param			edge_type	query		string	false	"Only edges of these types, in the same form"	example(KNOWS)
//	@Success		200			{string}	string	"The lines"
//	@Failure		429			"RATE_LIMITED, also while another export of the user is in progress"
//	@Failure		503			"DATABASE_UNAVAILABLE, also while there are too many imports and exports"
//	@Router			/api/export [get]
func (a *API) exportGraph(c *call) error {
	q := graph.ExportQuery{NodeTypes: c.readTypeNames("node_type"), EdgeTypes: c.readTypeNames("edge_type")}
	if err := c.validate(); err != nil {
		return err
	}
	st, err := a.streams.open(c)
	if err != nil {
		return err
	}
	defer st.end()
	if c.gin.Request.Method == http.MethodHead {
		st.setHeader() // sent when this returns, so that the client's next export finds the stream ended
		return nil
	}
	e := exportRun{stream: st}
	err = a.options.Bulk.Export(st.ctx, q, graph.Receiver{Types: e.types, Node: e.node, Edge: e.edge})
	if err == nil {
		err = st.confirmBuffer()
	}
	if err != nil {
		return e.fail(cmp.Or(st.endReason(), err))
	}
	st.writeLastLine(e.appendEnd)
	return nil
}

// readTypeNames reads a parameter that names types; none if it is absent.
func (c *call) readTypeNames(parameter string) []graph.TypeName {
	text, given := c.query.get(parameter)
	if !given {
		return nil
	}
	names, f := graph.ParseNames(parameter, text, maxExportTypes)
	c.addProblem(f)
	types := make([]graph.TypeName, 0, len(names))
	for _, name := range names {
		t, f := graph.ParseTypeName(parameter, name)
		c.addProblem(f)
		types = append(types, t)
	}
	return types
}

// exportRun is one export in progress.
type exportRun struct {
	stream       *stream
	nodes, edges int64
}

func (e *exportRun) types(labels []string) error {
	return e.stream.writeData(func(b []byte) []byte {
		b = append(b, `{"kind":"types","labels":[`...)
		for i, label := range labels {
			if i > 0 {
				b = append(b, ',')
			}
			b = typedjson.AppendString(b, label)
		}
		return append(b, "]}"...)
	})
}

func (e *exportRun) node(n *graph.Node) error {
	e.nodes++
	return e.entity(`{"kind":"node",`, func(b []byte) []byte { return typedjson.AppendNode(b, n) })
}

func (e *exportRun) edge(edge *graph.Edge) error {
	e.edges++
	return e.entity(`{"kind":"edge",`, func(b []byte) []byte { return typedjson.AppendEdge(b, edge) })
}

// entity writes an entity's JSON with its kind as the first member.
func (e *exportRun) entity(kind string, one appender) error {
	if err := e.stream.endReason(); err != nil {
		return err
	}
	return e.stream.writeData(func(b []byte) []byte {
		begin := len(b) + len(kind) - 1 // position of the entity's opening brace
		b = append(b, kind[:len(kind)-1]...)
		b = one(b)
		b[begin] = ','
		return b
	})
}

func (e *exportRun) appendEnd(b []byte) []byte {
	b = append(b, `{"kind":"end","nodes":`...)
	b = strconv.AppendInt(b, e.nodes, 10)
	b = append(b, `,"edges":`...)
	b = strconv.AppendInt(b, e.edges, 10)
	return append(b, '}')
}

// fail ends a failed export: with a normal error response if nothing was sent, else with a line of kind error.
func (e *exportRun) fail(err error) error {
	if !e.stream.hasStarted() && e.stream.c.ctx().Err() == nil {
		return err
	}
	if rightsLost(err) {
		e.stream.discard()
	}
	f := e.stream.logFault(err)
	e.stream.writeLastLine(func(b []byte) []byte { return append(append(b, `{"kind":"error",`...), encodeErrorMember(f)...) })
	return nil
}

// encodeErrorMember returns "error":{...}}, the end of an object.
func encodeErrorMember(f *fault.Error) []byte {
	body := errorBody(f)
	return body[1 : len(body)-1]
}
