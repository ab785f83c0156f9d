package declared

import (
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Types is an immutable snapshot of all declarations. Nil has no declarations.
type Types struct {
	nodes, edges   map[string]*Rules
	onlyDeclared   bool
	validatedNodes []string // names of types whose entities are validated on updates
	validatedEdges []string
}

// NewTypes creates a snapshot of declarations. With onlyDeclared, entities of undeclared types cannot be created.
func NewTypes(all []*Rules, onlyDeclared bool) *Types {
	t := &Types{nodes: map[string]*Rules{}, edges: map[string]*Rules{}, onlyDeclared: onlyDeclared}
	for _, r := range all {
		of, checked := t.nodes, &t.validatedNodes
		if r.Kind == graph.EdgeKind {
			of, checked = t.edges, &t.validatedEdges
		}
		of[string(r.Type)] = r
		if r.validatesChanges() {
			*checked = append(*checked, string(r.Type))
		}
	}
	slices.Sort(t.validatedNodes)
	slices.Sort(t.validatedEdges)
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

// Rules returns the rules of a type, or nil.
func (t *Types) Rules(k graph.Kind, name string) *Rules { return t.of(k)[name] }

// Declared returns the names of the declared types, in byte order.
func (t *Types) Declared(k graph.Kind) []string {
	names := make([]string, 0, len(t.of(k)))
	for name := range t.of(k) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CheckedOnChange returns the names of the types whose entities are validated on updates, in byte order; never nil, since it is a
// query parameter.
func (t *Types) CheckedOnChange(k graph.Kind) []string {
	names := []string{}
	if t != nil {
		names = append(names, t.validatedNodes...)
		if k == graph.EdgeKind {
			names = append([]string{}, t.validatedEdges...)
		}
	}
	return names
}

// NodeType returns the type of a node: its first declared label, or else its first label.
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

// Ends has the labels of an edge's two nodes.
type Ends struct{ Source, Target []string }

// NeedsEnds reports whether validating a new edge of a type requires the labels of its ends.
func (t *Types) NeedsEnds(name string) bool {
	r := t.Rules(graph.EdgeKind, name)
	return r != nil && r.Level != graph.LevelNone && r.limitsEnds()
}

// ValidateNewNode validates a node to be created against the declaration of each of its labels. VALIDATION_ERROR.
func (t *Types) ValidateNewNode(labels []string, p graph.Properties) error {
	if t == nil {
		return nil
	}
	if t.onlyDeclared && len(labels) == 0 {
		return undeclaredError()
	}
	var details []fault.Detail
	for _, label := range labels {
		r := t.nodes[label]
		switch {
		case r == nil && t.onlyDeclared:
			return undeclaredError()
		case r == nil || r.Level == graph.LevelNone:
			continue
		}
		details = mergeDetails(details, r.Problems(p, Ends{}))
	}
	return violationError(details)
}

// ValidateNewEdge validates an edge to be created. VALIDATION_ERROR.
func (t *Types) ValidateNewEdge(name string, p graph.Properties, ends Ends) error {
	r := t.Rules(graph.EdgeKind, name)
	switch {
	case r == nil && t != nil && t.onlyDeclared:
		return undeclaredError()
	case r == nil || r.Level == graph.LevelNone:
		return nil
	}
	return violationError(r.Problems(p, ends))
}

// ValidateChange validates an update of an entity: a node with these labels, or an edge with this one type and these ends.
// VALIDATION_ERROR. An update that changes nothing (no-op) is always valid.
func (t *Types) ValidateChange(k graph.Kind, names []string, before, after graph.Properties, ends Ends) error {
	var details []fault.Detail
	for _, name := range names {
		r := t.Rules(k, name)
		if r == nil || !r.validatesChanges() {
			continue
		}
		problems := r.Problems(after, ends)
		if len(problems) > 0 && r.Level == graph.LevelModerate && len(r.Problems(before, ends)) > 0 {
			continue
		}
		details = mergeDetails(details, problems)
	}
	if len(details) > 0 && graph.EqualProperties(before, after) {
		return nil
	}
	return violationError(details)
}

// Problems returns how an entity violates the declaration, whatever the level: one detail per field.
func (r *Rules) Problems(p graph.Properties, ends Ends) []fault.Detail {
	if r.unreadable {
		return []fault.Detail{{Field: "type", Message: "has a declaration that this version of the service cannot read; declare the type again"}}
	}
	var details []fault.Detail
	if !hasAnyType(ends.Source, r.SourceTypes) {
		details = append(details, fault.Detail{Field: "source_id", Message: "must be a node of type " + joinTypes(r.SourceTypes)})
	}
	if !hasAnyType(ends.Target, r.TargetTypes) {
		details = append(details, fault.Detail{Field: "target_id", Message: "must be a node of type " + joinTypes(r.TargetTypes)})
	}
	if err := r.schema.Validate(jsonObject(p)); err != nil {
		details = append(details, r.details(err)...)
	}
	return details
}

func (r *Rules) validatesChanges() bool {
	return r.Level == graph.LevelModerate || r.Level == graph.LevelStrict
}

func (r *Rules) limitsEnds() bool { return len(r.SourceTypes)+len(r.TargetTypes) > 0 }

func hasAnyType(labels []string, types []graph.TypeName) bool {
	return len(types) == 0 || slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(types, graph.TypeName(label)) })
}

func joinTypes(types []graph.TypeName) string {
	all := make([]string, len(types))
	for i, t := range types {
		all[i] = string(t)
	}
	return joinOr(all, nil)
}

// mergeDetails adds the details of fields that have none yet.
func mergeDetails(details, more []fault.Detail) []fault.Detail {
	for _, d := range more {
		if !slices.ContainsFunc(details, func(known fault.Detail) bool { return known.Field == d.Field }) {
			details = append(details, d)
		}
	}
	return details
}

func violationError(details []fault.Detail) error {
	if len(details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "The declaration of the type does not allow this", details...)
}

func undeclaredError() error {
	return fault.Invalid("type", "is not declared, and this service creates entities of declared types only")
}
