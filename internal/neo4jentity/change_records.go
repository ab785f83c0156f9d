package neo4jentity

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

// Author is the user of a change and what the change was part of.
type Author struct {
	audit.Actor
	cause journal.Cause
}

// AuthorFrom is who makes the changes of a context.
func AuthorFrom(ctx context.Context) Author {
	return Author{audit.ActorFrom(ctx), journal.CauseFrom(ctx)}
}

// changeRecorder writes in the statements of changes what the audit and the journal record of them.
type changeRecorder struct {
	config  *Config
	audit   *neo4jaudit.Store
	catalog *TypeCatalog
}

// Params are the parameters of a write but for its rows: by them it writes its changes into the audit and the journal, each null if it is
// off. See WithRows.
func (cr *changeRecorder) Params(ctx context.Context, w RowWrite) (map[string]any, error) {
	params := cr.audit.Parameters(w.Action, audit.Kind(w.Kind))
	if w.Named > 0 {
		params = cr.audit.ImportParameters(audit.ActorFrom(ctx), audit.Kind(w.Kind), w.Named)
	}
	maps.Copy(params, w.more)
	params["journal"] = nil
	if w.Checked != nil {
		params["validated_types"] = w.Checked
	}
	deletes := w.Action == audit.Delete
	if !cr.config.Journal && !deletes {
		return params, nil
	}
	m, err := cr.catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	if deletes && w.Kind == nodes { // the ids of edges that go with a node
		params["managed"] = m.Edges.Names
	}
	if !cr.config.Journal {
		return params, nil
	}
	settings := map[string]any{"action": string(w.Action), "excluded": cr.config.JournalExclude}
	if w.Kind == edges || deletes { // the ids of an edge's ends
		settings["managed_nodes"] = m.Nodes.Names
	}
	if deletes {
		settings["managed_edges"] = m.Edges.Names
	}
	params["journal"] = settings
	return params, nil
}

// WithRows returns the parameters of a batch with its rows, or some of them.
func WithRows(params map[string]any, rows bolt.BatchRows) map[string]any {
	all := map[string]any{"rows": rows}
	maps.Copy(all, params)
	return all
}

// journalRow is what the journal needs of one row of a batch, in the member change; null if the journal is off. id is the entity's id in
// the API, empty if only the database knows it. set is what an update sets.
func (cr *changeRecorder) journalRow(by Author, id string, set graph.Properties) any {
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

// WithAuthor adds the audit line, without the type, which the statement adds, and what the journal needs to a batch's row.
func (cr *changeRecorder) WithAuthor(by Author, entity string, set graph.Properties, row map[string]any) map[string]any {
	if cr.audit.Records(audit.Node) {
		row["line"] = neo4jaudit.Line(by.Actor, entity, slices.Sorted(maps.Keys(set)), "")
	}
	row["change"] = cr.journalRow(by, entity, set)
	return row
}

// ErrDryRun rolls the transaction of a dry run back.
var ErrDryRun = errors.New("dry run")

// MaxChangeID sorts after every id of a record.
const MaxChangeID = "~"

// EntityKey is the stored form of an entity's id.
func EntityKey(k kind, id string) string { return string(k) + " " + id }
