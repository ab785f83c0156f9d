package neo4jwalk

import (
	"cmp"
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// amongFinder finds the edges among some nodes.
type amongFinder struct {
	client   *bolt.Client
	elements *neo4jentity.ElementReader
	reads    *neo4jentity.Reader
	timeouts *neo4jentity.TimeoutExplainer
}

// Among finds the edges among some nodes: see graph.Explorer. One statement finds the element ids of the edges, others read them.
func (f *amongFinder) Among(ctx context.Context, q graph.AmongQuery) (graph.AmongEdges, error) {
	ctx, recorder := bolt.WithTimeoutRecorder(ctx)
	found, err := f.among(ctx, q)
	return found, f.timeouts.ExplainTimeout(ctx, recorder, err, func(_ cypher.Text, cost bolt.PlanCost) []fault.Detail {
		if !cost.Expands {
			return nil
		}
		details := []fault.Detail{{Field: "ids", Message: "these nodes have very many edges to others; send fewer ids"}}
		if len(q.Types) != 1 {
			details = append(details, fault.Detail{Field: "types", Message: "edges of more than one type are followed; name one"})
		}
		return details
	})
}

func (f *amongFinder) among(ctx context.Context, q graph.AmongQuery) (graph.AmongEdges, error) {
	none := graph.AmongEdges{Edges: []graph.Edge{}}
	ends, err := f.resolveShown(ctx, q.NodeIDs)
	if err != nil || len(ends.elementIDs) == 0 {
		return none, err
	}
	slot, types, known, err := f.amongTypes(ctx, q.Types)
	if err != nil || !known {
		return none, err
	}
	view := neo4jview.PredicateOf(ctx, graph.EdgeKind)
	rows, err := f.client.ReadRows(ctx, cypher.EdgesAmong.Text(cypher.Slots{
		"edges": slot, "view": view.Text(""), "limit": cypher.Limit(view.Limits("")),
	}), view.With(map[string]any{
		"elements": ends.elementIDs, "types": types, "max_edges": q.Limit + 1,
	}))
	if err != nil {
		return none, err
	}
	wanted := make([]string, 0, len(rows))
	for _, row := range rows {
		wanted = append(wanted, bolt.Column[string](row, "edge"))
	}
	more := len(wanted) > q.Limit
	found, err := f.edgesAmong(ctx, wanted[:min(len(wanted), q.Limit)], ends.ids)
	found.Truncated = found.Truncated || more
	return found, err
}

// shownNodes are the nodes of an AmongQuery that the user sees, each once.
type shownNodes struct {
	elementIDs []string
	ids        map[string]bool // as clients see them
}

// resolveShown looks the nodes up. A node that does not exist is checked as a hidden one is, so that neither the answer nor its time tells
// them apart.
func (f *amongFinder) resolveShown(ctx context.Context, ids []string) (shownNodes, error) {
	shown := shownNodes{ids: map[string]bool{}}
	m, found, err := f.reads.FindVisibleNodes(ctx, ids)
	if err != nil {
		return shown, err
	}
	for _, id := range ids {
		if found[id] == nil {
			continue
		}
		if at := f.reads.StartAt(m, found[id]); !shown.ids[at.OwnID()] {
			shown.ids[at.OwnID()] = true
			shown.elementIDs = append(shown.elementIDs, at.ElementID)
		}
	}
	return shown, nil
}

// amongTypes fills the slot of the statement with a single type, because a node may have few edges of it and many others. Several types are
// a parameter: each set of names in the text would have a separate plan. Known is false if no edge has one of the types.
func (f *amongFinder) amongTypes(ctx context.Context, names []graph.TypeName) (slot cypher.Fragment, types any, known bool, err error) {
	if names == nil {
		return cypher.AnyEdge, nil, true, nil
	}
	if len(names) > 1 {
		texts := make([]string, len(names))
		for i, name := range names {
			texts[i] = string(name)
		}
		return cypher.AnyEdge, texts, true, nil
	}
	quoted, known, err := f.reads.EdgeTypeSlot(ctx, names[0])
	return cypher.EdgeOf(quoted), nil, known, err
}

// edgesAmong reads edges by element id, up to Config.MaxPageBytes. Edges that were deleted meanwhile are left out, and so are those with an
// end that is not among the nodes any more, because element ids are reused.
func (f *amongFinder) edgesAmong(ctx context.Context, wanted []string, ends map[string]bool) (graph.AmongEdges, error) {
	found := graph.AmongEdges{Edges: []graph.Edge{}}
	m, err := f.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return found, err
	}
	done, err := f.elements.ForEachElement(ctx, graph.EdgeKind, wanted, 1, func(e *neo4jentity.Record) error {
		r, err := f.reads.DecodeEdge(ctx, m, e)
		if err == nil && ends[r.SourceID] && ends[r.TargetID] && neo4jview.ShowEdge(ctx, &r) {
			found.Edges = append(found.Edges, r)
		}
		return err
	})
	found.Truncated = done < len(wanted)
	slices.SortFunc(found.Edges, func(a, b graph.Edge) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID)) })
	return found, bolt.Translate(err)
}
