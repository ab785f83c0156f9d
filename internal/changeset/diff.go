package changeset

import (
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// maxViolations bounds the violations of one diff.
const maxViolations = 1000

// Diff is what operations would change.
type Diff struct {
	Entities   []*Entity   // in the order of the operations; edges that go with a node follow it
	Violations []Violation // of declared types and of unique keys
}

// Violation is a rule that an operation breaks. Its field begins with the operation.
type Violation struct {
	fault.Detail
	// Claim is the values of a unique key that another entity, Holder, has already; nil for a violation of a declared type.
	Claim  *Claim
	Holder EntityKey
}

// Entity is a node or an edge that operations concern. It has an id, or the ref of a new one if it has one.
type Entity struct {
	Kind      graph.Kind
	ID, Ref   string
	Operation int // the first one that concerns it
	// Before and After are its states; nil if it does not exist. Both are nil if an operation names an entity that does not exist.
	Before, After *State
	Conflict      *Conflict
	base          graph.Revision // of Before
	place         int            // in the entities of the diff
}

// EntityKey identifies an entity of a diff: by its id, a new one by its ref or, without a ref, by the operation that creates it.
type EntityKey struct {
	Kind      graph.Kind
	ID, Ref   string
	Operation int
}

// Key is the key of the entity.
func (e *Entity) Key() EntityKey {
	if e.ID == "" && e.Ref == "" {
		return EntityKey{Kind: e.Kind, Operation: e.Operation}
	}
	return KeyOf(e.Kind, graph.EntityRef{ID: e.ID, Ref: e.Ref})
}

// KeyOf is the key of an entity that an operation refers to.
func KeyOf(kind graph.Kind, r graph.EntityRef) EntityKey {
	if r.ID != "" {
		return EntityKey{Kind: kind, ID: r.ID}
	}
	return EntityKey{Kind: kind, Ref: r.Ref}
}

// KeyOfOperation is the key of the entity that an operation creates, updates or deletes.
func KeyOfOperation(o graph.Operation, index int) EntityKey {
	switch {
	case !o.Op.Creates():
		return KeyOf(o.Op.Kind(), o.Entity)
	case o.Ref != "":
		return EntityKey{Kind: o.Op.Kind(), Ref: o.Ref}
	default:
		return EntityKey{Kind: o.Op.Kind(), Operation: index}
	}
}

// State is an entity at one moment. The ends of an edge may be new nodes.
type State struct {
	Type           string
	Labels         []string // of a node
	Source, Target graph.EntityRef
	Properties     graph.Properties
}

// Status is what happens to the entity: added, changed, removed or unchanged.
func (e *Entity) Status() string {
	switch {
	case e.Before == nil && e.After == nil:
		return "unchanged"
	case e.Before == nil:
		return "added"
	case e.After == nil:
		return "removed"
	case graph.EqualProperties(e.Before.Properties, e.After.Properties):
		return "unchanged"
	default:
		return "changed"
	}
}

// Type is the entity's type; empty if it does not exist or is a node without labels.
func (e *Entity) Type() string {
	for _, s := range []*State{e.After, e.Before} {
		if s != nil {
			return s.Type
		}
	}
	return ""
}

// Before is what the operations meet in the graph.
type Before struct {
	// Nodes and Edges are by the ids that operations name. What does not exist is absent.
	Nodes map[string]*graph.Node
	Edges map[string]*graph.Edge
	// Attached are the edges of nodes that are deleted, by the node's id; TooMany are nodes of which some are left out.
	Attached map[string][]graph.Edge
	TooMany  map[string]bool
	// MaxDetach is how many edges a delete of a node without detach removes.
	MaxDetach int64
	// IDProperty is the property of the ids.
	IDProperty string
	// Base is what operations were based on; nil if that is not known.
	Base func(operation int) Base
	// Unique are the unique keys of the graph; Holders are the ids of entities that have what operations claim of them.
	Unique  []UniqueKey
	Holders map[ClaimKey][]string
}

// MissingEnd is the message of the conflict of a new edge one of whose ends does not exist.
const MissingEnd = "its end does not exist"

// Missing is the conflict of an operation whose entity does not exist.
func Missing(operation int, o graph.Operation) *Conflict {
	return &Conflict{Operation: operation, ID: o.Entity.ID, Expected: baseOf(o), Message: "does not exist"}
}

// baseOf is the ETag that an operation was based on; empty if there is none.
func baseOf(o graph.Operation) string {
	if len(o.If.Revisions) == 0 {
		return ""
	}
	return string(o.If.Revisions[0])
}

// ComputeDiff computes what operations would change, by the rules of declared types and by unique keys.
func ComputeDiff(operations []graph.Operation, before Before, types *declared.Types) Diff {
	d := newDiffer(before, types)
	d.run(operations)
	return d.diff
}

func (d *differ) run(operations []graph.Operation) {
	for n, o := range operations {
		switch o.Op {
		case graph.OpCreateNode:
			d.createNode(n, o)
		case graph.OpCreateEdge:
			d.createEdge(n, o)
		case graph.OpUpdateNode, graph.OpUpdateEdge:
			d.update(n, o)
		default:
			d.remove(n, o)
		}
	}
}

type entityKey struct {
	kind graph.Kind
	id   string
}

// differ simulates operations.
type differ struct {
	before Before
	types  *declared.Types
	diff   Diff
	claims []Claim
	byKey  map[entityKey]*Entity // existing ones
	byRef  map[string]*Entity    // new ones
	edges  map[graph.EntityRef][]*Entity
	held   heldValues
}

func newDiffer(before Before, types *declared.Types) *differ {
	return &differ{
		before: before, types: types, byKey: map[entityKey]*Entity{}, byRef: map[string]*Entity{}, edges: map[graph.EntityRef][]*Entity{},
		held: heldValues{keys: before.Unique, holders: map[ClaimKey]map[*Entity]bool{}},
	}
}

func (d *differ) add(e *Entity) *Entity {
	e.place = len(d.diff.Entities)
	d.diff.Entities = append(d.diff.Entities, e)
	d.held.add(e)
	return e
}

// conflict records an entity's first conflict.
func (e *Entity) conflict(operation int, id, message string) {
	if e.Conflict == nil {
		e.Conflict = &Conflict{Operation: operation, ID: id, Message: message}
	}
}

// violate records the violations of an operation.
func (d *differ) violate(n int, err error) {
	if err == nil {
		return
	}
	for _, detail := range fault.As(err).Details {
		if len(d.diff.Violations) < maxViolations {
			detail.Field = graph.OperationField(n, detail.Field)
			d.diff.Violations = append(d.diff.Violations, Violation{Detail: detail})
		}
	}
}

func (d *differ) createNode(n int, o graph.Operation) {
	labels := []string{string(o.Type)}
	for _, label := range o.Labels {
		labels = append(labels, string(label))
	}
	d.violate(n, d.types.ValidateNewNode(labels, o.Properties))
	d.claim(n, o, d.addNew(n, o, &State{Type: d.types.NodeType(labels), Labels: labels, Properties: o.Properties}), nil)
}

func (d *differ) addNew(n int, o graph.Operation, after *State) *Entity {
	e := d.add(&Entity{Kind: o.Op.Kind(), Ref: o.Ref, Operation: n, After: after})
	if o.Ref != "" {
		d.byRef[o.Ref] = e
	}
	return e
}

func (d *differ) createEdge(n int, o graph.Operation) {
	after := &State{Type: string(o.Type), Properties: o.Properties}
	e := d.addNew(n, o, after)
	var ends declared.Ends
	after.Source, ends.Source = d.end(e, n, o.Source)
	after.Target, ends.Target = d.end(e, n, o.Target)
	d.addEdge(e)
	if d.before.Base != nil && e.Conflict == nil {
		exist := [2]bool{d.before.Nodes[o.Source.ID] != nil, d.before.Nodes[o.Target.ID] != nil}
		for _, c := range d.before.Base(n).AppearedEnds(n, o, exist) {
			e.conflict(n, c.ID, c.Message)
		}
	}
	if e.Conflict == nil {
		d.violate(n, d.types.ValidateNewEdge(after.Type, after.Properties, ends))
		d.claim(n, o, e, nil)
	}
}

// end returns the end of a new edge with its labels. An end that does not exist is a conflict of the edge.
func (d *differ) end(e *Entity, n int, r graph.EntityRef) (graph.EntityRef, []string) {
	end := d.byRef[r.Ref]
	if r.Ref == "" {
		node := d.before.Nodes[r.ID]
		if node == nil {
			e.conflict(n, r.ID, MissingEnd)
			return r, nil
		}
		r.ID = node.ID
		if end = d.byKey[entityKey{graph.NodeKind, node.ID}]; end == nil {
			return r, node.Labels
		}
	}
	if end == nil || end.After == nil {
		e.conflict(n, r.ID, "its end is deleted by an earlier operation")
		return r, nil
	}
	return r, end.After.Labels
}

// named returns the entity of an update or a delete, compared with what the operation was based on; nil if it does not exist.
func (d *differ) named(n int, o graph.Operation) *Entity {
	if o.Entity.Ref != "" {
		e := d.byRef[o.Entity.Ref]
		if e != nil && o.If.Revisions != nil {
			e.conflict(n, "", "is created by an earlier operation, so if_match cannot be met")
		}
		return d.present(n, e)
	}
	e := d.existing(n, o.Op.Kind(), o.Entity.ID)
	if e == nil {
		d.add(&Entity{Kind: o.Op.Kind(), ID: o.Entity.ID, Operation: n, Conflict: Missing(n, o)})
		return nil
	}
	if c := CompareBase(n, o, e.ID, e.base); c != nil && e.Conflict == nil {
		e.Conflict = c
	}
	return d.present(n, e)
}

// present returns an entity, or nil with a conflict if an earlier operation deletes it.
func (d *differ) present(n int, e *Entity) *Entity {
	if e == nil || e.After != nil {
		return e
	}
	e.conflict(n, e.ID, "is deleted by an earlier operation")
	return nil
}

// existing returns an entity of the graph by an id; nil if there is none.
func (d *differ) existing(n int, k graph.Kind, id string) *Entity {
	if k == graph.EdgeKind {
		if edge := d.before.Edges[id]; edge != nil {
			return d.existingEdge(n, edge)
		}
		return nil
	}
	node := d.before.Nodes[id]
	if node == nil {
		return nil
	}
	key := entityKey{k, node.ID}
	if d.byKey[key] == nil {
		state := &State{Type: node.Type, Labels: node.Labels, Properties: node.Properties}
		d.byKey[key] = d.add(&Entity{Kind: k, ID: node.ID, Operation: n, Before: state, After: state, base: node.Revision()})
	}
	return d.byKey[key]
}

func (d *differ) existingEdge(n int, edge *graph.Edge) *Entity {
	key := entityKey{graph.EdgeKind, edge.ID}
	if d.byKey[key] == nil {
		state := &State{
			Type: edge.Type, Source: graph.EntityRef{ID: edge.SourceID}, Target: graph.EntityRef{ID: edge.TargetID}, Properties: edge.Properties,
		}
		d.byKey[key] = d.add(&Entity{Kind: graph.EdgeKind, ID: edge.ID, Operation: n, Before: state, After: state, base: edge.Revision()})
		d.addEdge(d.byKey[key])
	}
	return d.byKey[key]
}

func (d *differ) update(n int, o graph.Operation) {
	e := d.named(n, o)
	if e == nil {
		return
	}
	after := *e.After
	after.Properties = graph.ApplyChange(e.After.Properties, o.Properties)
	names, ends := after.Labels, declared.Ends{}
	if e.Kind == graph.EdgeKind {
		names, ends = []string{after.Type}, declared.Ends{Source: d.labels(after.Source), Target: d.labels(after.Target)}
	}
	if _, given := o.Properties[d.before.IDProperty]; given && !graph.IsElementID(e.Kind, e.ID) {
		d.violate(n, graph.FixedID(d.before.IDProperty))
	}
	d.violate(n, d.types.ValidateChange(e.Kind, names, e.After.Properties, after.Properties, ends))
	before := e.After.Properties
	e.After = &after
	d.held.add(e)
	d.claim(n, o, e, before)
}

// labels are those of an end of an existing edge.
func (d *differ) labels(r graph.EntityRef) []string {
	if end := d.byRef[r.Ref]; r.Ref != "" && end != nil && end.After != nil {
		return end.After.Labels
	}
	if node := d.before.Nodes[r.ID]; node != nil {
		return node.Labels
	}
	return nil
}

func (d *differ) remove(n int, o graph.Operation) {
	e := d.named(n, o)
	if e == nil {
		return
	}
	e.After = nil
	if e.Kind == graph.EdgeKind {
		return
	}
	for i := range d.before.Attached[e.ID] {
		d.existingEdge(n, &d.before.Attached[e.ID][i])
	}
	attached := d.attached(e)
	switch {
	case d.before.TooMany[e.ID]:
		e.conflict(n, e.ID, "has too many edges to be deleted in one transaction")
	case d.hasOthers(n, e):
		e.conflict(n, e.ID, Attached)
	case o.Detach != nil && !*o.Detach && len(attached) > 0:
		e.conflict(n, e.ID, "has edges, and detach is false")
	case o.Detach == nil && int64(len(attached)) > d.before.MaxDetach:
		e.conflict(n, e.ID, "has more edges than a delete removes without detach")
	}
	for _, edge := range attached {
		edge.After = nil
	}
}
