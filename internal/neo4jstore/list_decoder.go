package neo4jstore

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// decoder makes the entity of a row; shown is false if the user does not see it.
type decoder[T any] func(ctx context.Context, m *managedTypes, e *entityRecord, row *bolt.Record) (item T, shown bool, err error)

// rowDecoder makes the nodes and edges of rows, and caches their element ids.
type rowDecoder struct{ reads *entityReader }

func (d rowDecoder) node(ctx context.Context, m *managedTypes, e *entityRecord, _ *bolt.Record) (n graph.Node, shown bool, err error) {
	if n, err = d.reads.node(ctx, m, e); err != nil {
		return n, false, err
	}
	if shown = neo4jview.ShowNode(ctx, &n); shown {
		d.cacheID(m, nodes, n.ID, e)
	}
	return n, shown, nil
}

func (d rowDecoder) edge(ctx context.Context, m *managedTypes, e *entityRecord, row *bolt.Record) (r graph.Edge, shown bool, err error) {
	e.setEnds(bolt.Column[[]any](row, "ends"))
	id, properties, err := d.reads.toDomain(ctx, m, edges, e)
	if err != nil {
		return r, false, err
	}
	r = graph.Edge{
		ID: id, Type: e.names[0], Properties: properties,
		SourceID: bolt.Column[string](row, "source_id"), TargetID: bolt.Column[string](row, "target_id"),
	}
	if r.Ends, err = d.reads.endsOf(ctx, m, e, r.SourceID, r.TargetID); err != nil {
		return r, false, err
	}
	if shown = neo4jview.ShowEdge(ctx, &r); shown {
		d.cacheID(m, edges, id, e)
	}
	return r, shown, nil
}

// cacheID caches the element id of a listed entity, because clients often read it next. Only an id that hints at its type is cached,
// because a look-up would find no other entity by it.
func (d rowDecoder) cacheID(m *managedTypes, k kind, id string, e *entityRecord) {
	hint, hinted := graph.HintOf(id)
	if of := m.of(k).hinted[hint].names; hinted && len(of) == 1 && slices.Contains(e.names, of[0]) {
		d.reads.idCacheOf(k).put(id, e.elementID)
	}
}
