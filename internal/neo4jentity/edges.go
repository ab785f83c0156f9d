package neo4jentity

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// CreateEdge creates an edge between two nodes: see graph.EdgeStore.
func (cr *entityCreator) CreateEdge(ctx context.Context, e graph.NewEdge) (graph.Created[graph.Edge], error) {
	var none graph.Created[graph.Edge]
	// The ends are resolved first: a rejected request must not leave a new type's name behind. For a new type the id cache is not
	// sufficient.
	catalog, err := cr.reads.Catalog.Get(ctx)
	if err != nil {
		return none, err
	}
	if !catalog.Edges.Has(string(e.Type)) {
		cr.reads.IDCaches[0].Drop(e.SourceID)
		cr.reads.IDCaches[0].Drop(e.TargetID)
	}
	var ends [2]Reference
	if err := cr.resolveNewEnds(ctx, e, &ends); err != nil {
		return none, err
	}
	if err := cr.judgeNewEdge(ctx, e); err != nil {
		return none, err
	}
	c, err := cr.prepareCreate(ctx, edges, e.Type, e.Properties, e.Key)
	if err != nil {
		return none, err
	}
	for try := 0; ; try++ {
		c.Source, c.Target = ends[0], ends[1]
		m, err := cr.submitCreate(ctx, edges, c)
		if err != nil {
			return none, bolt.AttributeError(err, edges, cr.config.IDProperty, e.Properties)
		}
		replayed, err := m.replayed(c)
		if err != nil {
			return none, err
		}
		if replayed {
			return cr.replayedEdge(ctx, m.replay)
		}
		if m.source && m.target {
			made := graph.Edge{
				ID: c.ID, Type: string(e.Type), SourceID: ends[0].ID(), TargetID: ends[1].ID(), Properties: graph.Stored(e.Properties),
			}
			return graph.Created[graph.Edge]{Entity: neo4jview.ShowWrittenEdge(ctx, made, neo4jview.SeesNewEnds(ctx))}, nil
		}
		if try > 0 {
			return none, graph.NoSuchEnds(!m.source, !m.target)
		}
		// The cached element id of an end is stale: ask the database.
		cr.reads.IDCaches[0].Drop(e.SourceID)
		cr.reads.IDCaches[0].Drop(e.TargetID)
		if err := cr.resolveNewEnds(ctx, e, &ends); err != nil {
			return none, err
		}
	}
}

// replayedEdge is the outcome of a create that an earlier request with the same Idempotency-Key has made.
func (cr *entityCreator) replayedEdge(ctx context.Context, id string) (graph.Created[graph.Edge], error) {
	edge, err := cr.reads.ReadReplayedEdge(ctx, id)
	return graph.Created[graph.Edge]{Entity: edge, Replayed: true}, replayGone(err)
}

// ReadReplayedEdge reads an edge that an earlier request has written, with what the user may see of it.
func (rd *Reader) ReadReplayedEdge(ctx context.Context, id string) (graph.Edge, error) {
	edge, err := rd.Edge(rules.WithoutView(ctx), id)
	if err == nil && !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		_, hidden := rd.Edge(ctx, id)
		edge = neo4jview.ShowWrittenEdge(ctx, edge, hidden == nil)
	}
	return edge, err
}

// resolveNewEnds resolves both ends of a new edge. The fault names each missing end.
func (cr *entityCreator) resolveNewEnds(ctx context.Context, e graph.NewEdge, ends *[2]Reference) error {
	var missing [2]bool
	for i, id := range []string{e.SourceID, e.TargetID} {
		at, hidden, err := cr.reads.ResolveEnd(ctx, id)
		switch {
		case hidden, fault.CodeOf(err) == fault.NotFound:
			missing[i] = true
		case err != nil:
			return err
		}
		ends[i] = at
	}
	if missing[0] || missing[1] {
		return graph.NoSuchEnds(missing[0], missing[1])
	}
	return nil
}

// UpdateEdge changes an edge's properties: see graph.EdgeStore.
func (up *entityUpdater) UpdateEdge(ctx context.Context, id string, c graph.Change) (graph.Edge, error) {
	m, e, err := up.update(ctx, edges, id, c)
	if err != nil {
		return graph.Edge{}, bolt.AttributeError(err, edges, up.config.IDProperty, c.Properties)
	}
	r, err := up.reads.DecodeEdge(ctx, m, e)
	if err != nil {
		return r, bolt.Translate(err)
	}
	seen, err := up.reads.SeesEnds(ctx, m, e)
	return neo4jview.ShowWrittenEdge(ctx, r, seen && err == nil), nil
}

// DeleteEdge removes an edge: see graph.EdgeStore.
func (de *entityDeleter) DeleteEdge(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	return de.deleteEntity(ctx, edges, id, r)
}

// judgeNewEdge judges a new edge. It reads the ends only if the edge is allowed and its declaration restricts them; no operation of the API
// changes a node's labels.
func (cr *entityCreator) judgeNewEdge(ctx context.Context, e graph.NewEdge) error {
	made := EntityToCreate{Kind: edges, Names: []string{string(e.Type)}, Properties: e.Properties}
	if err := made.Authorize(ctx); err != nil {
		return err
	}
	types, err := cr.reads.Types.TypesForWrite(ctx)
	if err != nil {
		return err
	}
	if types.NeedsEnds(string(e.Type)) {
		for id, labels := range map[string]*[]string{e.SourceID: &made.Ends.Source, e.TargetID: &made.Ends.Target} {
			_, found, err := cr.reads.Find(ctx, nodes, id)
			if err != nil {
				return err
			}
			if found != nil {
				*labels = found.Names
			}
		}
		if e.SourceID == e.TargetID {
			made.Ends.Source = made.Ends.Target
		}
	}
	return made.Validate(types)
}
