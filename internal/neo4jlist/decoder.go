package neo4jlist

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// decoder makes the entity of a row; shown is false if the user does not see it.
type decoder[T any] func(
	ctx context.Context, m *neo4jentity.ManagedTypes, e *neo4jentity.Record, row *bolt.Record,
) (item T, shown bool, err error)

// rowDecoder makes the nodes and edges of rows, and caches their element ids.
type rowDecoder struct{ reads *neo4jentity.Reader }

func (d rowDecoder) node(
	ctx context.Context, m *neo4jentity.ManagedTypes, e *neo4jentity.Record, _ *bolt.Record,
) (n graph.Node, shown bool, err error) {
	if n, err = d.reads.DecodeNode(ctx, m, e); err != nil {
		return n, false, err
	}
	if shown = neo4jview.ShowNode(ctx, &n); shown {
		d.cacheID(m, graph.NodeKind, n.ID, e)
	}
	return n, shown, nil
}

func (d rowDecoder) edge(
	ctx context.Context, m *neo4jentity.ManagedTypes, e *neo4jentity.Record, row *bolt.Record,
) (r graph.Edge, shown bool, err error) {
	e.SetEnds(bolt.Column[[]any](row, "ends"))
	id, properties, err := d.reads.ToDomain(ctx, m, graph.EdgeKind, e)
	if err != nil {
		return r, false, err
	}
	r = graph.Edge{
		ID: id, Type: e.Names[0], Properties: properties,
		SourceID: bolt.Column[string](row, "source_id"), TargetID: bolt.Column[string](row, "target_id"),
	}
	if r.Ends, err = d.reads.EndsOf(ctx, m, e, r.SourceID, r.TargetID); err != nil {
		return r, false, err
	}
	if shown = neo4jview.ShowEdge(ctx, &r); shown {
		d.cacheID(m, graph.EdgeKind, id, e)
	}
	return r, shown, nil
}

// cacheID caches the element id of a listed entity, because clients often read it next.
func (d rowDecoder) cacheID(m *neo4jentity.ManagedTypes, k graph.Kind, id string, e *neo4jentity.Record) {
	if m.IsOnly(k, id, e.Names) {
		d.reads.IDCacheOf(k).Put(id, e.ElementID)
	}
}
