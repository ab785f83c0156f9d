package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

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

// endLabels reads the labels of the ends of new edges, by element id, if a declaration restricts them.
func (i *importer) endLabels(ctx context.Context, k kind, all []*importLine) (map[string][]string, error) {
	labels := map[string][]string{}
	if k == nodes {
		return labels, nil
	}
	var asked []string
	for _, it := range all {
		if it.isPending() && i.types.NeedsEnds(it.types[0]) {
			for _, end := range it.ends {
				if _, known := labels[end.elementID]; !known {
					labels[end.elementID] = nil
					asked = append(asked, end.elementID)
				}
			}
		}
	}
	if len(asked) == 0 {
		return labels, nil
	}
	err := i.s.forEachReference(ctx, nodes, cypher.NodesByElement.Text(nil), elementParams(asked, rowsPerPart), func(_ int64, e *element) {
		labels[e.elementID] = e.names
	})
	return labels, err
}

// validateNew validates a line for a new entity against its declaration.
func (i *importer) validateNew(ctx context.Context, k kind, it *importLine, ends map[string][]string) error {
	if k == nodes {
		return neo4jview.ValidateNewNode(ctx, i.types, it.types, it.properties)
	}
	return i.types.ValidateNewEdge(it.types[0], it.properties, declared.Ends{Source: ends[it.ends[0].elementID], Target: ends[it.ends[1].elementID]})
}
