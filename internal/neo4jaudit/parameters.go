package neo4jaudit

import (
	"context"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
)

// Parameters are those by which a batch writes its changes into the audit; null if they are not recorded.
func (s *Store) Parameters(action audit.Action, k audit.Kind) map[string]any {
	if !s.Records(k) {
		return map[string]any{"audit": nil}
	}
	return map[string]any{"audit": map[string]any{"action": string(action), "kind": string(k)}}
}

// MaxNamedCreates bounds the new entities that one transaction of an import names in the audit; the rest are counted. Changed entities are
// all named.
const MaxNamedCreates = 100

// ImportParameters are the parameters of a batch of an import: up to a number of its rows have audit lines, as in other batches.
func (s *Store) ImportParameters(by audit.Actor, k audit.Kind, named int) map[string]any {
	params := s.Parameters(audit.Import, k)
	if entry, on := params["audit"].(map[string]any); on {
		entry["named"], entry["rest"] = named, []string{Line(by, "", nil, "")}
	}
	return params
}

// AdminParameters are the parameters of a statement that changes the service's configuration; it writes one line, with the names of the
// changed members.
func (s *Store) AdminParameters(
	ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string,
) map[string]any {
	params := map[string]any{"rows": bolt.BatchRows{}, "audit": nil}
	if s.Records(kind) {
		params["audit"] = map[string]any{"action": string(action), "kind": string(kind)}
		params["rows"] = bolt.BatchRows{{"line": Line(audit.ActorFrom(ctx), entity, fields, name)}}
	}
	return params
}
