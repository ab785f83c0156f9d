package neo4jstore

import (
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// readHits reads the entities of the hits of a search, until they reach Config.MaxPageBytes: see neo4jsearch.ReadHits.
func (rd *entityReader) readHits(
	ctx context.Context, k kind, elementIDs []string, use func(elementID string, hit graph.Hit),
) (done int, err error) {
	m, err := rd.catalog.Get(ctx)
	if err != nil {
		return 0, err
	}
	return rd.elements.forEachElement(ctx, k, elementIDs, 1, func(e *entityRecord) error {
		hit := graph.Hit{Kind: k}
		var visible bool
		var err error
		if k == edges {
			if hit.Edge, err = rd.edge(ctx, m, e); err == nil {
				visible = neo4jview.ShowEdge(ctx, &hit.Edge)
			}
		} else if hit.Node, err = rd.node(ctx, m, e); err == nil {
			visible = neo4jview.ShowNode(ctx, &hit.Node)
		}
		if visible {
			use(e.elementID, hit)
		}
		return err
	})
}
