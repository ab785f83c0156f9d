package neo4jstore_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestDiffsShowWhatAViewAllows compares the diffs of change sets with the rules evaluated on a copy of the graph to which the operations
// are applied, for generated views, operations, graphs, and for authors and other readers. Each diff is searched for values
// that only hidden entities have.
func TestDiffsShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	checkRules(t, func(r *rapid.T) {
		g := &writtenGraph{store: s}
		db.Exec(t, "MATCH (n:Person) DETACH DELETE n", nil)
		g.fill(t, r)
		db.Exec(t, "MATCH (n:Person) SET n.name = 'stored ' + n.name", nil)
		d := &diffOracle{importedGraph: readImported(t, g), own: rapid.Bool().Draw(r, "own"), written: map[string]map[string]bool{}}
		d.view = drawWriteView(r)
		operations, _, err := s.ChangeSets.SetBases(t.Context(), g.drawOperations(r))
		require.NoError(r, err)
		d.simulate(operations)
		reader := bob
		if d.own {
			reader = ada
		}
		ctx := rules.WithView(t.Context(), d.view)
		d.own = d.own || d.view.ShowsAll() // who sees everything gets what the author gets
		diff, err := s.ChangeSets.Diff(ctx, changeset.Set{Author: ada}, reader, operations)
		require.NoError(r, err)
		d.compare(ctx, r, g, diff)
	})
}

// diffOracle is a graph to which operations were applied without any rights. Entities are by id, new ones by "ref " and their ref.
type diffOracle struct {
	*importedGraph
	own         bool
	nodesAfter  map[string]importedEntity
	edgesAfter  map[string]importedEntity
	written     map[string]map[string]bool // properties that operations write, by id
	named       map[string]bool            // ids that operations name
	misses      map[string]bool            // refs of new edges of which an end did not exist
	newEntities map[string]graph.Kind
}

func keyOf(r graph.EntityRef) string {
	if r.Ref != "" {
		return "ref " + r.Ref
	}
	return r.ID
}

func (d *diffOracle) after(kind graph.Kind) map[string]importedEntity {
	if kind == graph.EdgeKind {
		return d.edgesAfter
	}
	return d.nodesAfter
}

func (d *diffOracle) before(kind graph.Kind) map[string]importedEntity {
	if kind == graph.EdgeKind {
		return d.edges
	}
	return d.nodes
}

func (d *diffOracle) simulate(operations []graph.Operation) {
	d.nodesAfter, d.edgesAfter = maps.Clone(d.nodes), maps.Clone(d.edges)
	d.named, d.misses, d.newEntities = map[string]bool{}, map[string]bool{}, map[string]graph.Kind{}
	for _, o := range operations {
		kind, key := o.Op.Kind(), keyOf(o.Entity)
		all := d.after(kind)
		switch {
		case o.Op.Creates():
			key = "ref " + o.Ref
			one := importedEntity{
				labels: []string{string(o.Type)}, properties: o.Properties, source: keyOf(o.Source), target: keyOf(o.Target),
			}
			if kind == graph.EdgeKind {
				for _, end := range []string{one.source, one.target} {
					_, found := d.nodesAfter[end]
					d.misses[key] = d.misses[key] || !found
				}
			}
			all[key], d.newEntities[key] = one, kind
			continue
		case o.Op == graph.OpUpdateNode, o.Op == graph.OpUpdateEdge:
			if held, found := all[key]; found {
				held.properties = graph.ApplyChange(held.properties, o.Properties)
				all[key] = held
			}
			if d.written[key] == nil {
				d.written[key] = map[string]bool{}
			}
			for name := range o.Properties {
				d.written[key][name] = true
			}
		default:
			_, found := all[key]
			delete(all, key)
			maps.DeleteFunc(d.edgesAfter, func(_ string, e importedEntity) bool {
				return found && kind == graph.NodeKind && (e.source == key || e.target == key)
			})
		}
		if o.Entity.Ref == "" {
			d.named[key] = true
		}
	}
}

