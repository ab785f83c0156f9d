package neo4jstore

import (
	"context"

	"graphrest/cypher"
)

// warm has the database plan the statements that requests will send, so that no request waits for it: planning takes tens of
// milliseconds for a statement on one type and some hundred for one on a set of types. It runs them on no rows at all, which reads and
// changes nothing. A failure shows in the requests themselves.
func (s *Store) warm(ctx context.Context, m *managedTypes) {
	none := map[string]any{"elements": []string{}, "ids": []string{}, "rows": []map[string]any{}, "checked": []string{}, "audit": nil}
	id := cypher.Slots{"id": s.idName}
	if !s.warmed.statements {
		s.warmed.statements = true
		for _, text := range []string{cypher.NodesByElement.Text(nil), cypher.EdgesByElement.Text(id)} {
			_, _ = s.client.read(ctx, text, none)
		}
		for _, text := range []string{
			cypher.CreateNodes.Text(nil), cypher.CreateEdges.Text(id), cypher.UpdateNodes.Text(id), cypher.UpdateEdges.Text(id),
			cypher.DeleteNodes.Text(id), cypher.DeleteEdges.Text(id),
		} {
			_, _ = s.client.write(ctx, text, none)
		}
	}
	for k, statement := range map[kind]cypher.Statement{nodes: cypher.NodesByID, edges: cypher.EdgesByID} {
		for _, types := range m.of(k).lookupSets() {
			if ctx.Err() != nil || s.warmed.sets[types] {
				continue
			}
			if s.warmed.sets == nil {
				s.warmed.sets = map[cypher.Name]bool{}
			}
			s.warmed.sets[types] = true
			_, _ = s.client.read(ctx, statement.Text(cypher.Slots{"types": types, "id": s.idName}), none)
		}
	}
}

// warmed is what was planned already. Only follow's goroutine touches it.
type warmed struct {
	statements bool
	sets       map[cypher.Name]bool
}

// lookupSets are the sets of types that statements look ids up in.
func (t *typeSet) lookupSets() []cypher.Name {
	var sets []cypher.Name
	for _, name := range t.names {
		if wide := t.wide[name]; wide != (cypher.Name{}) && (len(sets) == 0 || sets[len(sets)-1] != wide) {
			sets = append(sets, wide)
		}
	}
	return sets
}
