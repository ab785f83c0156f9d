// Package neo4jbulk imports and exports the graph line by line.
package neo4jbulk

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
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// Bulk imports and exports graphs. It is safe for concurrent use.
type Bulk struct {
	client     *bolt.Client
	config     *neo4jentity.Config
	audit      *neo4jaudit.Store
	exclusions *neo4jentity.ExclusionCache
	texts      *neo4jentity.Texts
	reads      *neo4jentity.Reader
	writes     *neo4jentity.JudgedWriter
	types      *neo4jentity.TypeMaker
}

var _ graph.BulkStore = (*Bulk)(nil)

// New creates what imports and exports.
func New(core *neo4jentity.Core) *Bulk {
	return &Bulk{
		client: core.Client, config: core.Config, audit: core.Audit, exclusions: core.Exclusions, texts: core.Texts, reads: core.Reads,
		writes: core.Writes.Judged, types: core.NewTypeMaker(true),
	}
}

// Import starts an import: see graph.BulkStore.
func (b *Bulk) Import(on graph.OnConflict) graph.Importer { return b.newImporter(on, false) }

// CheckImport starts an import that writes nothing: see graph.BulkStore.
func (b *Bulk) CheckImport(on graph.OnConflict) graph.Importer { return b.newImporter(on, true) }

func (b *Bulk) newImporter(on graph.OnConflict, checkOnly bool) *importer {
	core := &importCore{Bulk: b, on: on, checkOnly: checkOnly, earlier: newEarlierLines()}
	lines := &lineFinder{core}
	return &importer{
		importCore: core, lines: lines, ends: &bulkEndResolver{importCore: core, lines: lines},
		checks: &lineChecker{core},
		merges: &lineMerger{core, lines},
	}
}

// importCore is what the steps of a running import use.
type importCore struct {
	*Bulk
	on        graph.OnConflict
	checkOnly bool // nothing is written
	earlier   *earlierLines
}

// importer is a running import: see graph.Importer. It decides for each line whether it is created, merged or skipped.
type importer struct {
	*importCore
	lines  *lineFinder
	ends   *bulkEndResolver
	checks *lineChecker
	merges *lineMerger
}

// Types registers labels in a given order: see graph.Importer.
func (i *importer) Types(ctx context.Context, labels []graph.TypeName) error {
	if i.checkOnly {
		return nil
	}
	i.types.Names.Refresh(ctx)
	for _, label := range neo4jview.LabelsAllowed(rules.ViewOf(ctx), rules.Create, labels) {
		isNew := len(i.types.Names.Unknown([]string{string(label)}, nil, nil).Labels) > 0
		if err := i.types.Names.Reserve(ctx, []string{string(label)}, nil, nil); err != nil {
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
	ends       [2]neo4jentity.Reference // of an edge
	declared   *declared.Types          // as of the lines that are written together
}

func (it *importLine) fail(err error) { it.result.Fault = fault.As(err) }

func (it *importLine) isPending() bool { return it.result.Fault == nil && it.result.Done == 0 }

// Write writes lines: see graph.Importer. Nodes are written before edges; an edge that refers to a node of a later line fails.
func (i *importer) Write(ctx context.Context, lines []graph.BulkLine) ([]graph.BulkResult, error) {
	ctx = journal.WithCause(ctx, journal.Cause{Import: audit.ActorFrom(ctx).RequestID})
	types, err := i.reads.Types.TypesForWrite(ctx)
	if err != nil {
		return nil, err
	}
	results := make([]graph.BulkResult, len(lines))
	var byKind [2][]*importLine
	for n, line := range lines {
		it := &importLine{line: line, result: &results[n], declared: types}
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
	for n, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
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

func (i *importer) writeKind(ctx context.Context, k graph.Kind, all []*importLine) error {
	if k == graph.EdgeKind {
		if err := i.ends.resolveEnds(ctx, all); err != nil {
			return err
		}
	}
	existing, err := i.lines.findExisting(ctx, k, all)
	if err != nil {
		return err
	}
	exists, err := i.lines.existsForUser(ctx, k, existing)
	if err != nil {
		return err
	}
	isNew := func(it *importLine) bool { return existing[it.id] == nil || !exists[existing[it.id].ElementID] }
	i.checks.authorizeCreates(ctx, k, all, func(it *importLine) bool { return isNew(it) || i.on == graph.OnConflictError })
	if err := i.checks.rejectDeletedIDs(ctx, k, all, existing); err != nil {
		return err
	}
	var ends map[string][]string
	if !i.checkOnly {
		if ends, err = i.ends.endLabels(ctx, k, all); err != nil {
			return err
		}
	}
	var created, merge []*importLine
	for _, it := range all {
		if !it.isPending() {
			continue
		}
		if err := i.checks.validateLine(ctx, k, it, isNew(it), ends); err != nil {
			if !bolt.IsRowError(err) {
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
		return i.merges.checkMerges(ctx, k, merge, existing)
	}
	if err := (lineCreator{i.importCore}).createLines(ctx, k, created); err != nil {
		return err
	}
	return i.merges.mergeLines(ctx, k, merge, existing)
}

// resolveConflict handles a line whose id exists already. It reports whether the line may change the entity.
func (i *importer) resolveConflict(k graph.Kind, it *importLine, at *neo4jentity.Record) bool {
	if k == graph.EdgeKind {
		same := at.Names[0] == it.types[0] && at.Source.ElementID == it.ends[0].ElementID && at.Target.ElementID == it.ends[1].ElementID
		if !same && i.on == graph.OnConflictMerge {
			it.fail(fault.New(fault.Conflict, "This id exists already",
				fault.Detail{Field: "id", Message: "belongs to an edge of another type or between other nodes"}))
			return false
		}
	} else {
		i.earlier.rememberNode(it, it.referenceOf(k, at))
	}
	if i.on == graph.OnConflictSkip {
		it.result.Done = graph.BulkSkipped
	}
	return true
}

// referenceOf is the entity that has the line's id, with the id that it must still have.
func (it *importLine) referenceOf(k graph.Kind, at *neo4jentity.Record) neo4jentity.Reference {
	ref := neo4jentity.Reference{ElementID: at.ElementID}
	if !neo4jentity.IsElementID(k, it.id) {
		ref.Own = it.id
	}
	return ref
}

// assumeCreated treats lines as if they had created their entities.
func (i *importer) assumeCreated(ctx context.Context, k graph.Kind, all []*importLine) {
	for _, it := range all {
		it.result.Done = graph.BulkCreated
		if k == graph.NodeKind {
			i.earlier.assumeNode(it, neo4jview.RightsOf(rules.ViewOf(ctx), rules.Read, k, it.types, graph.Stored(it.properties)).Granted())
		}
	}
}

// idTaken is the fault of a line whose id belongs to an entity.
func idTaken(k graph.Kind) error {
	return fault.New(fault.Conflict, "This id exists already", fault.Detail{Field: "id", Message: "belongs to " + kindWithArticle(k)})
}

func kindWithArticle(k graph.Kind) string {
	if k == graph.EdgeKind {
		return "an edge in the database"
	}
	return "a node in the database"
}
