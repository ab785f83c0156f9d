package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// Bulk imports and exports graphs. It is safe for concurrent use.
type Bulk struct {
	client      *bolt.Client
	config      *Config
	audit       *neo4jaudit.Store
	names       *neo4jschema.Names
	constraints *neo4jschema.Constraints
	exclusions  *exclusionCache
	texts       *statementTexts
	elements    *elementReader
	reads       *entityReader
	updates     *entityUpdater
	changes     *changeRecorder
	runner      *batchRunner
}

var _ graph.BulkStore = (*Bulk)(nil)

// importer is a running import: see graph.Importer.
type importer struct {
	*Bulk
	on      graph.OnConflict
	refs    *bulkRefs
	managed map[typeKey]bool // as far as this import knows
	types   *declared.Types  // as of the lines that are being written
	// created are the elements that this import has created. If an entity was deleted since a graph was exported from this same database, a
	// new entity may get its element id: a line that refers to that element id does not mean the new entity.
	created map[kind]elementSet
	// checkOnly is for an import that writes nothing. assumed holds, for each node that it would have created, whether the user sees it; the
	// numbers of their invented element ids begin at firstAssumed.
	checkOnly bool
	assumed   []bool
}

// Import starts an import: see graph.BulkStore.
func (b *Bulk) Import(on graph.OnConflict) graph.Importer { return b.newImporter(on) }

// CheckImport starts an import that writes nothing: see graph.BulkStore.
func (b *Bulk) CheckImport(on graph.OnConflict) graph.Importer {
	i := b.newImporter(on)
	i.checkOnly = true
	return i
}

func (b *Bulk) newImporter(on graph.OnConflict) *importer {
	return &importer{Bulk: b, on: on, refs: newBulkRefs(), managed: map[typeKey]bool{}, created: map[kind]elementSet{nodes: {}, edges: {}}}
}

// Types registers labels in a given order: see graph.Importer.
func (i *importer) Types(ctx context.Context, labels []graph.TypeName) error {
	if i.checkOnly {
		return nil
	}
	i.names.Refresh(ctx)
	for _, label := range neo4jview.LabelsAllowed(rules.ViewOf(ctx), rules.Create, labels) {
		isNew := len(i.names.Unknown([]string{string(label)}, nil, nil).Labels) > 0
		if err := i.names.Reserve(ctx, []string{string(label)}, nil, nil); err != nil {
			return bolt.Translate(err)
		}
		params := map[string]any{"label": string(label), "entries": []any{}}
		if isNew && i.audit.Records(audit.Type) {
			params["entries"] = neo4jaudit.EntryParameters(neo4jaudit.NewEntry(ctx, audit.Import, audit.Type, "nodes/"+string(label),
				string(label)))["entries"]
		}
		if _, err := i.client.Write(ctx, cypher.MakeLabel.Text(nil), params); err != nil {
			return bolt.Translate(err)
		}
	}
	return nil
}

// importLine is a line that is being imported.
type importLine struct {
	line       graph.BulkLine
	result     *graph.BulkResult
	id         string // the requested id, or its id in the source; empty for none
	own        string // the id it will have
	types      []string
	properties graph.Properties
	ends       [2]reference // of an edge
}

func (it *importLine) fail(err error) { it.result.Fault = fault.As(err) }

func (it *importLine) isPending() bool { return it.result.Fault == nil && it.result.Done == 0 }

// Write writes lines: see graph.Importer. Nodes are written before edges; an edge that refers to a node of a later line fails.
func (i *importer) Write(ctx context.Context, lines []graph.BulkLine) ([]graph.BulkResult, error) {
	ctx = journal.WithCause(ctx, journal.Cause{Import: audit.ActorFrom(ctx).RequestID})
	types, err := i.reads.types.TypesForWrite(ctx)
	if err != nil {
		return nil, err
	}
	i.types = types
	results := make([]graph.BulkResult, len(lines))
	var byKind [2][]*importLine
	for n, line := range lines {
		it := &importLine{line: line, result: &results[n]}
		if line.Node != nil {
			it.id, it.properties = line.Node.ID, line.Node.Properties
			for _, label := range line.Node.Labels {
				it.types = append(it.types, string(label))
			}
			byKind[0] = append(byKind[0], it)
		} else {
			it.id, it.properties, it.types = line.Edge.ID, line.Edge.Properties, []string{string(line.Edge.Type)}
			byKind[1] = append(byKind[1], it)
		}
	}
	for n, k := range []kind{nodes, edges} {
		for rest := byKind[n]; len(rest) > 0; {
			var now []*importLine
			now, rest = splitAtDuplicate(rest)
			if err := i.writeKind(ctx, k, now); err != nil {
				return results, bolt.Translate(err)
			}
		}
	}
	return results, nil
}

// splitAtDuplicate returns the lines before the second one with the same id or ref, which must see what the first has created.
func splitAtDuplicate(all []*importLine) (now, rest []*importLine) {
	seen := map[string]bool{}
	for n, it := range all {
		names := []string{"i" + it.id}
		if it.line.Node != nil {
			names = append(names, "r"+it.line.Node.Ref)
		}
		for _, name := range names {
			if len(name) > 1 && seen[name] {
				return all[:n], all[n:]
			}
			seen[name] = true
		}
	}
	return all, nil
}

