package neo4jstore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// withView is the same graph with another view.
func (vg *viewedGraph) withView(view *rules.View) *viewedGraph {
	other := *vg
	other.view = view
	return &other
}

// TestMergedReadsShowWhatEachViewAllows: concurrent reads by users with different views, and by one without, share statements.
func TestMergedReadsShowWhatEachViewAllows(t *testing.T) {
	testmark.Concurrent(t)
	vg := newViewedGraph(t)
	nodeIDs, edgeIDs := sortedIDs(vg.nodes), sortedIDs(vg.edges)
	checkRules(t, func(r *rapid.T) {
		type result struct {
			edge graph.Edge
			node graph.Node
			errs [2]error
		}
		type read struct {
			view       *rules.View
			node, edge string
			ends       bool
			result     result
		}
		views := []*rules.View{nil, drawView(r), drawView(r), drawView(r)}
		var reads []*read
		for range rapid.IntRange(2, 24).Draw(r, "reads") {
			reads = append(reads, &read{
				view: rapid.SampledFrom(views).Draw(r, "view"),
				node: rapid.SampledFrom(nodeIDs).Draw(r, "node"), edge: rapid.SampledFrom(edgeIDs).Draw(r, "edge"),
				ends: rapid.Bool().Draw(r, "ends"),
			})
		}
		var group sync.WaitGroup
		for _, one := range reads {
			group.Go(func() {
				ctx := rules.WithView(t.Context(), one.view)
				readEdge := vg.store.Edge
				if one.ends {
					readEdge = vg.store.EdgeWithEnds
				}
				one.result.edge, one.result.errs[0] = readEdge(ctx, one.edge)
				one.result.node, one.result.errs[1] = vg.store.Node(ctx, one.node)
			})
		}
		group.Wait()
		for _, one := range reads {
			seen := vg.withView(one.view)
			edge, visible := seen.edge(one.edge)
			if one.ends {
				edge.Ends = seen.endsOf(edge)
			}
			requireRead(r, visible, edge, one.result.edge, one.result.errs[0])
			node, visible := seen.node(one.node)
			requireRead(r, visible, node, one.result.node, one.result.errs[1])
		}
	})
}

// sentStatements records the names of the statements that the database has answered.
type sentStatements struct {
	mu    sync.Mutex
	names []string
	wrong []string
}

func (s *sentStatements) Statement(_ context.Context, name, _ string, _ time.Time, failure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, name)
	if strings.HasPrefix(failure, "Neo.ClientError.") {
		s.wrong = append(s.wrong, name+": "+failure)
	}
}

// refused are the statements that the database found wrong.
func (s *sentStatements) refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrong
}

func (s *sentStatements) has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.names, name)
}

func (s *sentStatements) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names
	s.names = nil
	return names
}

