package neo4jchangeset

import (
	"context"
	"slices"

	"graphrest/internal/changeset"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// Check judges the operations of a batch, or that of a single request: see changeset.Store.
func (c *Store) Check(ctx context.Context, operations []graph.Operation, batch bool) (changeset.Checked, error) {
	before, _, err := c.readJudged(ctx, operations)
	if err != nil {
		return changeset.Checked{}, err
	}
	j := newOperationJudge(rules.ViewOf(ctx), before)
	j.bounded = batch
	return j.judge(operations)
}

// CheckAuthorize says what Authorize would: see changeset.Store.
func (c *Store) CheckAuthorize(ctx context.Context, operations []graph.Operation) error {
	before, types, err := c.readJudged(ctx, operations)
	if err != nil {
		return err
	}
	operations = onAnyBase(operations)
	if judged, err := judgeOperations(rules.ViewOf(ctx), operations, before); err != nil {
		return errNotAuthorized(graph.OperationFault(judged.Failed, operations[judged.Failed].Op, err))
	}
	if err := c.readHolders(rules.WithoutView(ctx), operations, &before); err != nil {
		return err
	}
	diff := changeset.ComputeDiff(operations, before, types)
	if conflicts := conflictsOf(diff); len(conflicts) > 0 {
		return errNotAuthorized(changeset.NewConflictError(conflicts...).Fault)
	}
	if len(diff.Violations) > 0 {
		return errNotAuthorized(fault.New(fault.Validation, "Invalid input", diff.Violations[0].Detail))
	}
	return nil
}

// CheckApply says what Apply would: see changeset.Store.
func (c *Store) CheckApply(ctx context.Context, read changeset.Set, operations []graph.Operation) error {
	before, types, err := c.readJudged(ctx, operations)
	if err != nil {
		return err
	}
	view := rules.ViewOf(ctx)
	hidden := hiddenConflicts(view, operations, before)
	among := conflictsOf(changeset.ComputeDiff(onAnyBase(operations), before, types))
	judged, err := judgeOperations(view, graph.WithoutPreconditions(operations), before)
	before.Base = read.BaseOf
	conflicts := conflictsOf(changeset.ComputeDiff(changeset.WithBases(operations, read), before, types))
	since := slices.ContainsFunc(conflicts, func(c changeset.Conflict) bool { return !slices.Contains(among, c) })
	conflicts = append(hidden, conflicts...)
	n := judged.Failed
	switch code := fault.CodeOf(err); {
	case len(hidden) == 0 && !since && code != "" && code != fault.NotFound && code != fault.Validation:
		// Conflicts of the operations among themselves appear when they run, after the judgement.
		return graph.OperationFault(n, operations[n].Op, err)
	case len(conflicts) > 0:
		return changeset.NewConflictError(conflicts...)
	case err != nil:
		return changeset.NewConflictError(changeset.MissingConflicts(n, operations[n], err)...)
	}
	return nil
}

// onAnyBase are operations whatever they were based on.
func onAnyBase(operations []graph.Operation) []graph.Operation {
	operations = slices.Clone(operations)
	for i := range operations {
		operations[i].If = graph.Precondition{Any: true}
	}
	return operations
}

// hiddenConflicts are the conflicts of operations on entities of the graph that do not exist for the user.
func hiddenConflicts(view *rules.View, operations []graph.Operation, before changeset.Before) (conflicts []changeset.Conflict) {
	for n, o := range operations {
		if o.Entity.ID == "" || o.Op.Creates() {
			continue
		}
		if _, err := judgeOperations(view, []graph.Operation{o}, before); fault.CodeOf(err) == fault.NotFound {
			conflicts = append(conflicts, *changeset.Missing(n, o))
		}
	}
	return conflicts
}

func conflictsOf(d changeset.Diff) (conflicts []changeset.Conflict) {
	for _, e := range d.Entities {
		if e.Conflict != nil {
			conflicts = append(conflicts, *e.Conflict)
		}
	}
	return conflicts
}

// readJudged reads what operations meet in the graph, with everything in it, and the ends of the edges that they concern.
func (c *Store) readJudged(
	ctx context.Context, operations []graph.Operation,
) (before changeset.Before, types *declared.Types, err error) {
	if types, err = c.Types.TypesForWrite(ctx); err != nil {
		return before, nil, err
	}
	ctx = rules.WithoutView(ctx)
	named := newNamedEntities(c)
	if err := named.read(ctx, namesOf(operations)); err != nil {
		return before, nil, err
	}
	if err := named.readAttached(ctx, operations); err != nil {
		return before, nil, err
	}
	var ends []entityName
	addEnds := func(e *graph.Edge) {
		ends = append(ends, entityName{graph.NodeKind, e.SourceID}, entityName{graph.NodeKind, e.TargetID})
	}
	for _, e := range named.before.Edges {
		addEnds(e)
	}
	for _, attached := range named.before.Attached {
		for i := range attached {
			addEnds(&attached[i])
		}
	}
	return named.before, types, named.read(ctx, ends)
}

// judgedEntity is an entity at one moment of a simulation; its state is nil once it is deleted.
type judgedEntity struct {
	kind   graph.Kind
	id     string // empty for a new one
	state  *rules.State
	source graph.EntityRef // of an edge
	target graph.EntityRef
}

// operationJudge simulates operations to decide about each in the state that those before have left.
type operationJudge struct {
	view    *rules.View
	before  changeset.Before
	known   map[changeset.EntityKey]*judgedEntity
	checked changeset.Checked
	bounded bool // by graph.MaxBatchEdges
	edges   int  // that are deleted together with nodes
}

func newOperationJudge(view *rules.View, before changeset.Before) *operationJudge {
	j := &operationJudge{view: view, before: before, known: map[changeset.EntityKey]*judgedEntity{}}
	j.addAttached()
	return j
}

// judgeOperations returns the first operation that a view does not allow, and why: NOT_FOUND or, for the ends of a new edge,
// VALIDATION_ERROR if something does not exist for the user, otherwise PERMISSION_DENIED; or what allows the last one. It runs no
// statement.
func judgeOperations(view *rules.View, operations []graph.Operation, before changeset.Before) (changeset.Checked, error) {
	return newOperationJudge(view, before).judge(operations)
}

func (j *operationJudge) judge(operations []graph.Operation) (changeset.Checked, error) {
	for n, o := range operations {
		var err error
		switch {
		case o.Op == graph.OpCreateNode:
			err = j.create(n, o, &judgedEntity{kind: graph.NodeKind}, o.AllLabels())
		case o.Op == graph.OpCreateEdge:
			err = j.createEdge(n, o)
		case o.Op.Deletes():
			err = j.remove(o)
		default:
			err = j.update(o)
		}
		if err != nil {
			return changeset.Checked{Failed: n}, err
		}
	}
	return j.checked, nil
}

// check decides about one change.
func (j *operationJudge) check(action rules.Action, t rules.Transition) error {
	judged := j.view.Check(t)
	j.checked.Decided = judged.Rights.Decisions(action)
	return judged.Err
}

// entity is what an operation refers to; nil if it never existed.
func (j *operationJudge) entity(of graph.Kind, r graph.EntityRef) *judgedEntity {
	if known := j.known[changeset.KeyOf(of, r)]; known != nil || r.Ref != "" {
		return known
	}
	var e *judgedEntity
	id := r.ID
	if node := j.before.Nodes[r.ID]; of == graph.NodeKind && node != nil {
		id, e = node.ID, &judgedEntity{kind: of, state: &rules.State{Names: node.Labels, Properties: node.Properties}}
	}
	if edge := j.before.Edges[r.ID]; of == graph.EdgeKind && edge != nil {
		id, e = edge.ID, newJudgedEdge(edge)
	}
	if e == nil {
		return nil
	}
	if same := j.known[changeset.KeyOf(of, graph.EntityRef{ID: id})]; same != nil {
		return same // by its element id
	}
	j.known[changeset.KeyOf(of, r)], j.known[changeset.KeyOf(of, graph.EntityRef{ID: id})] = e, e
	return e
}

func newJudgedEdge(e *graph.Edge) *judgedEntity {
	return &judgedEntity{
		kind: graph.EdgeKind, id: e.ID, state: &rules.State{Names: []string{e.Type}, Properties: e.Properties},
		source: graph.EntityRef{ID: e.SourceID}, target: graph.EntityRef{ID: e.TargetID},
	}
}

func (j *operationJudge) create(n int, o graph.Operation, e *judgedEntity, names []string) error {
	e.state = &rules.State{Names: names, Properties: graph.Stored(o.Properties)}
	if err := j.check(rules.Create, rules.Transition{Kind: e.kind, After: e.state, Written: o.Properties}); err != nil {
		return err
	}
	j.known[changeset.KeyOfOperation(o, n)] = e
	return nil
}

func (j *operationJudge) createEdge(n int, o graph.Operation) error {
	needsToSee := neo4jview.RequiresVisibleNewEndsOf(j.view)
	var missing [2]bool
	for i, r := range []graph.EntityRef{o.Source, o.Target} {
		end := j.entity(graph.NodeKind, r)
		missing[i] = end == nil || end.state == nil || needsToSee && !j.sees(end)
	}
	if missing[0] || missing[1] {
		return graph.NoSuchEnds(missing[0], missing[1])
	}
	return j.create(n, o, &judgedEntity{kind: graph.EdgeKind, source: o.Source, target: o.Target}, []string{string(o.Type)})
}

func (j *operationJudge) update(o graph.Operation) error {
	e := j.entity(o.Op.Kind(), o.Entity)
	if e == nil || e.state == nil {
		return graph.NoSuchEntity(o.Op.Kind())
	}
	after := &rules.State{Names: e.state.Names, Properties: graph.ApplyChange(e.state.Properties, o.Properties)}
	t := rules.Transition{Kind: e.kind, Before: e.state, After: after, Written: o.Properties}
	t.SeesEnds, t.EndHiddenBy = j.seesEnds(e)
	err := j.check(rules.Edit, t)
	if err == nil {
		e.state = after
	}
	return err
}

func (j *operationJudge) remove(o graph.Operation) error {
	e := j.entity(o.Op.Kind(), o.Entity)
	if e == nil || e.state == nil {
		return graph.NoSuchEntity(o.Op.Kind())
	}
	attached, t := j.attached(e), rules.Transition{Kind: e.kind, Before: e.state}
	t.SeesEnds, t.EndHiddenBy = j.seesEnds(e)
	var refused *judgedEntity // the first by id, so that the same one is named each time
	for _, edge := range attached {
		if j.refusesEdge(edge) {
			t.RefusedEdges++
			if refused == nil || edge.id < refused.id {
				refused = edge
			}
		}
	}
	if refused != nil {
		t.RefusedBy = j.whyRefused(refused)
	}
	if err := j.check(rules.Delete, t); err != nil {
		return err
	}
	if err := j.countEdges(o, len(attached)); err != nil {
		return err
	}
	e.state = nil
	for _, edge := range attached {
		edge.state = nil
	}
	return nil
}

// countEdges bounds the edges that a batch deletes together with nodes; of a single request it records that not all were read.
func (j *operationJudge) countEdges(o graph.Operation, attached int) error {
	node := j.before.Nodes[o.Entity.ID]
	unread := o.Op == graph.OpDeleteNode && node != nil && j.before.TooMany[node.ID]
	if j.edges += attached; j.bounded && (unread || j.edges > graph.MaxBatchEdges) {
		return graph.TooManyBatchEdges()
	}
	j.checked.EdgesLeftOut = unread && !j.view.AllowsAll(rules.Delete)
	return nil
}

// refusesEdge reports whether the user may not delete an edge together with its node.
func (j *operationJudge) refusesEdge(e *judgedEntity) bool {
	return !j.sees(e) || !neo4jview.RightsOf(j.view, rules.Delete, e.kind, e.state.Names, e.state.Properties).Granted()
}

// whyRefused is what decides that the user may not delete an edge together with its node.
func (j *operationJudge) whyRefused(e *judgedEntity) []rules.Decision {
	for _, action := range []rules.Action{rules.Read, rules.Delete} {
		if rights, decided := j.view.Decide(action, e.kind, e.state.Names, e.state.Properties); !rights.Granted() {
			return decided
		}
	}
	_, why := j.seesEnds(e)
	return append([]rules.Decision{{Reason: rules.EndNotVisible}}, why...)
}

// addAttached makes the edges of the nodes that the operations delete known.
func (j *operationJudge) addAttached() {
	for _, attached := range j.before.Attached {
		for i := range attached {
			key := changeset.KeyOf(graph.EdgeKind, graph.EntityRef{ID: attached[i].ID})
			if j.known[key] == nil {
				j.known[key] = newJudgedEdge(&attached[i])
			}
		}
	}
}

// attached are the edges that exist at a node.
func (j *operationJudge) attached(node *judgedEntity) (found []*judgedEntity) {
	if node.kind != graph.NodeKind {
		return nil
	}
	seen := map[*judgedEntity]bool{}
	for _, e := range j.known {
		if e.kind == graph.EdgeKind && e.state != nil && !seen[e] &&
			(j.entity(graph.NodeKind, e.source) == node || j.entity(graph.NodeKind, e.target) == node) {
			seen[e] = true
			found = append(found, e)
		}
	}
	return found
}

// sees reports whether the user sees an entity that exists.
func (j *operationJudge) sees(e *judgedEntity) bool {
	_, hidden := j.hiddenEnd(e)
	return !hidden && neo4jview.RightsOf(j.view, rules.Read, e.kind, e.state.Names, e.state.Properties).Granted()
}

// hiddenEnd is the first end of an edge that the user does not see, nil if it does not exist; a node has none.
func (j *operationJudge) hiddenEnd(e *judgedEntity) (end *judgedEntity, hidden bool) {
	for _, r := range []graph.EntityRef{e.source, e.target} {
		if r == (graph.EntityRef{}) {
			continue
		}
		end := j.entity(graph.NodeKind, r)
		if end == nil || end.state == nil {
			return nil, true
		}
		if !j.sees(end) {
			return end, true
		}
	}
	return nil, false
}

// seesEnds reports whether the user sees both ends of an edge, and is true for a node; or why an end is not seen, unless it does not exist.
func (j *operationJudge) seesEnds(e *judgedEntity) (seen bool, why []rules.Decision) {
	end, hidden := j.hiddenEnd(e)
	if end != nil {
		_, why = j.view.Decide(rules.Read, graph.NodeKind, end.state.Names, end.state.Properties)
	}
	return !hidden, why
}
