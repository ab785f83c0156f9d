package neo4jjournal

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
)

// recordEraser removes all records of an entity, with an entry of the audit.
type recordEraser struct {
	client   *bolt.Client
	audit    *neo4jaudit.Store
	entities *stateReader
}

// Erase removes all records of one entity: see journal.Reader.
func (re *recordEraser) Erase(ctx context.Context, domain graph.Kind, entity string) (int64, error) {
	erased, err := re.entities.find(ctx, domain, entity)
	if err != nil {
		return 0, err
	}
	params := re.audit.AdminParameters(ctx, audit.Delete, audit.History, string(domain)+"/"+erased.ids[0], "")
	params["entities"] = erased.keys()
	var found []*bolt.Record
	if found, err = re.client.Write(ctx, cypher.JournalErase.Text(nil), params); err != nil {
		return 0, bolt.Translate(err)
	}
	return bolt.SingleInteger(found, "erased")
}
