package neo4jstore

import (
	"context"
	"errors"
	"maps"
	"slices"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
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

// changeRecorder writes in the statements of changes what the audit and the journal record of them.
type changeRecorder struct {
	config  *Config
	audit   *neo4jaudit.Store
	catalog *typeCatalog
}

// params are the parameters of a write but for its rows: by them it writes its changes into the audit and the journal, each null if it is
// off. See withRows.
func (cr *changeRecorder) params(ctx context.Context, w rowWrite) (map[string]any, error) {
	params := cr.audit.Parameters(w.action, audit.Kind(w.k))
	if w.named > 0 {
		params = cr.audit.ImportParameters(audit.ActorFrom(ctx), audit.Kind(w.k), w.named)
	}
	maps.Copy(params, w.more)
	params["journal"] = nil
	if w.checked != nil {
		params["validated_types"] = w.checked
	}
	deletes := w.action == audit.Delete
	if !cr.config.Journal && !deletes {
		return params, nil
	}
	m, err := cr.catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	if deletes && w.k == nodes { // the ids of edges that go with a node
		params["managed"] = m.edges.names
	}
	if !cr.config.Journal {
		return params, nil
	}
	settings := map[string]any{"action": string(w.action), "excluded": cr.config.JournalExclude}
	if w.k == edges || deletes { // the ids of an edge's ends
		settings["managed_nodes"] = m.nodes.names
	}
	if deletes {
		settings["managed_edges"] = m.edges.names
	}
	params["journal"] = settings
	return params, nil
}

// withRows returns the parameters of a batch with its rows, or some of them.
func withRows(params map[string]any, rows bolt.BatchRows) map[string]any {
	all := map[string]any{"rows": rows}
	maps.Copy(all, params)
	return all
}

// journalRow is what the journal needs of one row of a batch, in the member change; null if the journal is off. id is the entity's id in
// the API, empty if only the database knows it. set is what an update sets.
func (cr *changeRecorder) journalRow(by author, id string, set graph.Properties) any {
	if !cr.config.Journal {
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
func (cr *changeRecorder) withAuthor(by author, entity string, set graph.Properties, row map[string]any) map[string]any {
	if cr.audit.Records(audit.Node) {
		row["line"] = neo4jaudit.Line(by.Actor, entity, slices.Sorted(maps.Keys(set)), "")
	}
	row["change"] = cr.journalRow(by, entity, set)
	return row
}

// errDryRun rolls the transaction of a dry run back.
var errDryRun = errors.New("dry run")

// maxChangeID sorts after every id of a record.
const maxChangeID = "~"

// entityKey is the stored form of an entity's id.
func entityKey(k kind, id string) string { return string(k) + " " + id }