// shown is what the reader sees of an entity after the operations; nil if it is not visible.
func (d *diffOracle) shown(kind graph.Kind, key string) graph.Properties {
	one, exists := d.after(kind)[key]
	held, existed := d.before(kind)[key]
	if !exists || existed && !d.sees(kind, held) {
		return nil
	}
	rights := d.rights(rules.Read, kind, one)
	if !rights.Granted() {
		return nil
	}
	seesEnds := func() bool {
		return d.shown(graph.NodeKind, one.source) != nil && d.shown(graph.NodeKind, one.target) != nil
	}
	if kind == graph.EdgeKind && (d.misses[key] || !seesEnds()) {
		return nil
	}
	p := maps.Clone(rights.Project(one.properties))
	if existed {
		seen := d.rights(rules.Read, kind, held).Project(held.properties)
		maps.DeleteFunc(p, func(name string, _ graph.Value) bool {
			_, before := seen[name]
			return !before && !d.written[key][name]
		})
	}
	return p
}

func (d *diffOracle) compare(ctx context.Context, r *rapid.T, g *writtenGraph, diff changeset.Diff) {
	found := map[string]bool{}
	for _, e := range diff.Entities {
		if e.ID == "" {
			d.compareNew(r, e)
			found["ref "+e.Ref] = true
			continue
		}
		found[e.ID] = true
		before, visible := g.readFor(ctx, e.Kind, e.ID)
		if !visible {
			require.True(r, d.own, "%s is hidden", e.ID)
			require.Nil(r, e.Before, e.ID)
			require.Nil(r, e.After, e.ID)
			continue
		}
		require.NotNil(r, e.Before, e.ID)
		require.Equal(r, before, e.Before.Properties, e.ID)
		requireState(r, d.shown(e.Kind, e.ID), e.After)
	}
	for id := range d.named {
		for _, kind := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
			if held, exists := d.before(kind)[id]; exists && d.sees(kind, held) {
				require.True(r, found[id], "%s is missing", id)
			}
		}
	}
	for key, kind := range d.newEntities {
		require.Equal(r, d.own || d.shown(kind, key) != nil, found[key], "%s", key)
	}
	text := string(changeset.AppendDiff(nil, &diff))
	for id, n := range d.nodes {
		rights := d.rights(rules.Read, graph.NodeKind, n)
		if !rights.Granted() || rights.Hides("name") {
			require.NotContains(r, text, fmt.Sprint(n.properties["name"]), id)
		}
	}
}

func (d *diffOracle) compareNew(r *rapid.T, e *changeset.Entity) {
	require.Nil(r, e.Before)
	if !d.own {
		requireState(r, d.shown(e.Kind, "ref "+e.Ref), e.After)
		return
	}
	one, exists := d.after(e.Kind)["ref "+e.Ref]
	require.Equal(r, exists, e.After != nil, e.Ref)
	if exists {
		require.Equal(r, stripNull(one.properties), stripNull(e.After.Properties))
	}
}

func requireState(r *rapid.T, want graph.Properties, got *changeset.State) {
	if want == nil {
		require.Nil(r, got)
		return
	}
	require.NotNil(r, got)
	require.Equal(r, stripNull(want), stripNull(got.Properties))
}

func stripNull(p graph.Properties) graph.Properties {
	kept := graph.Properties{}
	for key, value := range p {
		if value != nil {
			kept[key] = value
		}
	}
	return kept
}

// readFor reads the properties of an entity as its user sees them.
func (g *writtenGraph) readFor(ctx context.Context, kind graph.Kind, id string) (graph.Properties, bool) {
	if kind == graph.EdgeKind {
		e, err := g.store.Edge(ctx, id)
		return e.Properties, err == nil
	}
	n, err := g.store.Node(ctx, id)
	return n.Properties, err == nil
}
