package neo4jstore_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// TestImportsAreAuthorizedLineByLine compares imports, and what an import that only checks says before, with the rules evaluated on a copy
// of the graph, for generated views, lines and graphs.
func TestImportsAreAuthorizedLineByLine(t *testing.T) {
	s, db := open(t, nil)
	checkRules(t, func(r *rapid.T) {
		g := &writtenGraph{store: s}
		db.Exec(t, "MATCH (n:Person) DETACH DELETE n", nil)
		db.Exec(t, "MATCH (n:Staff) DETACH DELETE n", nil)
		g.fill(t, r)
		want := readImported(t, g)
		want.view = drawWriteView(r)
		options := []graph.OnConflict{graph.OnConflictError, graph.OnConflictSkip, graph.OnConflictMerge}
		want.on = rapid.SampledFrom(options).Draw(r, "on conflict")
		ctx := rules.WithView(t.Context(), want.view)
		lines := g.drawLines(r)
		checked, err := s.Bulk.CheckImport(want.on).Write(ctx, lines)
		require.NoError(r, err)
		require.Equal(r, want.nodes, readImported(t, g).nodes, "checking changes nothing")
		got, err := s.Bulk.Import(want.on).Write(ctx, lines)
		require.NoError(r, err)
		changes := false // what was checked is the graph as it was before
		for _, i := range orderOfImport(lines) {
			done, code := want.apply(lines[i])
			changes = changes || done == graph.BulkUpdated
			require.Equal(r, []any{done, code}, []any{got[i].Done, codeOfLine(got[i])},
				"line %d: %+v %+v: %v", i, lines[i].Node, lines[i].Edge, got[i].Fault)
			if !changes {
				require.Equal(r, []any{done, code}, []any{checked[i].Done, codeOfLine(checked[i])},
					"checked line %d: %v", i, checked[i].Fault)
			}
		}
		after := readImported(t, g)
		require.ElementsMatch(r, want.contents(), after.contents())
	})
}

func codeOfLine(r graph.BulkResult) fault.Code {
	if r.Fault == nil {
		return ""
	}
	return r.Fault.Code
}

// orderOfImport is the order in which lines are written: nodes, then edges.
func orderOfImport(lines []graph.BulkLine) (order []int) {
	for _, edges := range []bool{false, true} {
		for i := range lines {
			if (lines[i].Edge != nil) == edges {
				order = append(order, i)
			}
		}
	}
	return order
}

// drawLines draws lines for new nodes and edges, for existing ones, and for ones with an id that does not exist.
func (g *writtenGraph) drawLines(r *rapid.T) (lines []graph.BulkLine) {
	fresh := func() string { return uuid.New().String() }
	refs := []string{}
	ids := func(known []string) string {
		switch rapid.IntRange(0, 3).Draw(r, "id") {
		case 0:
			return ""
		case 1:
			return fresh()
		default:
			return rapid.SampledFrom(append([]string{""}, known...)).Draw(r, "existing")
		}
	}
	end := func() graph.BulkEnd {
		if len(refs) > 0 && rapid.Bool().Draw(r, "ref") {
			return graph.BulkEnd{Ref: rapid.SampledFrom(refs).Draw(r, "end ref")}
		}
		return graph.BulkEnd{ID: rapid.SampledFrom(append([]string{fresh()}, g.nodes...)).Draw(r, "end")}
	}
	for i := range rapid.IntRange(1, 8).Draw(r, "lines") {
		line := graph.BulkLine{Number: int64(i) + 1}
		properties := graph.Properties{}
		for key, value := range drawPerson(r, i) {
			if rapid.IntRange(0, 2).Draw(r, "given") > 0 {
				properties[key] = value
			}
		}
		if rapid.IntRange(0, 2).Draw(r, "edge") > 0 {
			labels := rapid.SampledFrom([][]graph.TypeName{{"Person"}, {"Person", "Staff"}, {"Staff"}}).Draw(r, "labels")
			line.Node = &graph.BulkNode{ID: ids(g.nodes), Ref: fmt.Sprint("r", i), Labels: labels, Properties: properties}
			refs = append(refs, line.Node.Ref)
		} else {
			typ := rapid.SampledFrom([]graph.TypeName{"KNOWS", "LIKES"}).Draw(r, "edge type")
			line.Edge = &graph.BulkEdge{ID: ids(g.edges), Type: typ, Source: end(), Target: end(), Properties: properties}
		}
		lines = append(lines, line)
	}
	return lines
}

// importedEntity is a node, or an edge with the keys of its ends.
type importedEntity struct {
	labels         []string
	properties     graph.Properties
	source, target string
}

// importedGraph is a copy of a graph on which an import is evaluated by the rules alone. Entities are by id, new ones without an id by a
// key.
type importedGraph struct {
	view         *rules.View
	on           graph.OnConflict
	nodes, edges map[string]importedEntity
	refs         map[string]string // keys of nodes
}

func readImported(t *testing.T, g *writtenGraph) *importedGraph {
	w := &importedGraph{nodes: map[string]importedEntity{}, edges: map[string]importedEntity{}, refs: map[string]string{}}
	nodes, err := g.store.Nodes(t.Context(), graph.NodeQuery{Paging: graph.Paging{Limit: 100}})
	require.NoError(t, err)
	for _, n := range nodes.Items {
		w.nodes[n.ID] = importedEntity{labels: n.Labels, properties: n.Properties}
	}
	edges, err := g.store.Edges(t.Context(), graph.EdgeQuery{Paging: graph.Paging{Limit: 100}})
	require.NoError(t, err)
	for _, e := range edges.Items {
		w.edges[e.ID] = importedEntity{labels: []string{e.Type}, properties: e.Properties, source: e.SourceID, target: e.TargetID}
	}
	return w
}

