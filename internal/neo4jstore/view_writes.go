package neo4jstore

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// denied is the fault of a change that the user's grants do not allow.
func denied(reason string) *fault.Error {
	return fault.New(fault.PermissionDenied, "Permission denied: "+reason)
}

// deniedInState is denied with what each grant for the action says about an entity in one state.
func deniedInState(v *rules.View, action rules.Action, k kind, names []string, p graph.Properties, reason string) *fault.Error {
	_, decided := v.Decide(action, k, names, p)
	return fault.Wrap(rules.Refusal{Decided: decided}, fault.PermissionDenied, "Permission denied: "+reason)
}

// checkCreate rejects a new entity that no grant of the user allows, or that sets a property that each of them hides or protects.
func checkCreate(ctx context.Context, k kind, names []string, p graph.Properties) error {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Create) {
		return nil
	}
	rights := rightsOf(v, rules.Create, k, names, stored(p))
	if !rights.Granted() {
		return deniedInState(v, rules.Create, k, names, stored(p), "no grant allows to create this "+string(k))
	}
	return checkWritable(rights, stored(p))
}

// rightsOf are the rights to an action on an entity in one state.
func rightsOf(v *rules.View, action rules.Action, k kind, names []string, p graph.Properties) rules.Rights {
	if k == edges {
		return v.EdgeRights(action, names[0], p)
	}
	return v.NodeRights(action, names, p)
}

// checkWritable rejects properties that may not be written.
func checkWritable(rights rules.Rights, p graph.Properties) error {
	var details []fault.Detail
	for _, key := range slices.Sorted(maps.Keys(p)) {
		if rights.Protects(key) {
			details = append(details, fault.Detail{Field: graph.FieldPath("properties", key), Message: "may not be written by this user"})
		}
	}
	if len(details) > 0 {
		return fault.Wrap(rules.Refusal{Grants: rights.Names()}, fault.PermissionDenied,
			"Permission denied: a property is hidden or read-only", details...)
	}
	return nil
}

// content is an entity under its lock: everything in it, and what its user sees of it.
type content struct {
	properties graph.Properties
	visible    bool
	seesEnds   bool           // of an edge: whether the user sees both ends
	revision   graph.Revision // of what is visible; empty if nothing is
}

// readContent converts an entity's content for a client.
func (s *Store) readContent(ctx context.Context, m *managedTypes, k kind, e *element) (content, error) {
	if k == edges {
		edge, err := s.edge(ctx, m, e)
		if err != nil {
			return content{}, err
		}
		c := content{properties: edge.Properties}
		c.seesEnds, err = s.seesEnds(ctx, m, e)
		if err == nil && showEdge(ctx, &edge) && c.seesEnds {
			c.visible, c.revision = true, edge.Revision()
		}
		return c, err
	}
	node, err := s.node(ctx, m, e)
	if err != nil {
		return content{}, err
	}
	c := content{properties: node.Properties}
	if showNode(ctx, &node) {
		c.visible, c.revision = true, node.Revision()
	}
	return c, nil
}

// checkEdit rejects a change that no grant of the user allows in the state before it and in the state after it. An entity that the user
// neither sees nor may change does not exist.
func checkEdit(ctx context.Context, k kind, names []string, now content, change graph.Properties) error {
	v := rules.ViewOf(ctx)
	switch {
	case v.AllowsAll(rules.Edit):
		return nil
	case isOutOfView(v, rules.Edit, k, now.seesEnds):
		return notFound(k)
	}
	before := rightsOf(v, rules.Edit, k, names, now.properties)
	if !before.Granted() {
		if !now.visible {
			return notFound(k)
		}
		return deniedInState(v, rules.Edit, k, names, now.properties, "no grant allows to change this "+string(k))
	}
	result := graph.ApplyChange(now.properties, change)
	after := rightsOf(v, rules.Edit, k, names, result)
	if err := checkWritable(before.Or(after), change); err != nil {
		return err
	}
	if !after.Granted() {
		return deniedInState(v, rules.Edit, k, names, result, "no grant allows this "+string(k)+" as it would be after the change")
	}
	return nil
}

// isOutOfView says whether an edge that is to be changed does not exist for a user: see JudgesEnds.
func isOutOfView(v *rules.View, action rules.Action, k kind, seesEnds bool) bool {
	return k == edges && !seesEnds && v.JudgesEnds(action)
}

