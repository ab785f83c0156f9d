package neo4jschema

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// parallelSamples is how many types of one schema are sampled at the same time.
const parallelSamples = 4

// visibleSchema is the part of a schema that the user may know: the types of the grants, and of a type that a condition narrows neither
// counts nor what was observed in its entities, because others than the visible ones are among them. Properties that are hidden on some
// entities are observed once more, on those that show them.
func (r *SchemaReader) visibleSchema(ctx context.Context, whole graph.Schema) (graph.Schema, error) {
	if rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return whole, nil
	}
	labels, types, err := r.managed(ctx, ReadAge)
	if err != nil {
		return graph.Schema{}, err
	}
	nodes, edges := sightOf(ctx, graph.NodeKind), sightOf(ctx, graph.EdgeKind)
	shown := graph.Schema{AsOf: whole.AsOf, NodeTypes: []graph.NodeType{}, EdgeTypes: []graph.EdgeType{}}
	samples, ctx := errgroup.WithContext(ctx)
	samples.SetLimit(parallelSamples)
	observe := func(k kindSight, name string, properties *[]graph.PropertyUse, sampled int64, managed []string) {
		if *properties = k.properties(name, *properties); k.hidesSome(name, *properties) {
			samples.Go(func() (err error) {
				*properties, err = r.observeShown(ctx, k, name, *properties, sampled, managed)
				return err
			})
		}
	}
	for _, t := range whole.NodeTypes {
		if nodes.showsType(t.Type) {
			shown.NodeTypes = append(shown.NodeTypes, nodes.nodeType(t))
		}
	}
	for _, t := range whole.EdgeTypes {
		if edges.showsType(t.Type) {
			shown.EdgeTypes = append(shown.EdgeTypes, edges.edgeType(t))
		}
	}
	for i := range shown.NodeTypes {
		t := &shown.NodeTypes[i]
		observe(nodes, t.Type, &t.Properties, t.Sampled, labels)
	}
	for i := range shown.EdgeTypes {
		t := &shown.EdgeTypes[i]
		observe(edges, t.Type, &t.Properties, t.Sampled, types)
	}
	isShown := func(entity string, types, properties []string) bool {
		sight := nodes
		if graph.Kind(entity) == graph.EdgeKind {
			sight = edges
		}
		return !slices.ContainsFunc(types, func(t string) bool {
			return !sight.showsType(t) || slices.ContainsFunc(properties, func(p string) bool { return sight.hides(t, p) })
		})
	}
	shown.Indexes = slices.DeleteFunc(slices.Clone(whole.Indexes), func(i graph.Index) bool {
		return !isShown(i.Entity, i.Types, i.Properties)
	})
	shown.Constraints = slices.DeleteFunc(slices.Clone(whole.Constraints), func(c graph.Constraint) bool {
		return !isShown(c.Entity, c.Types, c.Properties)
	})
	return shown, samples.Wait()
}

// kindSight is what a view shows of the types of a kind.
type kindSight struct {
	kind    graph.Kind
	scopes  []rules.Scope
	visible neo4jview.Predicate // of the entities
	mayHide []string            // properties
	allEnds bool                // every node is visible
}

func sightOf(ctx context.Context, k graph.Kind) kindSight {
	v := rules.ViewOf(ctx)
	return kindSight{
		kind: k, scopes: v.Scopes(rules.Read, k), visible: neo4jview.PredicateOf(ctx, k), mayHide: v.MayHide(k),
		allEnds: k == graph.NodeKind || slices.ContainsFunc(v.Scopes(rules.Read, graph.NodeKind), rules.Scope.HasAll),
	}
}

func (k kindSight) showsType(name string) bool {
	return slices.ContainsFunc(k.scopes, func(s rules.Scope) bool { return s.Covers(name) })
}

// narrows reports whether only those entities of a type are visible that meet a condition, or have certain ends.
func (k kindSight) narrows(name string) bool {
	return !k.allEnds || !slices.ContainsFunc(k.scopes, func(s rules.Scope) bool { return s.Covers(name) && len(s.Conditions) == 0 })
}

// hides reports whether no entity of a type shows a property.
func (k kindSight) hides(name, property string) bool {
	return slices.Contains(k.mayHide, property) && k.visible.Shown("", name, property) == cypher.False
}

// hidesSome reports whether an entity of a type may hide one of the properties.
func (k kindSight) hidesSome(name string, properties []graph.PropertyUse) bool {
	return slices.ContainsFunc(properties, func(p graph.PropertyUse) bool {
		return slices.Contains(k.mayHide, p.Name) && k.visible.Shown("", name, p.Name) != cypher.Fragment{}
	})
}

func (k kindSight) nodeType(t graph.NodeType) graph.NodeType {
	if t.Partial = k.narrows(t.Type); t.Partial {
		t.Count, t.Sampled, t.Properties = 0, 0, nil
	}
	t.Declared, t.Style = k.declaration(t.Type, t.Declared), k.style(t.Type, t.Style)
	return t
}

func (k kindSight) edgeType(t graph.EdgeType) graph.EdgeType {
	if t.Partial = k.narrows(t.Type); t.Partial {
		t.Count, t.Sampled, t.Properties, t.Connections, t.ConnectionsExact = 0, 0, nil, []graph.Connection{}, false
	}
	t.Declared = k.declaration(t.Type, t.Declared)
	return t
}

// properties are those of a type that some entities show.
func (k kindSight) properties(name string, all []graph.PropertyUse) []graph.PropertyUse {
	shown := slices.Clone(all)
	if shown == nil {
		shown = []graph.PropertyUse{}
	}
	return slices.DeleteFunc(shown, func(p graph.PropertyUse) bool { return k.hides(name, p.Name) })
}

// declaration is that of a type, unless a property is hidden on all entities of the type.
func (k kindSight) declaration(name string, declared *graph.DeclaredType) *graph.DeclaredType {
	if slices.ContainsFunc(k.mayHide, func(property string) bool { return k.hides(name, property) }) {
		return nil
	}
	return declared
}

// style is the style of a type without the name of a property that is not shown.
func (k kindSight) style(name string, whole *graph.StyleOfType) *graph.StyleOfType {
	if whole == nil || !k.narrows(name) && !k.hides(name, whole.Caption) {
		return whole
	}
	shown := *whole
	shown.Caption = ""
	return &shown
}

// observeShown replaces what was observed of the properties that may be hidden by what the visible values are, in as many entities. It
// leaves out one that none of these shows.
func (r *SchemaReader) observeShown(
	ctx context.Context, k kindSight, name string, properties []graph.PropertyUse, sampled int64, managed []string,
) ([]graph.PropertyUse, error) {
	of := sampledProperties{kind: k.kind, name: name, limit: max(sampled, sampleSize)}
	of.shown, of.view = k.visible.KeyShown(name, k.mayHide)
	seen, err := r.sampleProperties(ctx, of, managed)
	if err != nil {
		return nil, err
	}
	shown := properties[:0]
	for _, p := range properties {
		if slices.Contains(k.mayHide, p.Name) {
			observed := seen.properties[p.Name]
			if observed == nil {
				continue
			}
			p.Types, p.Presence = observed.typeNames(), float64(observed.uses)/float64(seen.sampled)
		}
		shown = append(shown, p)
	}
	return shown, nil
}
