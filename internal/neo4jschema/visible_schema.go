package neo4jschema

import (
	"context"
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// visibleSchema is the part of a schema that the user may know: the types of the grants, and of a type that a condition narrows neither
// counts nor what was observed in its entities, because others than the visible ones are among them.
func visibleSchema(ctx context.Context, whole graph.Schema) graph.Schema {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return whole
	}
	allNodes := slices.ContainsFunc(v.Scopes(rules.Read, graph.NodeKind), rules.Scope.HasAll)
	shown := graph.Schema{AsOf: whole.AsOf, NodeTypes: []graph.NodeType{}, EdgeTypes: []graph.EdgeType{}}
	for _, t := range whole.NodeTypes {
		sight := sightOfType(v, graph.NodeKind, t.Type)
		if !sight.visible {
			continue
		}
		t.Properties = sight.properties(t.Properties)
		if t.Partial = sight.narrowed; t.Partial {
			t.Count, t.Sampled = 0, 0
		}
		if sight.hides {
			t.Declared = nil
		}
		t.Style = sight.style(t.Style)
		shown.NodeTypes = append(shown.NodeTypes, t)
	}
	for _, t := range whole.EdgeTypes {
		sight := sightOfType(v, graph.EdgeKind, t.Type)
		if !sight.visible {
			continue
		}
		sight.narrowed = sight.narrowed || !allNodes
		t.Properties = sight.properties(t.Properties)
		if t.Partial = sight.narrowed; t.Partial {
			t.Count, t.Sampled, t.Connections, t.ConnectionsExact = 0, 0, []graph.Connection{}, false
		}
		if sight.hides {
			t.Declared = nil
		}
		shown.EdgeTypes = append(shown.EdgeTypes, t)
	}
	isShown := func(entity string, types, properties []string) bool {
		return !slices.ContainsFunc(types, func(t string) bool {
			sight := sightOfType(v, graph.Kind(entity), t)
			return !sight.visible || slices.ContainsFunc(properties, func(p string) bool { return slices.Contains(sight.hidden, p) })
		})
	}
	shown.Indexes = slices.DeleteFunc(slices.Clone(whole.Indexes), func(i graph.Index) bool {
		return !isShown(i.Entity, i.Types, i.Properties)
	})
	shown.Constraints = slices.DeleteFunc(slices.Clone(whole.Constraints), func(c graph.Constraint) bool {
		return !isShown(c.Entity, c.Types, c.Properties)
	})
	return shown
}

// typeSight is what a view shows of a type.
type typeSight struct {
	visible  bool
	narrowed bool // only the entities that meet a condition are visible
	hides    bool // some grant hides a property
	hidden   []string
}

func sightOfType(v *rules.View, kind graph.Kind, name string) typeSight {
	sight := typeSight{narrowed: true}
	for _, s := range v.Scopes(rules.Read, kind) {
		if !s.Covers(name) {
			continue
		}
		sight.visible = true
		sight.narrowed = sight.narrowed && len(s.Conditions) > 0
		sight.hides = sight.hides || len(s.Hidden) > 0
		sight.hidden = append(sight.hidden, s.Hidden...)
	}
	return sight
}

// properties are the properties of a type that are shown: those that no grant hides, and none of a narrowed type.
func (t typeSight) properties(all []graph.PropertyUse) []graph.PropertyUse {
	if t.narrowed {
		return []graph.PropertyUse{}
	}
	return slices.DeleteFunc(slices.Clone(all), func(p graph.PropertyUse) bool { return slices.Contains(t.hidden, p.Name) })
}

// style is the style of a type without the name of a property that is not shown: see properties.
func (t typeSight) style(whole *graph.StyleOfType) *graph.StyleOfType {
	if whole == nil || !t.narrowed && !slices.Contains(t.hidden, whole.Caption) {
		return whole
	}
	shown := *whole
	shown.Caption = ""
	return &shown
}
