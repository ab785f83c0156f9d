package httpapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// checkRead checks that the user sees an entity that exists.
func (e *explanation) checkRead(one explainedEntity) {
	e.decided = nil
	if visible, decided := e.sees(one); !visible {
		e.fail("visible", "the user does not see this "+string(one.kind), fault.NotFound, decided...)
	} else {
		e.pass("visible", "the user sees this "+string(one.kind), decided...)
	}
}

// checkWrite checks a write of one entity by simulating its operation.
func (e *explanation) checkWrite(o graph.Operation) error {
	checked, err := e.call.api.options.ChangeSets.Check(e.ctx(), []graph.Operation{o}, false)
	e.decided = nil
	var refusal rules.Refusal
	switch f := fault.As(err); {
	case err == nil:
		e.pass("allowed", "the user may "+string(e.route.Access.permissions[0])+" this "+string(o.Op.Kind()), checked.Decided...)
		if checked.EdgesLeftOut {
			e.pass("edges", fmt.Sprintf("the node has more than %d edges: those beyond may not be judged; "+
				"if the user may not delete one of them, the request is refused with %s", graph.MaxBatchEdges, fault.PermissionDenied))
		}
		return nil
	case errors.As(err, &refusal):
		e.fail("allowed", detailOf(f), f.Code, refusal.Decided...)
		return nil
	default:
		return e.noteOperations([]graph.Operation{o}, graph.OperationFault(0, o.Op, err), "")
	}
}

// operation is the operation of a write of one entity.
func (e *explanation) operation() graph.Operation {
	ref := func(id string) graph.EntityRef {
		if cannotBeID(id) {
			id = "" // names nothing
		}
		return graph.EntityRef{ID: id}
	}
	kind, name := graph.NodeKind, "node_id"
	if strings.HasPrefix(e.route.Path, "/api/edges") {
		kind, name = graph.EdgeKind, "id"
	}
	o := graph.Operation{Properties: e.body.properties, Type: graph.TypeName(e.body.typ)}
	switch rules.Action(e.route.Access.permissions[0]) {
	case rules.Create:
		o.Op = graph.OperationName("create_" + string(kind))
		if kind == graph.EdgeKind {
			o.Source, o.Target = ref(e.body.source), ref(e.body.target)
		}
		return o
	case rules.Delete:
		o.Op = graph.OperationName("delete_" + string(kind))
	default:
		o.Op = graph.OperationName("update_" + string(kind))
	}
	o.Entity = ref(e.values[name])
	return o
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
			return false, append([]rules.Decision{{Reason: rules.EndNotVisible}}, why...)
		}
	}
	return true, nil
}

// holding returns the decisions that allow.
func holding(decided []rules.Decision) []rules.Decision {
	return slices.DeleteFunc(slices.Clone(decided), func(d rules.Decision) bool { return !d.Holds })
}
