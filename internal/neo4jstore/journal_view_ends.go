package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

// endsPerStatement is how many ends of edges one statement looks up.
const endsPerStatement = 1000

// endOf is the key of an end of an edge.
func (v *journalView) endOf(node, record string) endOf {
	if !isElementID(nodes, node) {
		record = ""
	}
	return endOf{node, record}
}

// seesAllNodes reports whether a grant holds for every node in every state.
func (v *journalView) seesAllNodes() bool {
	return slices.ContainsFunc(v.view.Scopes(rules.Read, graph.NodeKind), rules.Scope.HasAll)
}

// findVisibleLiveNodes finds which of the nodes that exist are visible now.
func (v *journalView) findVisibleLiveNodes(ctx context.Context, ids map[string]bool) (map[string]bool, error) {
	reads, elements := v.j.reads, v.j.elements
	m, err := reads.catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	visible := map[string]bool{}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(ids)), endsPerStatement) {
		found, err := reads.findByIDs(ctx, nodes, some)
		if err != nil {
			return nil, err
		}
		byElement := map[string][]string{} // by its own id and by its element id
		for id, e := range found {
			visible[id] = false
			byElement[e.elementID] = append(byElement[e.elementID], id)
		}
		wanted := slices.Sorted(maps.Keys(byElement))
		for len(wanted) > 0 {
			read, release := withScratch(ctx)
			done, err := elements.forEachElement(read, nodes, wanted, 1, func(e *entityRecord) error {
				n, err := reads.node(read, m, e)
				for _, id := range byElement[e.elementID] {
					visible[id] = err == nil && v.view.NodeRights(rules.Read, n.Labels, n.Properties).Granted()
				}
				return err
			})
			release()
			if err != nil {
				return nil, err
			}
			wanted = wanted[done:]
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

// findVisibleLastRecords reads the last records of nodes that do not exist, and of those with an element id.
func (v *journalView) findVisibleLastRecords(ctx context.Context, ids, exists map[string]bool) (map[string]lastRecord, error) {
	var wanted []string
	for id := range ids {
		if _, lives := exists[id]; !lives || isElementID(nodes, id) {
			wanted = append(wanted, entityKey(nodes, id))
		}
	}
	slices.Sort(wanted)
	last := map[string]lastRecord{}
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), endsPerStatement)]
		full, err := v.readLastRecords(ctx, some, last)
		if err != nil {
			return nil, err
		}
		if !full {
			wanted = wanted[len(some):]
			continue
		}
		wanted = slices.DeleteFunc(wanted, func(key string) bool {
			_, known := last[key[len(entityKey(nodes, "")):]]
			return known
		})
	}
	return last, nil
}

func (v *journalView) readLastRecords(ctx context.Context, keys []string, last map[string]lastRecord) (full bool, err error) {
	ctx, release := withScratch(ctx)
	defer release()
	params := map[string]any{"entities": keys, "oldest": v.j.oldest()}
	found, full, err := v.j.records(ctx, cypher.JournalLast, params, max(v.j.config.MaxPageBytes, 1))
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
			visible: v.view.NodeRights(rules.Read, state.Labels, state.Properties).Granted(),
		}
	}
	return full, nil
}
