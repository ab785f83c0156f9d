package neo4jentity

import (
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// ReadHits reads the entities of the hits of a search, until they reach Config.MaxPageBytes: see neo4jsearch.ReadHits.
func (rd *Reader) ReadHits(
	ctx context.Context, k kind, elementIDs []string, use func(elementID string, hit graph.Hit),
) (done int, err error) {
	m, err := rd.Catalog.Get(ctx)
	if err != nil {
		return 0, err
	}
	return rd.Elements.ForEachElement(ctx, k, elementIDs, 1, func(e *Record) error {
		hit := graph.Hit{Kind: k}
		var visible bool
		var err error
		if k == edges {
			if hit.Edge, err = rd.DecodeEdge(ctx, m, e); err == nil {
				visible = neo4jview.ShowEdge(ctx, &hit.Edge)
			}
		} else if hit.Node, err = rd.DecodeNode(ctx, m, e); err == nil {
			visible = neo4jview.ShowNode(ctx, &hit.Node)
		}
		if visible {
			use(e.ElementID, hit)
		}
		return err
	})
}
