package neo4jjournal

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// endsPerStatement is how many ends of edges one statement looks up.
const endsPerStatement = 1000

// visibleNodeReader finds which nodes a view shows: those that exist as they are now, and others by their last records.
type visibleNodeReader struct {
	config   *neo4jentity.Config
	reads    *neo4jentity.Reader
	elements *neo4jentity.ElementReader
	records  *recordReader
}

// findLive finds, of the nodes that exist, which are visible now.
func (vn *visibleNodeReader) findLive(ctx context.Context, view *rules.View, ids []neo4jentity.SoughtID) (map[string]bool, error) {
	m, err := vn.reads.Catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	visible := map[string]bool{}
	for some := range slices.Chunk(ids, endsPerStatement) {
		found, shared, err := vn.reads.FindByIDs(ctx, graph.NodeKind, some)
		if err != nil {
			return nil, err
		}
		for _, id := range shared {
			visible[id] = false // which of them is the end, the records do not tell
		}
		byElement := map[string][]string{} // by its own id and by its element id
		for id, e := range found {
			visible[id] = false
			byElement[e.ElementID] = append(byElement[e.ElementID], id)
		}
		keys, wanted := neo4jview.ConditionKeys(view, graph.NodeKind, rules.Read), slices.Sorted(maps.Keys(byElement))
		judge := func(e *neo4jentity.Record) error {
			n, err := vn.reads.DecodeNode(ctx, m, e)
			for _, id := range byElement[e.ElementID] {
				visible[id] = err == nil && view.NodeRights(rules.Read, n.Labels, n.Properties).Granted()
			}
			return err
		}
		if err := vn.elements.ForEachReferred(ctx, graph.NodeKind, wanted, neo4jentity.EndColumns{}, keys, judge); err != nil {
			return nil, err
		}
	}
	return visible, nil
}

// lastRecord is what the last record of a node says.
type lastRecord struct {
	id      string
	deleted bool
	visible bool // in the state that the record left, or found if it is of a deletion
}

// findByLastRecords reads the last records of nodes that do not exist, and of those with an element id, and whether each is visible by it.
func (vn *visibleNodeReader) findByLastRecords(
	ctx context.Context, view *rules.View, ids, exists map[string]bool,
) (map[string]lastRecord, error) {
	var wanted []string
	for id := range ids {
		if _, lives := exists[id]; !lives || neo4jentity.IsElementID(graph.NodeKind, id) {
			wanted = append(wanted, neo4jentity.EntityKey(graph.NodeKind, id))
		}
	}
	slices.Sort(wanted)
	last := map[string]lastRecord{}
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), endsPerStatement)]
		full, err := vn.readLastRecords(ctx, view, some, last)
		if err != nil {
			return nil, err
		}
		if !full {
			wanted = wanted[len(some):]
			continue
		}
		wanted = slices.DeleteFunc(wanted, func(key string) bool {
			_, known := last[key[len(neo4jentity.EntityKey(graph.NodeKind, "")):]]
			return known
		})
	}
	return last, nil
}

// readLastRecords adds the last records of some nodes; full reports that there are more.
func (vn *visibleNodeReader) readLastRecords(
	ctx context.Context, view *rules.View, keys []string, last map[string]lastRecord,
) (full bool, err error) {
	ctx, release := withScratch(ctx)
	defer release()
	params := map[string]any{"entities": keys, "oldest": oldestKept(vn.config.JournalKeep)}
	found, full, err := vn.records.read(ctx, cypher.JournalLast, params, max(vn.config.MaxPageBytes, 1))
	if err != nil {
		return false, err
	}
	for i := range found {
		r := &found[i]
		state := r.After()
		if state == nil {
			state = r.Before()
		}
		last[r.Entity] = lastRecord{
			id: r.ID, deleted: r.Action == journal.Delete,
			visible: view.NodeRights(rules.Read, state.Labels, state.Properties).Granted(),
		}
	}
	return full, nil
}