// contents are all entities without their ids.
func (w *importedGraph) contents() (all []string) {
	nodeOf := func(n importedEntity) string {
		return fmt.Sprintln(slices.Sorted(slices.Values(n.labels)), n.properties)
	}
	for _, n := range w.nodes {
		all = append(all, nodeOf(n))
	}
	for _, e := range w.edges {
		all = append(all, fmt.Sprintln(e.labels, e.properties, nodeOf(w.nodes[e.source]), nodeOf(w.nodes[e.target])))
	}
	return all
}

func (w *importedGraph) rights(a rules.Action, kind graph.Kind, e importedEntity) rules.Rights {
	if kind == graph.EdgeKind {
		return w.view.EdgeRights(a, e.labels[0], e.properties)
	}
	return w.view.NodeRights(a, e.labels, e.properties)
}

func (w *importedGraph) sees(kind graph.Kind, e importedEntity) bool {
	return w.rights(rules.Read, kind, e).Granted() && (kind == graph.NodeKind || w.seesEnds(e))
}

func (w *importedGraph) seesEnds(e importedEntity) bool {
	return w.sees(graph.NodeKind, w.nodes[e.source]) && w.sees(graph.NodeKind, w.nodes[e.target])
}

// apply evaluates a line and changes the copy.
func (w *importedGraph) apply(line graph.BulkLine) (graph.BulkDone, fault.Code) {
	kind, all := graph.NodeKind, w.nodes
	var id string
	var one importedEntity
	if line.Node != nil {
		id, one.properties = line.Node.ID, line.Node.Properties
		for _, label := range line.Node.Labels {
			one.labels = append(one.labels, string(label))
		}
	} else {
		kind, all, id = graph.EdgeKind, w.edges, line.Edge.ID
		one.labels, one.properties = []string{string(line.Edge.Type)}, line.Edge.Properties
		var found [2]bool
		one.source, found[0] = w.end(line.Edge.Source)
		one.target, found[1] = w.end(line.Edge.Target)
		if !found[0] || !found[1] {
			return 0, fault.Validation
		}
	}
	held, exists := all[id]
	exists = exists && id != ""
	known := exists && (w.on == graph.OnConflictError || w.view.AllowsAll(rules.Read) || w.sees(kind, held) ||
		w.on == graph.OnConflictMerge && w.reaches(kind, held) && w.rights(rules.Edit, kind, held).Granted())
	if (!known || w.on == graph.OnConflictError) && !w.mayCreate(kind, one) {
		return 0, fault.PermissionDenied
	}
	switch {
	case !exists:
		key := id
		if key == "" {
			key = uuid.New().String()
		}
		all[key] = one
		w.remember(line, key)
		return graph.BulkCreated, ""
	case w.on == graph.OnConflictError || !known:
		return 0, fault.Conflict
	}
	other := kind == graph.EdgeKind && (held.labels[0] != one.labels[0] || held.source != one.source || held.target != one.target)
	if other && w.on == graph.OnConflictMerge {
		return 0, fault.Conflict
	}
	w.remember(line, id)
	if w.on == graph.OnConflictSkip {
		return graph.BulkSkipped, ""
	}
	if code := w.merge(kind, held, one.properties); code != "" {
		return 0, code
	}
	held.properties = changed(held.properties, one.properties)
	all[id] = held
	return graph.BulkUpdated, ""
}

func (w *importedGraph) remember(line graph.BulkLine, key string) {
	if line.Node != nil {
		w.refs[line.Node.Ref] = key
	}
}

// end is the node at an end, if it exists for the user.
func (w *importedGraph) end(e graph.BulkEnd) (key string, found bool) {
	key = e.ID
	if e.Ref != "" {
		key = w.refs[e.Ref]
	}
	n, found := w.nodes[key]
	mustSee := !w.view.AllowsAll(rules.Create) && !w.view.AllowsAll(rules.Read)
	return key, found && (!mustSee || w.sees(graph.NodeKind, n))
}

// reaches reports whether an entity may be changed at all: an edge with a hidden end exists only for those who may edit everything, or see
// no node.
func (w *importedGraph) reaches(kind graph.Kind, held importedEntity) bool {
	return kind == graph.NodeKind || w.view.AllowsAll(rules.Edit) || !w.view.Allows(rules.Read, graph.NodeKind) || w.seesEnds(held)
}

func (w *importedGraph) mayCreate(kind graph.Kind, one importedEntity) bool {
	rights := w.rights(rules.Create, kind, one)
	return rights.Granted() && !slices.ContainsFunc(slices.Collect(maps.Keys(one.properties)), rights.Protects)
}

func (w *importedGraph) merge(kind graph.Kind, held importedEntity, change graph.Properties) fault.Code {
	if w.view.AllowsAll(rules.Edit) {
		return ""
	}
	before := w.rights(rules.Edit, kind, held)
	switch {
	case !w.reaches(kind, held):
		return fault.NotFound
	case !before.Granted() && !w.sees(kind, held):
		return fault.NotFound
	}
	result := held
	result.properties = changed(held.properties, change)
	after := w.rights(rules.Edit, kind, result)
	protected := slices.ContainsFunc(slices.Collect(maps.Keys(change)), before.Or(after).Protects)
	if !before.Granted() || !after.Granted() || protected {
		return fault.PermissionDenied
	}
	return ""
}

func changed(p, change graph.Properties) graph.Properties {
	result := maps.Clone(p)
	maps.Copy(result, change)
	return result
}