// hideDetails removes from the error of a validation what it says of properties that the user neither sees in the state after a change nor
// writes.
func hideDetails(ctx context.Context, err error, k kind, names []string, after, written graph.Properties) error {
	v, f := rules.ViewOf(ctx), fault.As(err)
	if err == nil || v.ShowsAll() || len(f.Details) == 0 {
		return err
	}
	rights := rightsOf(v, rules.Read, k, names, after)
	shown := map[string]bool{}
	for key := range after {
		shown[graph.FieldPath("properties", key)] = rights.Granted() && !rights.Hides(key)
	}
	for key := range written {
		shown[graph.FieldPath("properties", key)] = true
	}
	return keepDetails(f, shown)
}

// keepDetails removes from an error what it says of properties other than those shown, by the paths of their fields.
func keepDetails(f *fault.Error, shown map[string]bool) error {
	partly := *f
	partly.Details = slices.DeleteFunc(slices.Clone(f.Details), func(d fault.Detail) bool {
		return strings.HasPrefix(d.Field, "properties") && !shown[d.Field]
	})
	return &partly
}

// checkDelete rejects the delete of an entity that no grant of the user allows, and of a node with edges that must not be deleted with it:
// see refusedEdges.
func checkDelete(ctx context.Context, k kind, names []string, now content, refusedEdges int64) error {
	v := rules.ViewOf(ctx)
	switch {
	case v.AllowsAll(rules.Delete):
		return nil
	case isOutOfView(v, rules.Delete, k, now.seesEnds):
		return notFound(k)
	case !rightsOf(v, rules.Delete, k, names, now.properties).Granted() && !now.visible:
		return notFound(k)
	case !rightsOf(v, rules.Delete, k, names, now.properties).Granted():
		return deniedInState(v, rules.Delete, k, names, now.properties, "no grant allows to delete this "+string(k))
	case refusedEdges > 0:
		return denied("the node has edges that this user may not delete with it")
	}
	return nil
}

// refusedEdges counts, by the index of the node, the edges of nodes that the user does not see or may not delete.
func refusedEdges(ctx context.Context, tx *bolt.Transaction, elementIDs []string) (map[int]int64, error) {
	refused := map[int]int64{}
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Delete) {
		return refused, nil
	}
	text, params := refusedEdgesStatement(ctx, v)
	params["elements"] = bolt.Batched(elementIDs)
	rows, err := bolt.CollectTuples(tx.RunStatement(ctx, text, params))
	for _, row := range rows {
		refused[int(row.Integer(0))] = row.Integer(1)
	}
	return refused, err
}

// refusedEdgesStatement counts the edges of nodes that are not both visible and deletable.
func refusedEdgesStatement(ctx context.Context, v *rules.View) (cypher.Text, map[string]any) {
	view := viewOf(ctx, edges)
	literals := map[string]any{}
	if view.view != nil {
		literals = view.literals()
	}
	scopes := v.Scopes(rules.Delete, graph.EdgeKind)
	deletable := cypher.InScopes(cypher.EdgeEntity, scopesFor(scopes, "", len(literals)))
	for _, scope := range scopes {
		for _, c := range scope.Conditions {
			literals["v"+strconv.Itoa(len(literals))] = literalParam(c)
		}
	}
	predicate := cypher.And([]cypher.Fragment{view.text(""), deletable})
	return cypher.RefusedEdges.Text(cypher.Slots{"view": predicate}), map[string]any{"view": literals}
}

// showWrittenNode removes from the result of a write what its user may not see. Of a node that is not visible id and type remain, and its
// properties are nil.
func showWrittenNode(ctx context.Context, n graph.Node) graph.Node {
	if !showNode(ctx, &n) {
		return graph.Node{ID: n.ID, Type: n.Type}
	}
	return n
}

// showWrittenEdge is showWrittenNode for an edge whose ends the user sees or does not see.
func showWrittenEdge(ctx context.Context, e graph.Edge, seesEnds bool) graph.Edge {
	if !showEdge(ctx, &e) || !seesEnds {
		return graph.Edge{ID: e.ID, Type: e.Type, SourceID: e.SourceID, TargetID: e.TargetID}
	}
	return e
}
