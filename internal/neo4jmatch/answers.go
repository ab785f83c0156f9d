package neo4jmatch

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/answer"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// Answers converts the records of questions to the graph, whose columns may contain nodes, edges and paths.
type Answers struct {
	client  *bolt.Client
	texts   *neo4jentity.Texts
	catalog *neo4jentity.TypeCatalog
	decoder *neo4jentity.RecordDecoder
}

// NewAnswers creates what converts the records of questions and queries.
func NewAnswers(core *neo4jentity.Core) *Answers {
	return &Answers{client: core.Client, texts: core.Texts, catalog: core.Catalog, decoder: core.Reads.RecordDecoder}
}

// AnswerRows converts the records of one question.
type AnswerRows struct {
	source  *Answers
	managed *neo4jentity.ManagedTypes
	builder *answer.Builder
	ids     map[string]string  // of the nodes of the answer, by element id
	edgeIDs map[string]string  // of the edges of the answer, by element id
	ends    map[string]endsIDs // of the edges of the answer, by id
	nodes   []graph.Node       // of the row that is being converted
	edges   []graph.Edge
}

// endsIDs are the element ids of an edge's ends.
type endsIDs struct{ source, target string }

// Begin starts an answer.
func (a *Answers) Begin(ctx context.Context, columns []string, limits answer.Limits) (*AnswerRows, error) {
	managed, err := a.catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return nil, err
	}
	return &AnswerRows{
		source: a, managed: managed, builder: answer.NewBuilder(columns, limits),
		ids: map[string]string{}, edgeIDs: map[string]string{}, ends: map[string]endsIDs{},
	}, nil
}

// Add adds a record's values in the order of the columns. It takes their bytes of the budget of the context. False: the answer is full,
// and no further record is needed.
func (r *AnswerRows) Add(ctx context.Context, values []any) (more bool, err error) {
	if err := graph.TakeBytes(ctx, bolt.SizeOfRow(values)); err != nil {
		return false, err
	}
	r.nodes, r.edges = nil, nil
	row := make(answer.Row, len(values))
	for i, v := range values {
		if row[i], err = r.cell(ctx, v); err != nil {
			return false, err
		}
	}
	return r.builder.Add(row, r.nodes, r.edges), nil
}

// Finish returns the answer, after reading the ids of the ends of its edges that are not among its nodes.
func (r *AnswerRows) Finish(ctx context.Context) (*answer.Answer, error) {
	a := r.builder.Answer()
	if err := r.readEnds(ctx, a.Edges); err != nil {
		return nil, err
	}
	for i := range a.Edges {
		e := &a.Edges[i]
		ends := r.ends[e.ID]
		e.SourceID, e.TargetID = r.endID(ends.source), r.endID(ends.target)
	}
	return a, nil
}

// endID is the id of a node by its element id, which is the id of one that was deleted since.
func (r *AnswerRows) endID(element string) string {
	if id, known := r.ids[element]; known {
		return id
	}
	return element
}

// answerEndsPerStatement is how many ends one statement reads.
const answerEndsPerStatement = 5000

func (r *AnswerRows) readEnds(ctx context.Context, found []graph.Edge) error {
	wanted := map[string]bool{}
	for i := range found {
		for _, element := range []string{r.ends[found[i].ID].source, r.ends[found[i].ID].target} {
			if _, known := r.ids[element]; !known {
				wanted[element] = true
			}
		}
	}
	elements := make([]string, 0, len(wanted))
	for element := range wanted {
		elements = append(elements, element)
	}
	slices.Sort(elements)
	for some := range slices.Chunk(elements, answerEndsPerStatement) {
		text := cypher.EndIDs.Text(cypher.Slots{"id": r.source.texts.IDName})
		records, err := r.source.client.Read(ctx, text, map[string]any{"elements": some})
		if err != nil {
			return bolt.Translate(err)
		}
		for _, record := range records {
			end := neo4jentity.EdgeEnd{ElementID: bolt.Column[string](record, "element"), Labels: bolt.Column[[]any](record, "labels")}
			end.Own, _ = record.Get("own")
			r.ids[end.ElementID] = r.managed.EndID(end)
		}
	}
	return nil
}

