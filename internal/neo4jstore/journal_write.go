package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jaudit"
)

// author is the user of a change and what the change was part of.
type author struct {
	audit.Actor
	cause journal.Cause
}

func authorFrom(ctx context.Context) author {
	return author{audit.ActorFrom(ctx), journal.CauseFrom(ctx)}
}

// changeParams are the parameters by which a batch writes its changes into the audit and the journal; each is null if it is off.
func (s *Store) changeParams(ctx context.Context, action audit.Action, k kind) (map[string]any, error) {
	params := s.audit.Parameters(action, audit.Kind(k))
	params["journal"] = nil
	if !s.config.Journal {
		return params, nil
	}
	m, err := s.catalogue.Get(ctx)
	if err != nil {
		return nil, err
	}
	settings := map[string]any{"action": string(action), "excluded": s.config.JournalExclude}
	if k == edges || action == audit.Delete { // the ids of an edge's ends
		settings["managed_nodes"] = m.nodes.names
	}
	if action == audit.Delete { // the ids of edges that go with a node
		settings["managed_edges"] = m.edges.names
	}
	params["journal"] = settings
	return params, nil
}

// journalRow is what the journal needs of one row of a batch, in the member change; null if the journal is off. id is the entity's id in
// the API, empty if only the database knows it. set is what an update sets.
func (s *Store) journalRow(by author, id string, set graph.Properties) any {
	if !s.config.Journal {
		return nil
	}
	row := map[string]any{
		"request": by.RequestID,
		"by":      []string{by.User, by.UserID, by.GatewayID, by.cause.Undo, by.cause.ChangeSet, by.cause.Import, by.cause.DeletedWith},
	}
	if id != "" {
		row["id"] = id
	}
	if set != nil {
		row["set"] = journal.EncodeSet(set)
	}
	return row
}

// withAuthor adds the audit line, without the type, which the statement adds, and what the journal needs to a batch's row.
func (s *Store) withAuthor(by author, entity string, set graph.Properties, row map[string]any) map[string]any {
	if s.audit.Records(audit.Node) {
		row["line"] = neo4jaudit.Line(by.Actor, entity, slices.Sorted(maps.Keys(set)), "")
	}
	row["change"] = s.journalRow(by, entity, set)
	return row
}

// rejectDeletedIDs rejects lines that would give a new entity the id of a deleted one: what still refers to the id means that one.
func (i *importer) rejectDeletedIDs(ctx context.Context, k kind, all []*importLine, existing map[string]*element) error {
	byKey := map[string]*importLine{}
	var keys []string
	for _, it := range all {
		if it.line.UnusedID && it.isPending() && it.id != "" && existing[it.id] == nil && !isElementID(k, it.id) {
			key := entityKey(k, it.id)
			byKey[key], keys = it, append(keys, key)
		}
	}
	if len(keys) == 0 || !i.s.config.Journal {
		return nil
	}
	found, err := i.s.client.Read(ctx, cypher.JournalDeleted.Text(nil), map[string]any{"entities": bolt.Batched(keys)})
	if err != nil || len(found) == 0 {
		return err
	}
	for _, key := range bolt.AsTexts(bolt.Column[[]any](found[0], "deleted")) {
		byKey[key].fail(fault.New(fault.Conflict, "This id belonged to a deleted entity",
			fault.Detail{Field: "id", Message: "leave it out for a new id; to use it again needs the permission edit"}))
	}
	return nil
}

// importParams are the parameters of a batch of an import: up to a number of its rows have audit lines, as in other batches.
func (s *Store) importParams(ctx context.Context, action audit.Action, k kind, named int) (map[string]any, error) {
	params, err := s.changeParams(ctx, action, k)
	if err != nil {
		return nil, err
	}
	params["audit"] = s.audit.ImportParameters(audit.ActorFrom(ctx), audit.Kind(k), named)["audit"]
	return params, nil
}
