package neo4jschema

import (
	"context"
	"strconv"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Violations validates all entities of a type: see graph.TypeStore. Each page reads all of them, in bounded memory and within the query
// timeout.
func (s *TypeStore) Violations(ctx context.Context, k graph.Kind, t graph.TypeName, p graph.Paging) (graph.Violations, error) {
	var found graph.Violations
	types, err := s.inForce.Fresh(ctx, ReadAge)
	if err != nil {
		return found, bolt.Translate(err)
	}
	rules := types.Rules(k, string(t))
	if rules == nil {
		return found, fault.New(fault.NotFound, "This type is not declared")
	}
	skip := p.Offset
	if p.After != nil {
		if skip, err = strconv.ParseInt(string(p.After), 10, 64); err != nil {
			return found, fault.Invalid("cursor", "must be a next_cursor of the same query")
		}
	}
	var violations int64
	err = s.entities(ctx, k, t, func(id string, properties graph.Properties, ends declared.Ends) {
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
