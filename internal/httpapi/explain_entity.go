package httpapi

import (
	"errors"
	"slices"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// explainedEntity is a node or an edge with everything, and the nodes at the ends of the edge.
type explainedEntity struct {
	kind       graph.Kind
	id         string
	names      []string
	properties graph.Properties
	ends       []graph.Node
}

// read reads an entity with everything, whatever the administrator may see: only the names of grants and properties are answered.
func (e *explanation) read(kind graph.Kind, id string) (one explainedEntity, err error) {
	ctx, options := rules.WithoutView(e.call.ctx()), e.call.api.options
	if cannotBeID(id) {
		return one, fault.New(fault.NotFound, "There is no such "+string(kind))
	}
	if kind == graph.NodeKind {
		n, err := options.Nodes.Node(ctx, id)
		return explainedEntity{kind: kind, id: n.ID, names: n.Labels, properties: n.Properties}, err
	}
	edge, err := options.Edges.Edge(ctx, id)
	if err != nil {
		return one, err
	}
	one = explainedEntity{kind: kind, id: edge.ID, names: []string{edge.Type}, properties: edge.Properties}
	for _, end := range []string{edge.SourceID, edge.TargetID} {
		n, err := options.Nodes.Node(ctx, end)
		if err != nil {
			return one, err
		}
		one.ends = append(one.ends, n)
	}
	return one, nil
}

// explainRights decides about the request on an entity that exists.
func (e *explanation) explainRights(one explainedEntity) error {
	e.decided = nil
	visible, decided := e.sees(one)
	action := rules.Action(e.route.Access.permissions[0])
	if action == rules.Read {
		if !visible {
			e.fail("visible", "the user does not see this "+string(one.kind), fault.NotFound, decided...)
			return nil
		}
		e.pass("visible", "the user sees this "+string(one.kind), decided...)
		return nil
	}
	t := rules.Transition{
		Kind: one.kind, Before: &rules.State{Names: one.names, Properties: one.properties}, Written: e.body.properties,
	}
	t.SeesEnds, decided = e.seesEnds(one)
	if action == rules.Edit {
		t.After = &rules.State{Names: one.names, Properties: graph.ApplyChange(one.properties, e.body.properties)}
	}
	e.judge(t, action)
	if e.code == fault.NotFound && !t.SeesEnds {
		e.decided = decided
	}
	if e.code == "" && action == rules.Delete && one.kind == graph.NodeKind {
		return e.checkEdges(one.id)
	}
	return nil
}

// judge adds the check of a change by the rights of the user.
func (e *explanation) judge(t rules.Transition, action rules.Action) {
	judged := e.principal.View.Check(t)
	if judged.Err == nil {
		e.pass("allowed", "the user may "+string(action)+" this "+string(t.Kind), judged.Rights.Decisions(action)...)
		return
	}
	var refusal rules.Refusal
	errors.As(judged.Err, &refusal)
	e.fail("allowed", detailOf(fault.As(judged.Err)), fault.CodeOf(judged.Err), refusal.Decided...)
}

// sees decides whether the user sees an entity: a read grant holds for it, and both ends of an edge are visible.
func (e *explanation) sees(one explainedEntity) (visible bool, decided []rules.Decision) {
	rights, decided := e.principal.View.Decide(rules.Read, one.kind, one.names, one.properties)
	if !rights.Granted() {
		return false, decided
	}
	if seen, why := e.seesEnds(one); !seen {
		return false, why
	}
	return true, holding(decided)
}

// seesEnds decides whether the user sees both ends of an edge.
func (e *explanation) seesEnds(one explainedEntity) (seen bool, why []rules.Decision) {
	for _, end := range one.ends {
		of, why := e.principal.View.Decide(rules.Read, graph.NodeKind, end.Labels, end.Properties)
		if !of.Granted() {
			return false, append([]rules.Decision{{Reason: "an end of the edge is not visible"}}, why...)
		}
	}
	return true, nil
}

// holding returns the decisions that allow.
func holding(decided []rules.Decision) []rules.Decision {
	return slices.DeleteFunc(slices.Clone(decided), func(d rules.Decision) bool { return !d.Holds })
}

// checkCreate checks a new node or edge.
func (e *explanation) checkCreate(kind graph.Kind) {
	e.decided = nil
	after := &rules.State{Names: []string{e.body.typ}, Properties: graph.Stored(e.body.properties)}
	e.judge(rules.Transition{Kind: kind, After: after, Written: e.body.properties}, rules.Create)
}

// checkNewEdge checks the ends of a new edge before the edge.
func (e *explanation) checkNewEdge() error {
	for _, id := range []string{e.body.source, e.body.target} {
		end, err := e.read(graph.NodeKind, id)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return err
		}
		visible, decided := err == nil, []rules.Decision(nil)
		if visible && !e.principal.View.AllowsAll(rules.Create) {
			visible, decided = e.sees(end)
		}
		if !visible {
			e.fail("visible", "an end of the edge does not exist for the user", fault.Validation, decided...)
			return nil
		}
	}
	e.checkCreate(graph.EdgeKind)
	return nil
}

// maxExplainedEdges is how many edges of a node are checked, with both of their ends.
const maxExplainedEdges = 100

// checkEdges checks the edges that would be deleted with a node.
func (e *explanation) checkEdges(node string) error {
	ctx := rules.WithoutView(e.call.ctx())
	page, err := e.call.api.options.Edges.Edges(ctx, graph.EdgeQuery{NodeID: node, Paging: graph.Paging{Limit: maxExplainedEdges}})
	if err != nil {
		return err
	}
	for _, edge := range page.Items {
		one, err := e.read(graph.EdgeKind, edge.ID)
		if fault.CodeOf(err) == fault.NotFound {
			continue // deleted since
		}
		if err != nil {
			return err
		}
		visible, decided := e.sees(one)
		if visible {
			var rights rules.Rights
			rights, decided = e.principal.View.Decide(rules.Delete, graph.EdgeKind, one.names, one.properties)
			visible = rights.Granted()
		}
		if !visible {
			e.fail("edges", "the node has edges that this user may not delete with it", fault.PermissionDenied, decided...)
			return nil
		}
	}
	detail := "the user may delete the edges of the node"
	if page.Next != nil {
		detail = "the user may delete the first " + strconv.Itoa(maxExplainedEdges) + " edges of the node; others were not read"
	}
	e.pass("edges", detail)
	return nil
}
