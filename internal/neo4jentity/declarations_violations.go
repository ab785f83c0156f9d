package neo4jentity

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// typeEntities reads all visible entities of a type, to compare them with its declaration.
type typeEntities struct {
	client  *bolt.Client
	catalog *TypeCatalog
	decoder *valueDecoder
}

// forEachOfType calls each for every visible entity of a type.
func (te *typeEntities) forEachOfType(
	ctx context.Context, k graph.Kind, t graph.TypeName, each func(string, graph.Properties, declared.Ends),
) error {
	m, err := te.catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return bolt.Translate(err)
	}
	limited, cancel := te.client.WithQueryTimeout(ctx)
	defer cancel()
	var visitErr error
	err = te.client.StreamUntilDeadline(limited, StatementsOf[k].checkDeclared.Text(cypher.Slots{"type": cypher.Quote(string(t))}), nil,
		func(r *bolt.Record) error {
			if visitErr = ctx.Err(); visitErr != nil {
				return visitErr // the caller has left
			}
			e := Record{ElementID: bolt.Column[string](r, "element"), Names: []string{string(t)}, Properties: bolt.Column[map[string]any](r,
				"properties")}
			ends := declared.Ends{}
			if k == graph.NodeKind {
				e.Names = bolt.TextColumn(r, "labels")
			} else {
				ends = declared.Ends{Source: bolt.TextColumn(r, "source_labels"), Target: bolt.TextColumn(r, "target_labels")}
			}
			id, properties, err := te.decoder.ToDomain(limited, m, k, &e)
			if visitErr = err; err == nil {
				each(id, properties, ends)
			}
			return err
		})
	switch {
	case visitErr != nil:
		return bolt.Translate(visitErr)
	case err != nil && limited.Err() != nil:
		return bolt.Translate(context.DeadlineExceeded)
	default:
		return bolt.Translate(err)
	}
}
