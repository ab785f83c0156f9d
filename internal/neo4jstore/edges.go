package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// CreateEdge creates an edge between two nodes: see graph.EdgeStore.
func (s *Store) CreateEdge(ctx context.Context, e graph.NewEdge) (graph.Created[graph.Edge], error) {
	var none graph.Created[graph.Edge]
	// The ends are resolved first: a rejected request must not leave a new type's name behind. For a new type the id cache is not
	// sufficient.
	catalogue, err := s.catalogue.Get(ctx)
	if err != nil {
		return none, err
	}
	if !catalogue.edges.has(string(e.Type)) {
		s.idCaches[0].drop(e.SourceID)
		s.idCaches[0].drop(e.TargetID)
	}
	var ends [2]reference
	if err := s.resolveNewEnds(ctx, e, &ends); err != nil {
		return none, err
	}
	if err := neo4jview.CheckCreate(ctx, edges, []string{string(e.Type)}, e.Properties); err != nil {
		return none, err
	}
	if err := s.validateNewEdge(ctx, e); err != nil {
		return none, err
	}
	c, err := s.prepareCreate(ctx, edges, e.Type, e.Properties, e.Key)
	if err != nil {
		return none, err
	}
	for try := 0; ; try++ {
		c.source, c.target = ends[0], ends[1]
		m, err := s.submitCreate(ctx, edges, c)
		if err != nil {
			return none, bolt.AttributeError(err, edges, s.config.IDProperty, e.Properties)
		}
		replayed, err := m.replayed(c)
		if err != nil {
			return none, err
		}
		if replayed {
			return s.replayedEdge(ctx, m.replay)
		}
		if m.source && m.target {
			made := graph.Edge{
				ID: c.id, Type: string(e.Type), SourceID: ends[0].id(), TargetID: ends[1].id(), Properties: graph.Stored(e.Properties),
			}
			return graph.Created[graph.Edge]{Entity: neo4jview.ShowWrittenEdge(ctx, made, neo4jview.SeesNewEnds(ctx))}, nil
		}
		if try > 0 {
			return none, missingEnds(!m.source, !m.target)
		}
		// The cached element id of an end is stale: ask the database.
		s.idCaches[0].drop(e.SourceID)
		s.idCaches[0].drop(e.TargetID)
		if err := s.resolveNewEnds(ctx, e, &ends); err != nil {
			return none, err
		}
	}
}

// replayedEdge is the outcome of a create that an earlier request with the same Idempotency-Key has made.
func (s *Store) replayedEdge(ctx context.Context, id string) (graph.Created[graph.Edge], error) {
	edge, err := s.readReplayedEdge(ctx, id)
	return graph.Created[graph.Edge]{Entity: edge, Replayed: true}, replayGone(err)
}

// readReplayedEdge reads an edge that an earlier request has written, with what the user may see of it.
func (s *Store) readReplayedEdge(ctx context.Context, id string) (graph.Edge, error) {
	edge, err := s.Edge(rules.WithoutView(ctx), id)
	if err == nil && !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		_, hidden := s.Edge(ctx, id)
		edge = neo4jview.ShowWrittenEdge(ctx, edge, hidden == nil)
	}
	return edge, err
}

// resolveNewEnd resolves an end of a new edge, which some users must see: see neo4jview.JudgesNewEnds.
func (s *Store) resolveNewEnd(ctx context.Context, id string) (reference, error) {
	if neo4jview.RequiresVisibleNewEnds(ctx) {
		at, err := s.findStartNode(ctx, id)
		if err != nil {
			return reference{}, err
		}
		own, _ := at.id.(string)
		return reference{elementID: at.elementID, own: own}, nil
	}
	at, _, err := s.resolve(ctx, nodes, id)
	return at, err
}

// resolveNewEnds resolves both ends of a new edge. The fault names each missing end.
func (s *Store) resolveNewEnds(ctx context.Context, e graph.NewEdge, ends *[2]reference) error {
	var missing [2]bool
	for i, id := range []string{e.SourceID, e.TargetID} {
		at, err := s.resolveNewEnd(ctx, id)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			missing[i] = true
		case err != nil:
			return err
		}
		ends[i] = at
	}
	if missing[0] || missing[1] {
		return missingEnds(missing[0], missing[1])
	}
	return nil
}

func missingEnds(source, target bool) error {
	var faults []*fault.Error
	if source {
		faults = append(faults, fault.Invalid("source_id", "there is no such node"))
	}
	if target {
		faults = append(faults, fault.Invalid("target_id", "there is no such node"))
	}
	return fault.Merge(faults...)
}

// UpdateEdge changes an edge's properties: see graph.EdgeStore.
func (s *Store) UpdateEdge(ctx context.Context, id string, c graph.Change) (graph.Edge, error) {
	m, e, err := s.update(ctx, edges, id, c)
	if err != nil {
		return graph.Edge{}, bolt.AttributeError(err, edges, s.config.IDProperty, c.Properties)
	}
	r, err := s.edge(ctx, m, e)
	if err != nil {
		return r, bolt.Translate(err)
	}
	seen, err := s.seesEnds(ctx, m, e)
	return neo4jview.ShowWrittenEdge(ctx, r, seen && err == nil), nil
}

// DeleteEdge removes an edge: see graph.EdgeStore.
func (s *Store) DeleteEdge(ctx context.Context, id string, r graph.Removal) (graph.Deletion, error) {
	return s.deleteEntity(ctx, edges, id, r)
}

// validateNewEdge validates a new edge against its declaration. It reads the ends only if the declaration restricts them; no operation of
// the API changes a node's labels.
func (s *Store) validateNewEdge(ctx context.Context, e graph.NewEdge) error {
	types, err := s.TypesForWrite(ctx)
	if err != nil {
		return err
	}
	var ends declared.Ends
	if types.NeedsEnds(string(e.Type)) {
		for id, labels := range map[string]*[]string{e.SourceID: &ends.Source, e.TargetID: &ends.Target} {
			_, found, err := s.find(ctx, nodes, id)
			if err != nil {
				return err
			}
			if found != nil {
				*labels = found.names
			}
		}
		if e.SourceID == e.TargetID {
			ends.Source = ends.Target
		}
	}
	return types.ValidateNewEdge(string(e.Type), e.Properties, ends)
}
