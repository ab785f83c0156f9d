package neo4jstore

import (
	"context"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Violations validates all entities of a type: see graph.TypeStore. Each page reads all of them, in bounded memory and within the query
// timeout.
func (s *Store) Violations(ctx context.Context, k graph.Kind, t graph.TypeName, p graph.Paging) (graph.Violations, error) {
	var found graph.Violations
	types, err := s.declared.Fresh(ctx, listCatalogueAge)
	if err != nil {
		return found, bolt.Translate(err)
	}
	rules := types.Rules(k, string(t))
	if rules == nil {
		return found, fault.New(fault.NotFound, "This type is not declared")
	}
	m, err := s.catalogue.Fresh(ctx, listCatalogueAge)
	if err != nil {
		return found, bolt.Translate(err)
	}
	skip := p.Offset
	if p.After != nil {
		if skip, err = strconv.ParseInt(string(p.After), 10, 64); err != nil {
			return found, fault.Invalid("cursor", "must be a next_cursor of this very query")
		}
	}
	var violations int64
	err = s.forEachOfType(ctx, m, k, t, func(id string, properties graph.Properties, ends declared.Ends) {
		found.Checked++
		problems := rules.Problems(properties, ends)
		if len(problems) == 0 {
			return
		}
		if violations >= skip && len(found.Items) < p.Limit {
			found.Items = append(found.Items, graph.Violation{ID: id, Problems: problems})
		}
		violations++
	})
	found.Total = &violations
	if next := skip + int64(len(found.Items)); len(found.Items) > 0 && violations > next {
		found.Next = graph.Position(strconv.FormatInt(next, 10))
	}
	return found, err
}

// forEachOfType calls each for every visible entity of a type.
func (s *Store) forEachOfType(
	ctx context.Context, m *managedTypes, k graph.Kind, t graph.TypeName, each func(string, graph.Properties, declared.Ends),
) error {
	statement := cypher.DeclaredNodesCheck
	if k == graph.EdgeKind {
		statement = cypher.DeclaredEdgesCheck
	}
	limited, cancel := s.client.Bounded(ctx)
	defer cancel()
	var visitErr error
	err := s.client.StreamUntilDeadline(limited, statement.Text(cypher.Slots{"type": cypher.Quote(string(t))}), nil,
		func(r *bolt.Record) error {
			if visitErr = ctx.Err(); visitErr != nil {
				return visitErr // the caller has left
			}
			e := element{elementID: bolt.Column[string](r, "element"), names: []string{string(t)}, properties: bolt.Column[map[string]any](r,
				"properties")}
			ends := declared.Ends{}
			if k == graph.NodeKind {
				e.names = bolt.TextColumn(r, "labels")
			} else {
				ends = declared.Ends{Source: bolt.TextColumn(r, "source_labels"), Target: bolt.TextColumn(r, "target_labels")}
			}
			id, properties, err := s.toDomain(limited, m, k, &e)
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
