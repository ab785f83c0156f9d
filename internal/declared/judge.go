package declared

import (
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Types are all declarations as they were at one moment. They never change once made, and a nil one is that without any.
type Types struct {
	nodes, edges map[string]*Rules
	onlyDeclared bool
	checkedNodes []string // names whose entities are looked at when they are changed
	checkedEdges []string
}

// NewTypes puts declarations together. With onlyDeclared, nothing of another type may be created.
func NewTypes(all []*Rules, onlyDeclared bool) *Types {
	t := &Types{nodes: map[string]*Rules{}, edges: map[string]*Rules{}, onlyDeclared: onlyDeclared}
	for _, r := range all {
		of, checked := t.nodes, &t.checkedNodes
		if r.Kind == graph.EdgeKind {
			of, checked = t.edges, &t.checkedEdges
		}
		of[string(r.Type)] = r
		if r.checksChanges() {
			*checked = append(*checked, string(r.Type))
		}
	}
	slices.Sort(t.checkedNodes)
	slices.Sort(t.checkedEdges)
	return t
}

func (t *Types) of(k graph.Kind) map[string]*Rules {
	switch {
	case t == nil:
		return nil
	case k == graph.EdgeKind:
		return t.edges
	default:
		return t.nodes
	}
}

// Rules are those of a type, or nil.
func (t *Types) Rules(k graph.Kind, name string) *Rules { return t.of(k)[name] }

// Declared are the names of the declared types, in byte order.
func (t *Types) Declared(k graph.Kind) []string {
	names := make([]string, 0, len(t.of(k)))
	for name := range t.of(k) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CheckedOnChange are the names of the types whose entities are looked at before they are changed, in byte order; never nil, since
// it is the parameter of a statement.
func (t *Types) CheckedOnChange(k graph.Kind) []string {
	names := []string{}
	if t != nil {
		names = append(names, t.checkedNodes...)
		if k == graph.EdgeKind {
			names = append([]string{}, t.checkedEdges...)
		}
	}
	return names
}

// NodeType is the type of a node: the first of its labels that is declared, or else the first of all.
func (t *Types) NodeType(labels []string) string {
	if len(labels) > 1 && t != nil && len(t.nodes) > 0 {
		for _, label := range labels {
			if t.nodes[label] != nil {
				return label
			}
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return labels[0]
}

// Ends are the labels of an edge's two nodes.
type Ends struct{ Source, Target []string }

// NeedsEnds says whether a new edge of a type can be judged only with the labels of its ends.
func (t *Types) NeedsEnds(name string) bool {
	r := t.Rules(graph.EdgeKind, name)
	return r != nil && r.Level != graph.LevelNone && r.limitsEnds()
}

// NewNode judges a node that is to be created, by each of its labels. VALIDATION_ERROR.
func (t *Types) NewNode(labels []string, p graph.Properties) error {
	if t == nil {
		return nil
	}
	if t.onlyDeclared && len(labels) == 0 {
		return undeclared()
	}
	var details []fault.Detail
	for _, label := range labels {
		r := t.nodes[label]
		switch {
		case r == nil && t.onlyDeclared:
			return undeclared()
		case r == nil || r.Level == graph.LevelNone:
			continue
		}
		details = join(details, r.Problems(p, Ends{}))
	}
	return invalid(details)
}

// NewEdge judges an edge that is to be created. VALIDATION_ERROR.
func (t *Types) NewEdge(name string, p graph.Properties, ends Ends) error {
	r := t.Rules(graph.EdgeKind, name)
	switch {
	case r == nil && t != nil && t.onlyDeclared:
		return undeclared()
	case r == nil || r.Level == graph.LevelNone:
		return nil
	}
	return invalid(r.Problems(p, ends))
}

// Change judges an entity that is to be changed: a node with these labels, or an edge with this one type and these ends.
// VALIDATION_ERROR. What changes nothing is always allowed.
func (t *Types) Change(k graph.Kind, names []string, before, after graph.Properties, ends Ends) error {
	var details []fault.Detail
	for _, name := range names {
		r := t.Rules(k, name)
		if r == nil || !r.checksChanges() {
			continue
		}
		problems := r.Problems(after, ends)
		if len(problems) > 0 && r.Level == graph.LevelModerate && len(r.Problems(before, ends)) > 0 {
			continue
		}
		details = join(details, problems)
	}
	if len(details) > 0 && graph.EqualProperties(before, after) {
		return nil
	}
	return invalid(details)
}

// Problems are what is wrong with an entity, one for each field, whatever the level.
func (r *Rules) Problems(p graph.Properties, ends Ends) []fault.Detail {
	if r.broken {
		return []fault.Detail{{Field: "type", Message: "has a declaration that this version of the service cannot read; declare the type again"}}
	}
	var details []fault.Detail
	if !fits(ends.Source, r.SourceTypes) {
		details = append(details, fault.Detail{Field: "source_id", Message: "must be a node of type " + names(r.SourceTypes)})
	}
	if !fits(ends.Target, r.TargetTypes) {
		details = append(details, fault.Detail{Field: "target_id", Message: "must be a node of type " + names(r.TargetTypes)})
	}
	if err := r.schema.Validate(object(p)); err != nil {
		details = append(details, r.details(err)...)
	}
	return details
}

func (r *Rules) checksChanges() bool {
	return r.Level == graph.LevelModerate || r.Level == graph.LevelStrict
}

func (r *Rules) limitsEnds() bool { return len(r.SourceTypes)+len(r.TargetTypes) > 0 }

func fits(labels []string, types []graph.TypeName) bool {
	return len(types) == 0 || slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(types, graph.TypeName(label)) })
}

func names(types []graph.TypeName) string {
	all := make([]string, len(types))
	for i, t := range types {
		all[i] = string(t)
	}
	return alternatives(all, nil)
}

// join adds the details whose fields are not there yet.
func join(details, more []fault.Detail) []fault.Detail {
	for _, d := range more {
		if !slices.ContainsFunc(details, func(known fault.Detail) bool { return known.Field == d.Field }) {
			details = append(details, d)
		}
	}
	return details
}

func invalid(details []fault.Detail) error {
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "The declaration of the type does not allow this", details...)
}

func undeclared() error {
	return fault.Invalid("type", "is not declared, and this service creates entities of declared types only")
}