// TestEndsOfAnEdgeCostNoRoundTrip: a view whose conditions concern the ends of an edge costs no statement more than none.
func TestEndsOfAnEdgeCostNoRoundTrip(t *testing.T) {
	testmark.Concurrent(t)
	sent := &sentStatements{}
	vg := newViewedGraphWith(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	grants, f := rules.ParseGrants("grants", `[{"kind":"edge","type":"*","actions":["read","edit"]},
		{"kind":"node","type":"*","actions":["read"],"where":{"level":{"in":[0,1]},"name":{"exists":true}}}]`)
	require.Nil(t, f)
	view := rules.NewView(rules.User{ID: "1", Name: "ann"}, nil, []rules.Role{{Name: "r", Grants: grants}})
	vg, ctx := vg.withView(view), rules.WithView(t.Context(), view)
	visible := 0
	for _, id := range sortedIDs(vg.edges) {
		want, seen := vg.edge(id)
		_, _ = vg.store.Edge(t.Context(), id) // the id is in the cache
		sent.take()
		_, err := vg.store.Edge(t.Context(), id)
		require.NoError(t, err)
		without := readStatements(sent.take())
		got, err := vg.store.Edge(ctx, id)
		require.Equal(t, without, readStatements(sent.take()))
		require.Equal(t, seen, err == nil, "%v: %v", want, err)
		if seen {
			visible++
			require.Equal(t, want, got)
			_, err = vg.store.UpdateEdge(ctx, id, graph.Change{Properties: graph.Properties{"seen": true}})
			require.NoError(t, err)
			require.NotContains(t, readStatements(sent.take()), "nodes_by_element", "the lock has read the ends")
		}
	}
	require.Positive(t, visible)
	require.Less(t, visible, len(vg.edges))
}

// readStatements are the look-ups among some statements; others may run in the background.
func readStatements(names []string) (reads []string) {
	for _, name := range names {
		if strings.HasPrefix(name, "nodes_by") || strings.HasPrefix(name, "edges_by") {
			reads = append(reads, name)
		}
	}
	return reads
}

// TestSearchAndSchemaShowWhatAViewAllows compares hits with words in visible properties of visible nodes, and the schema with what is
// visible.
func TestSearchAndSchemaShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	_, err := vg.store.CreateSearchIndex(t.Context(), graph.NewSearchIndex{
		Name: "words", Kind: graph.NodeKind, Types: []graph.TypeName{"Person", "City"}, Properties: []string{"name", "owner"},
	})
	require.NoError(t, err)
	_, err = vg.store.CreateSearchIndex(t.Context(), graph.NewSearchIndex{
		Name: "notes", Kind: graph.EdgeKind, Types: []graph.TypeName{"ROAD"}, Properties: []string{"note"},
	})
	require.NoError(t, err)
	vg.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	vg.db.Exec(t, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", nil)
	checkRules(t, func(r *rapid.T) {
		vg := vg.withView(drawView(r))
		ctx := rules.WithView(t.Context(), vg.view)
		rapid.SampledFrom([]func(context.Context, *rapid.T){vg.checkSearch, vg.checkSchema}).Draw(r, "question")(ctx, r)
	})
}

func (vg *viewedGraph) checkSearch(ctx context.Context, r *rapid.T) {
	var q graph.SearchQuery
	q.Limit = 200
	for range rapid.IntRange(1, 2).Draw(r, "words") {
		word := rapid.SampledFrom([]string{"ann", "bob", "p1", "p4", "c3", "r4", "nothing"}).Draw(r, "word")
		q.Words = append(q.Words, graph.Word{Text: word})
	}
	if rapid.Bool().Draw(r, "named") {
		q.Properties = []string{"owner"}
	}
	matched := func(p graph.Properties) []string {
		names := map[string]bool{}
		for _, word := range q.Words {
			found := false
			for _, name := range []string{"name", "note", "owner"} {
				if p[name] == word.Text && (len(q.Properties) == 0 || slices.Contains(q.Properties, name)) {
					found, names[name] = true, true
				}
			}
			if !found {
				return nil
			}
		}
		return slices.Sorted(maps.Keys(names))
	}
	want := map[string][]string{} // the matched properties by id
	for id := range vg.nodes {
		n, seen := vg.node(id)
		indexed := slices.Contains(n.Labels, "Person") || slices.Contains(n.Labels, "City")
		if names := matched(n.Properties); seen && indexed && names != nil {
			want[id] = names
		}
	}
	for id := range vg.edges {
		e, seen := vg.edge(id)
		if names := matched(e.Properties); seen && e.Type == "ROAD" && names != nil {
			want[id] = names
		}
	}
	found, err := vg.store.Search(ctx, q)
	if fault.CodeOf(err) == fault.Validation && len(q.Properties) > 0 { // no entity shows the property
		require.Empty(r, want)
		return
	}
	require.NoError(r, err, "%s", chainOf(err))
	require.EqualValues(r, len(want), *found.Total)
	got := map[string][]string{}
	for _, hit := range found.Items {
		if hit.Kind == graph.NodeKind {
			n, _ := vg.node(hit.Node.ID)
			require.Equal(r, n, hit.Node)
		} else {
			e, _ := vg.edge(hit.Edge.ID)
			require.Equal(r, e, hit.Edge)
		}
		got[hit.Node.ID+hit.Edge.ID] = hit.Matched
	}
	require.Equal(r, want, got, "%v in %v", q.Words, q.Properties)
}

func (vg *viewedGraph) checkSchema(ctx context.Context, r *rapid.T) {
	schema, err := vg.store.Schema(ctx)
	require.NoError(r, err)
	names, all := vg.view.Names(rules.Read, graph.NodeKind)
	for _, typ := range schema.NodeTypes {
		require.True(r, all || slices.Contains(names, typ.Type), typ.Type)
		total, seen := 0, []graph.Properties{}
		for id, whole := range vg.nodes {
			if slices.Contains(whole.Labels, typ.Type) {
				total++
				if n, visible := vg.node(id); visible {
					seen = append(seen, n.Properties)
				}
			}
		}
		requireObserved(r, typ.Type, total, seen, typ.Partial, typ.Count, typ.Properties)
	}
	names, all = vg.view.Names(rules.Read, graph.EdgeKind)
	for _, typ := range schema.EdgeTypes {
		require.True(r, all || slices.Contains(names, typ.Type), typ.Type)
		total, seen := 0, []graph.Properties{}
		for id, whole := range vg.edges {
			if whole.Type == typ.Type {
				total++
				if e, visible := vg.edge(id); visible {
					seen = append(seen, e.Properties)
				}
			}
		}
		requireObserved(r, typ.Type, total, seen, typ.Partial, typ.Count, typ.Properties)
	}
}

// requireObserved compares what the schema says of a type with the visible entities.
func requireObserved(
	r *rapid.T, typ string, total int, seen []graph.Properties, partial bool, count int64, properties []graph.PropertyUse,
) {
	if partial {
		require.Zero(r, count, typ)
		require.Empty(r, properties, typ)
		return
	}
	require.Len(r, seen, total, typ)
	require.EqualValues(r, total, count, typ)
	want, got := map[string]float64{}, map[string]float64{}
	types := map[string][]string{}
	for _, p := range seen {
		for key, value := range p {
			want[key] += 1 / float64(total)
			types[key] = append(types[key], fmt.Sprintf("%T", value))
		}
	}
	for _, p := range properties {
		got[p.Name] = p.Presence
		for _, kind := range slices.Compact(slices.Sorted(slices.Values(types[p.Name]))) {
			name := map[string]string{"string": "String", "int64": "Integer", "float64": "Float"}[kind]
			require.True(r, name == "" || slices.Contains(p.Types, name), "%s of %s.%s in %v", kind, typ, p.Name, p.Types)
		}
	}
	require.InDeltaMapValues(r, want, got, 1e-9, typ)
}

// TestHiddenIDsCostWhatMissingOnesDo: a read of an id that its user does not see runs as many look-ups as one of an id that does not exist.
func TestHiddenIDsCostWhatMissingOnesDo(t *testing.T) {
	testmark.EveryRelease(t)
	sent := &sentStatements{}
	s, _ := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	create := func(typ graph.TypeName) string {
		made, err := s.CreateNode(t.Context(), graph.NewNode{Type: typ})
		require.NoError(t, err)
		return made.Entity.ID
	}
	ids := []string{create("Person"), create("City"), create("Person")}
	made, err := s.CreateEdge(t.Context(), graph.NewEdge{Type: "KNOWS", SourceID: ids[0], TargetID: ids[2]})
	require.NoError(t, err)
	_, err = s.CreateEdge(t.Context(), graph.NewEdge{Type: "LIKES", SourceID: ids[0], TargetID: ids[2]})
	require.NoError(t, err)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"City","actions":["read"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	lookUps := func(read func(id string) error, id string) int {
		sent.take()
		require.Equal(t, fault.NotFound, fault.CodeOf(read(id)))
		return len(readStatements(sent.take()))
	}
	missing := func(id string) string { return id[:len(id)-4] + "0000" }
	for name, c := range map[string]struct {
		id   string
		read func(id string) error
	}{
		"node":    {ids[0], func(id string) error { _, err := s.Node(ctx, id); return err }},
		"degree":  {ids[0], func(id string) error { _, err := s.Walks.Degree(ctx, id); return err }},
		"edge":    {made.Entity.ID, func(id string) error { _, err := s.Edge(ctx, id); return err }},
		"edge by": {made.Entity.ID, func(id string) error { _, err := s.EdgeWithEnds(ctx, id); return err }},
	} {
		require.Equal(t, lookUps(c.read, missing(c.id)), lookUps(c.read, c.id), name)
	}
}