func (i *importer) writeKind(ctx context.Context, k kind, all []*importLine) error {
	if k == edges {
		if err := i.resolveEnds(ctx, all); err != nil {
			return err
		}
	}
	existing, err := i.findExisting(ctx, k, all)
	if err != nil {
		return err
	}
	exists, err := i.existsForUser(ctx, k, existing)
	if err != nil {
		return err
	}
	isNew := func(it *importLine) bool { return existing[it.id] == nil || !exists[existing[it.id].elementID] }
	i.authorizeCreates(ctx, k, all, func(it *importLine) bool { return isNew(it) || i.on == graph.OnConflictError })
	if err := i.rejectDeletedIDs(ctx, k, all, existing); err != nil {
		return err
	}
	var ends map[string][]string
	if !i.checkOnly {
		if ends, err = i.endLabels(ctx, k, all); err != nil {
			return err
		}
	}
	var created, merge []*importLine
	for _, it := range all {
		if !it.isPending() {
			continue
		}
		if err := i.validateLine(ctx, k, it, isNew(it), ends); err != nil {
			if !isRowError(err) {
				return err
			}
			it.fail(err)
			continue
		}
		switch at := existing[it.id]; {
		case it.id == "" || at == nil:
			created = append(created, it)
		case i.on == graph.OnConflictError || isNew(it):
			it.fail(idTaken(k))
		default:
			if i.resolveConflict(k, it, at) && i.on == graph.OnConflictMerge {
				merge = append(merge, it)
			}
		}
	}
	if i.checkOnly {
		i.assumeCreated(ctx, k, created)
		return i.checkMerges(ctx, k, merge, existing)
	}
	if err := i.createLines(ctx, k, created); err != nil {
		return err
	}
	return i.mergeLines(ctx, k, merge, existing)
}

func kindWithArticle(k kind) string {
	if k == edges {
		return "an edge in the database"
	}
	return "a node in the database"
}

// validateLine checks what the domain cannot: names within the limits, the id property, refs that are taken. It ensures that the type is
// managed. A line for a new entity is validated against its declaration.
func (i *importer) validateLine(ctx context.Context, k kind, it *importLine, isNew bool, ends map[string][]string) error {
	if isNew && !i.checkOnly {
		if err := i.validateNew(ctx, k, it, ends); err != nil {
			return err
		}
	}
	name := i.config.IDProperty
	if _, given := it.properties[name]; given {
		return fault.Invalid("properties."+name, "is the id, which is the member id of the line")
	}
	if k == nodes && it.line.Node.Ref != "" {
		if _, line, known := i.refs.get(i.refs.refKey(it.line.Node.Ref)); known {
			return fault.Invalid("ref", "is used by line %d already", line)
		}
	}
	if i.checkOnly {
		return nil
	}
	labels, types := it.types, []string(nil)
	if k == edges {
		labels, types = nil, it.types
	}
	if err := i.names.Reserve(ctx, labels, types, it.properties); err != nil {
		return err
	}
	if len(it.types) == 0 {
		if it.id != "" && !isElementID(k, it.id) {
			return fault.Invalid("id", "a node without a type cannot have an id")
		}
		return nil
	}
	return i.ensureManaged(ctx, typeKey{k, it.types[0]})
}

// ensureManaged makes a type managed before its first entity is imported, and waits without a time limit.
func (i *importer) ensureManaged(ctx context.Context, t typeKey) error {
	if i.managed[t] {
		return nil
	}
	m, err := i.reads.catalog.Get(ctx)
	if err != nil {
		return err
	}
	if !m.of(t.k).has(t.name) {
		if err := i.constraints.Manage(ctx, t.k, t.name); err != nil {
			return err
		}
	}
	i.managed[t] = true
	return nil
}

// resolveConflict handles a line whose id exists already. It reports whether the line may change the entity.
func (i *importer) resolveConflict(k kind, it *importLine, at *entityRecord) bool {
	if k == edges {
		same := at.names[0] == it.types[0] && at.source.elementID == it.ends[0].elementID && at.target.elementID == it.ends[1].elementID
		if !same && i.on == graph.OnConflictMerge {
			it.fail(fault.New(fault.Conflict, "This id exists already",
				fault.Detail{Field: "id", Message: "belongs to an edge of another type or between other nodes"}))
			return false
		}
	} else {
		i.rememberNode(it, i.referenceOf(k, it, at))
	}
	if i.on == graph.OnConflictSkip {
		it.result.Done = graph.BulkSkipped
	}
	return true
}

func (i *importer) referenceOf(k kind, it *importLine, at *entityRecord) reference {
	ref := reference{elementID: at.elementID}
	if !isElementID(k, it.id) {
		ref.own = it.id
	}
	return ref
}

// rememberNode makes a node known to the following lines.
func (i *importer) rememberNode(it *importLine, at reference) {
	if it.line.Node.Ref != "" {
		i.refs.put(i.refs.refKey(it.line.Node.Ref), at, it.line.Number)
	}
	if it.id != "" {
		i.refs.put(i.refs.idKey(it.id), at, it.line.Number)
	}
}

// findExisting looks up which of the lines' ids exist already.
func (i *importer) findExisting(ctx context.Context, k kind, all []*importLine) (map[string]*entityRecord, error) {
	var ids []string
	for _, it := range all {
		if it.id != "" && it.isPending() {
			ids = append(ids, it.id)
		}
	}
	return i.findNotCreated(ctx, k, ids)
}

// findNotCreated looks ids up, without the entities that this import has created itself when the id is an element id.
func (i *importer) findNotCreated(ctx context.Context, k kind, ids []string) (map[string]*entityRecord, error) {
	found, err := i.reads.findByIDs(ctx, k, ids)
	for id, e := range found {
		if isElementID(k, id) && e.elementID == id && i.created[k].has(id) {
			delete(found, id)
		}
	}
	return found, err
}