// cell converts a value of the driver. An entity that is internal or that the user does not see is null, and so is a path with one.
func (r *AnswerRows) cell(ctx context.Context, v any) (answer.Cell, error) {
	switch v := v.(type) {
	case bolt.Node:
		id, err := r.node(ctx, v)
		return cellUnlessEmpty(answer.NodeID(id)), err
	case bolt.Relationship:
		id, err := r.edge(ctx, v)
		return cellUnlessEmpty(answer.EdgeID(id)), err
	case bolt.Path:
		return r.path(ctx, v)
	case []any:
		list := make([]answer.Cell, len(v))
		for i, e := range v {
			var err error
			if list[i], err = r.cell(ctx, e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		if name, unknown := bolt.OriginalType(v); unknown {
			return answer.Unsupported(name), nil
		}
		m := make(answer.Map, len(v))
		for key, e := range v {
			var err error
			if m[key], err = r.cell(ctx, e); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	converted := bolt.FromDriver(v)
	if bolt.IsUnsupported(converted) { // a date-time in a time zone that Go does not know
		return answer.Unsupported("ZONED DATETIME"), nil
	}
	return converted, nil
}

// cellUnlessEmpty is null for an entity that is not shown.
func cellUnlessEmpty[T answer.NodeID | answer.EdgeID](id T) answer.Cell {
	if id == "" {
		return nil
	}
	return id
}

// path converts a path: its ids in the order in which it was walked.
func (r *AnswerRows) path(ctx context.Context, p bolt.Path) (answer.Cell, error) {
	nodesBefore, edgesBefore := len(r.nodes), len(r.edges)
	ids := make(answer.Path, 0, len(p.Nodes)+len(p.Relationships))
	for i := range p.Nodes {
		if i > 0 {
			id, err := r.edge(ctx, p.Relationships[i-1])
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
		id, err := r.node(ctx, p.Nodes[i])
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if slices.Contains(ids, "") {
		r.forget(nodesBefore, edgesBefore)
		return nil, nil
	}
	return ids, nil
}

// forget removes the nodes and edges that were added to the row beyond the first ones.
func (r *AnswerRows) forget(nodesBefore, edgesBefore int) {
	removed := r.nodes[nodesBefore:]
	maps.DeleteFunc(r.ids, func(_, id string) bool {
		return slices.ContainsFunc(removed, func(n graph.Node) bool { return n.ID == id })
	})
	gone := r.edges[edgesBefore:]
	maps.DeleteFunc(r.edgeIDs, func(_, id string) bool {
		return slices.ContainsFunc(gone, func(e graph.Edge) bool { return e.ID == id })
	})
	r.nodes, r.edges = r.nodes[:nodesBefore], r.edges[:edgesBefore]
}

// node returns the id of a node, and adds it to the row unless the answer has it. It is empty for one that is not shown.
func (r *AnswerRows) node(ctx context.Context, v bolt.Node) (string, error) {
	if id, known := r.ids[v.ElementId]; known {
		return id, nil // the driver's copies of one node may share their properties, which the first conversion has changed
	}
	if slices.ContainsFunc(v.Labels, graph.Reserved) {
		return "", nil
	}
	found := neo4jentity.Record{ElementID: v.ElementId, Names: v.Labels, Properties: v.Props}
	n, err := r.source.decoder.DecodeNode(ctx, r.managed, &found)
	if err != nil || !neo4jview.ShowNode(ctx, &n) {
		return "", bolt.Translate(err)
	}
	r.ids[v.ElementId] = n.ID
	r.nodes = append(r.nodes, n)
	return n.ID, nil
}

// edge is node for an edge, whose ends Finish adds.
func (r *AnswerRows) edge(ctx context.Context, v bolt.Relationship) (string, error) {
	if id, known := r.edgeIDs[v.ElementId]; known {
		return id, nil
	}
	if graph.Reserved(v.Type) {
		return "", nil
	}
	found := neo4jentity.Record{ElementID: v.ElementId, Names: []string{v.Type}, Properties: v.Props}
	id, properties, err := r.source.decoder.ToDomain(ctx, r.managed, graph.EdgeKind, &found)
	if err != nil {
		return "", bolt.Translate(err)
	}
	e := graph.Edge{ID: id, Type: v.Type, SourceID: v.StartElementId, TargetID: v.EndElementId, Properties: properties}
	if !neo4jview.ShowEdge(ctx, &e) {
		return "", nil
	}
	r.edgeIDs[v.ElementId] = id
	r.ends[id] = endsIDs{source: v.StartElementId, target: v.EndElementId}
	r.edges = append(r.edges, e)
	return id, nil
}
