package neo4jbulk

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

// Each line of an import is authorized as its single request is. An id that belongs to an entity which does not exist for the user is
// answered as one that is taken: with CONFLICT, after the line was checked as a create.

// lineChecker checks the lines of an import before they are written, and makes the types of new entities managed.
type lineChecker struct{ *importCore }

// newEntity is the entity that a line creates.
func (it *importLine) newEntity(k graph.Kind) neo4jentity.EntityToCreate {
	return neo4jentity.EntityToCreate{Kind: k, Names: it.types, Properties: it.properties}
}

// authorizeCreates fails the lines that would create an entity which no grant of the user allows.
func (lc *lineChecker) authorizeCreates(ctx context.Context, k graph.Kind, all []*importLine, isNew func(*importLine) bool) {
	if rules.ViewOf(ctx).AllowsAll(rules.Create) {
		return
	}
	for _, it := range all {
		if !it.isPending() || !isNew(it) {
			continue
		}
		made := it.newEntity(k)
		err := made.Authorize(ctx)
		if err == nil && k == graph.NodeKind {
			err = made.Validate(it.declared)
		}
		if err != nil {
			it.fail(err)
		}
	}
}

// rejectDeletedIDs rejects lines that would give a new entity the id of a deleted one: references to the id mean the deleted entity.
func (lc *lineChecker) rejectDeletedIDs(
	ctx context.Context, k graph.Kind, all []*importLine, existing map[string]*neo4jentity.Record,
) error {
	byKey := map[string]*importLine{}
	var keys []string
	for _, it := range all {
		if it.line.UnusedID && it.isPending() && it.id != "" && existing[it.id] == nil && !neo4jentity.IsElementID(k, it.id) {
			key := neo4jentity.EntityKey(k, it.id)
			byKey[key], keys = it, append(keys, key)
		}
	}
	if len(keys) == 0 || !lc.config.Journal {
		return nil
	}
	found, err := lc.client.Read(ctx, cypher.JournalDeleted.Text(nil), map[string]any{"entities": keys})
	if err != nil || len(found) == 0 {
		return err
	}
	for _, key := range bolt.AsTexts(bolt.Column[[]any](found[0], "deleted")) {
		byKey[key].fail(fault.New(fault.Conflict, "This id belonged to a deleted entity",
			fault.Detail{Field: "id", Message: "leave it out for a new id; to use it again needs the permission edit"}))
	}
	return nil
}

// validateLine checks what the domain cannot: names within the limits, the id property, refs that are taken. It ensures that the type is
// managed. A line for a new entity is validated against its declaration.
func (lc *lineChecker) validateLine(ctx context.Context, k graph.Kind, it *importLine, isNew bool, ends map[string][]string) error {
	if isNew && !lc.checkOnly {
		made := it.newEntity(k)
		made.Ends = declared.Ends{Source: ends[it.ends[0].ElementID], Target: ends[it.ends[1].ElementID]}
		if err := made.Validate(it.declared); err != nil {
			return err
		}
	}
	if f := graph.CheckNoID(it.properties, lc.config.IDProperty); f != nil {
		return f
	}
	if k == graph.NodeKind && it.line.Node.Ref != "" {
		if _, line, known := lc.earlier.refs.get(lc.earlier.refs.refKey(it.line.Node.Ref)); known {
			return fault.Invalid("ref", "is used by line %d already", line)
		}
	}
	if lc.checkOnly {
		return nil
	}
	if len(it.types) == 0 && it.id != "" && !neo4jentity.IsElementID(k, it.id) {
		return fault.Invalid("id", "a node without a type cannot have an id")
	}
	return lc.types.Accept(ctx, it.newEntity(k))
}
