package neo4jchangeset

import (
	"context"
	"maps"
	"slices"

	"graphrest/internal/changeset"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// visibleDiff reduces a diff to what its reader may see: each state of an entity is checked against the rules. The author of the change set
// also sees what the operations create, and which ids in them do not exist for this user.
type visibleDiff struct {
	view       *rules.View
	own        bool // the reader is the author
	types      *declared.Types
	operations []graph.Operation
	before     changeset.Before // the current state of the entities that the operations name, as the reader sees it
	nodes      map[string]*graph.Node
	edges      map[string]*graph.Edge
	entities   map[changeset.EntityKey]*changeset.Entity // of the whole diff, by id or ref
	written    map[changeset.EntityKey]map[string]bool   // the properties that the operations write to entities that exist, by id
}

// diffForReader computes a diff and reduces it to what its reader sees. Edges of deleted nodes that the reader does not see are left out
// from the start, so that they do not count.
func (c *Store) diffForReader(
	ctx context.Context, operations []graph.Operation, before changeset.Before, types *declared.Types, own bool, based []graph.Operation,
) (changeset.Diff, error) {
	seen, err := c.readBefore(ctx, operations, types)
	if err != nil {
		return changeset.Diff{}, err
	}
	before.Attached, before.TooMany = seen.Attached, seen.TooMany
	w := visibleDiff{
		view: rules.ViewOf(ctx), own: own, types: types, operations: operations, before: seen,
		nodes: map[string]*graph.Node{}, edges: map[string]*graph.Edge{}, entities: map[changeset.EntityKey]*changeset.Entity{},
		written: writtenProperties(operations),
	}
	for _, n := range seen.Nodes {
		w.nodes[n.ID] = n
	}
	for _, e := range seen.Edges {
		w.edges[e.ID] = e
	}
	for _, attached := range seen.Attached {
		for i := range attached {
			w.edges[attached[i].ID] = &attached[i]
		}
	}
	return w.reduce(changeset.ComputeDiff(based, before, types)), nil
}

func (w visibleDiff) reduce(whole changeset.Diff) (shown changeset.Diff) {
	for _, e := range whole.Entities {
		w.entities[e.Key()] = e
	}
	kept := map[changeset.EntityKey]*changeset.Entity{}
	for _, e := range whole.Entities {
		if one := w.entity(e); one != nil {
			shown.Entities = append(shown.Entities, one)
			kept[e.Key()] = one
		}
	}
	shown.Violations = slices.DeleteFunc(whole.Violations, func(v changeset.Violation) bool {
		if v.Claim != nil {
			return !w.showsClaim(v, kept)
		}
		return !w.showsViolation(v.Detail, kept)
	})
	return shown
}

// showsClaim reports whether a violation of a unique key is about values that the reader sees, of the entity and of the one that has them
// already. An entity that the operations do not concern was read with the reader's view.
func (w visibleDiff) showsClaim(v changeset.Violation, kept map[changeset.EntityKey]*changeset.Entity) bool {
	n, _, ok := graph.CutOperationField(v.Field, len(w.operations))
	if !ok {
		return false
	}
	claimant := kept[changeset.KeyOfOperation(w.operations[n], n)]
	if claimant == nil || claimant.After == nil || !v.Claim.HeldBy(claimant.After.Properties) ||
		claimant.Conflict != nil && claimant.Conflict.Message == changeset.MissingEnd {
		return false
	}
	holder := kept[v.Holder]
	if holder == nil {
		return w.entities[v.Holder] == nil
	}
	return slices.ContainsFunc([]*changeset.State{holder.Before, holder.After}, func(s *changeset.State) bool {
		return s != nil && v.Claim.HeldBy(s.Properties)
	})
}

// entity returns what the reader sees of an entity; nil if it is not visible.
func (w visibleDiff) entity(e *changeset.Entity) *changeset.Entity {
	one := *e
	one.Before, one.After = w.stateBefore(e), w.stateAfter(e)
	isNew := e.ID == ""
	switch {
	case isNew && w.own:
		one.After = w.proposedState(e)
	case one.Before == nil && one.After == nil && (isNew || !w.own):
		return nil
	case one.Before == nil && one.After == nil:
		o := w.operations[e.Operation]
		return &changeset.Entity{Kind: e.Kind, ID: o.Entity.ID, Operation: e.Operation, Conflict: changeset.Missing(e.Operation, o)}
	}
	one.Conflict = w.conflict(e)
	return &one
}

// proposedState is a new entity as its author has proposed it. An end that the author does not see is named as the operation names it.
func (w visibleDiff) proposedState(e *changeset.Entity) *changeset.State {
	if e.After == nil || e.Kind == graph.NodeKind {
		return e.After
	}
	after, o := *e.After, w.operations[e.Operation]
	if !w.seesEnd(e, after.Source) {
		after.Source = o.Source
	}
	if !w.seesEnd(e, after.Target) {
		after.Target = o.Target
	}
	return &after
}

// stateBefore is the entity as the reader sees it in the graph.
func (w visibleDiff) stateBefore(e *changeset.Entity) *changeset.State {
	if n := w.nodes[e.ID]; e.Before != nil && e.Kind == graph.NodeKind && n != nil {
		return &changeset.State{Type: n.Type, Labels: n.Labels, Properties: n.Properties}
	}
	if r := w.edges[e.ID]; e.Before != nil && e.Kind == graph.EdgeKind && r != nil {
		return &changeset.State{
			Type: r.Type, Source: graph.EntityRef{ID: r.SourceID}, Target: graph.EntityRef{ID: r.TargetID}, Properties: r.Properties,
		}
	}
	return nil
}

// stateAfter returns the entity as the reader would see it after the operations. An existing entity that is hidden before them stays
// hidden, and so does a hidden property that they do not write: otherwise a user could read them by proposing a change that makes them
// visible.
func (w visibleDiff) stateAfter(e *changeset.Entity) *changeset.State {
	before := w.stateBefore(e)
	if e.After == nil || e.ID != "" && before == nil {
		return nil
	}
	after := *e.After
	rights := w.view.NodeRights(rules.Read, after.Labels, graph.Stored(after.Properties))
	if e.Kind == graph.EdgeKind {
		rights = w.view.EdgeRights(rules.Read, after.Type, graph.Stored(after.Properties))
		if !w.seesEnd(e, after.Source) || !w.seesEnd(e, after.Target) {
			return nil
		}
	}
	if !rights.Granted() {
		return nil
	}
	after.Properties = rights.Project(after.Properties)
	if before != nil {
		written := w.written[e.Key()]
		maps.DeleteFunc(after.Properties, func(name string, _ graph.Value) bool {
			_, shown := before.Properties[name]
			return !shown && !written[name]
		})
	}
	return &after
}

// writtenProperties are the properties that operations write to entities that exist, by id.
func writtenProperties(operations []graph.Operation) map[changeset.EntityKey]map[string]bool {
	written := map[changeset.EntityKey]map[string]bool{}
	for _, o := range operations {
		if o.Entity.ID == "" || o.Op.Creates() {
			continue
		}
		key := changeset.KeyOf(o.Op.Kind(), o.Entity)
		if written[key] == nil {
			written[key] = map[string]bool{}
		}
		for name := range o.Properties {
			written[key][name] = true
		}
	}
	return written
}

// seesEnd reports whether the reader would see an end of an edge after the operations.
func (w visibleDiff) seesEnd(edge *changeset.Entity, r graph.EntityRef) bool {
	if node := w.entities[changeset.KeyOf(graph.NodeKind, r)]; node != nil {
		return w.stateAfter(node) != nil
	}
	return w.nodes[r.ID] != nil || w.before.Nodes[r.ID] != nil || w.edges[edge.ID] != nil // its ends were visible, and are not changed
}

// conflict returns an entity's conflict as the reader may see it. Only the author sees that the entity was changed since the proposal; the
// ETags compared are those of what the author sees of it.
func (w visibleDiff) conflict(e *changeset.Entity) *changeset.Conflict {
	if e.ID == "" && e.Kind == graph.EdgeKind && e.After != nil {
		o := w.operations[e.Operation]
		for i, end := range []graph.EntityRef{e.After.Source, e.After.Target} {
			if end.Ref == "" && !w.seesEnd(e, end) {
				named := []graph.EntityRef{o.Source, o.Target}[i]
				return &changeset.Conflict{Operation: e.Operation, ID: named.ID, Message: changeset.MissingEnd}
			}
		}
	}
	if e.Conflict == nil {
		return nil
	}
	c := *e.Conflict
	if c.Found == "" {
		c.Expected = ""
		return &c
	}
	if !w.own {
		return nil
	}
	return changeset.CompareBase(c.Operation, w.operations[c.Operation], e.ID, w.revision(e))
}

// revision is the ETag of what the reader sees of an entity.
func (w visibleDiff) revision(e *changeset.Entity) graph.Revision {
	if n := w.nodes[e.ID]; e.Kind == graph.NodeKind && n != nil {
		return n.Revision()
	}
	if r := w.edges[e.ID]; e.Kind == graph.EdgeKind && r != nil {
		return r.Revision()
	}
	return ""
}

// showsViolation reports whether a violation of a declared type is about what the reader sees, and sees the operation write.
func (w visibleDiff) showsViolation(d fault.Detail, kept map[changeset.EntityKey]*changeset.Entity) bool {
	n, property, ok := graph.CutOperationField(d.Field, len(w.operations))
	if !ok {
		return false
	}
	o := w.operations[n]
	e := kept[changeset.KeyOfOperation(o, n)]
	if e == nil || e.After == nil || e.Conflict != nil && e.Conflict.Message == changeset.MissingEnd {
		return false
	}
	if o.Op == graph.OpCreateNode && !w.showsDeclaration(o, n, d) || o.Op == graph.OpUpdateNode && !w.showsChangeDeclaration(o, n, d) {
		return false
	}
	if o.Op.Creates() && w.own {
		rights := w.view.NodeRights(rules.Create, e.After.Labels, graph.Stored(o.Properties))
		if e.Kind == graph.EdgeKind {
			rights = w.view.EdgeRights(rules.Create, e.After.Type, graph.Stored(o.Properties))
		}
		return rights.Granted() // else the declaration is not shown
	}
	for name, value := range o.Properties {
		of := e.After
		if value == nil && e.Before != nil {
			of = e.Before // the operation removes what the reader sees there
		}
		if _, shown := of.Properties[name]; shown && property == graph.FieldPath("properties", name) {
			return true
		}
	}
	return false
}

// showsDeclaration reports whether a violation by a new node may be shown: the reader may see its declared label. Of an author this means
// that a permission or grant allows creating nodes with the label, of another reader that one allows reading them.
func (w visibleDiff) showsDeclaration(o graph.Operation, n int, d fault.Detail) bool {
	action := rules.Read
	if w.own {
		action = rules.Create
	}
	labels := o.AllLabels()
	return hasDetail(neo4jview.ViolationsOf(w.types, neo4jview.LabelsAllowed(w.view, action, labels), o.Properties), n, d)
}

// showsChangeDeclaration is showsDeclaration for an update: the author must be allowed to edit nodes with the label. If a change set has
// several operations on a node, each is checked against the state before all of them, and a violation that only they have together is not
// shown.
func (w visibleDiff) showsChangeDeclaration(o graph.Operation, n int, d fault.Detail) bool {
	whole := w.entities[changeset.KeyOfOperation(o, n)]
	if whole == nil || whole.Before == nil {
		return false
	}
	action := rules.Read
	if w.own {
		action = rules.Edit
	}
	before, labels := whole.Before.Properties, whole.Before.Labels
	granted := neo4jview.LabelsAllowed(w.view, action, labels)
	return len(granted) == len(labels) ||
		hasDetail(w.types.ValidateChange(graph.NodeKind, granted, before, graph.ApplyChange(before, o.Properties), declared.Ends{}), n, d)
}

// hasDetail reports whether an error of the content of operation n has a detail.
func hasDetail(err error, n int, d fault.Detail) bool {
	return err != nil && slices.ContainsFunc(fault.As(err).Details, func(one fault.Detail) bool {
		return one.Message == d.Message && graph.OperationField(n, one.Field) == d.Field
	})
}
