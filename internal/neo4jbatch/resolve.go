package neo4jbatch

import (
	"context"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// resolvedName is an entity of the database that operations name.
type resolvedName struct {
	at     neo4jentity.Reference
	isEnd  bool            // of a new edge
	hidden bool            // an end that the user does not see
	check  neo4jview.Check // nil if the first operation on it is allowed whatever it contains, or is checked under its lock
	knows  neo4jentity.Knows
	err    error
}

// resolve looks up every entity of the database that the operations name. An entity that does not exist is the failure of its operation.
func (pr batchPreparer) resolve(ctx context.Context) error {
	found := pr.all.namedEntities()
	pr.addKnown(ctx, found)
	pr.addRightsChecks(ctx, found)
	var lookups errgroup.Group
	lookups.SetLimit(neo4jentity.MaxParallelResolves)
	for key, t := range found {
		lookups.Go(func() error {
			if t.isEnd && (t.knows == nil || neo4jview.RequiresVisibleNewEnds(ctx)) {
				t.at, t.hidden, t.err = pr.reads.ResolveEnd(ctx, key.Name)
			} else {
				t.at, _, t.err = pr.reads.ResolveAuthorized(ctx, key.Kind, key.Name, t.check, t.knows)
			}
			if t.err != nil && !bolt.IsRowError(t.err) {
				return t.err
			}
			return nil
		})
	}
	if err := lookups.Wait(); err != nil {
		return err
	}
	for _, o := range pr.all {
		o.failure = nil
		switch {
		case o.Op == graph.OpCreateEdge:
			o.setEnds(found)
		case !o.Op.Creates() && o.definition == nil:
			t := found[neo4jentity.TypeKey{Kind: o.k, Name: o.Entity.ID}]
			o.at, o.failure = t.at, t.err
		}
	}
	pr.authorizeCreates(ctx)
	return nil
}

// namedEntities are the entities to look up.
func (ol operationList) namedEntities() map[neo4jentity.TypeKey]*resolvedName {
	found := map[neo4jentity.TypeKey]*resolvedName{}
	want := func(k graph.Kind, id string, definition *operation, isEnd bool) {
		key := neo4jentity.TypeKey{Kind: k, Name: id}
		if definition != nil {
			return
		}
		if found[key] == nil {
			found[key] = &resolvedName{}
		}
		found[key].isEnd = found[key].isEnd || isEnd
	}
	for _, o := range ol {
		switch o.Op {
		case graph.OpCreateNode:
		case graph.OpCreateEdge:
			want(graph.NodeKind, o.Source.ID, o.ends[0], true)
			want(graph.NodeKind, o.Target.ID, o.ends[1], true)
		default:
			want(o.k, o.Entity.ID, o.definition, false)
		}
	}
	return found
}

// addKnown makes an id of several entities that one which exists for the user of the first operation on it.
func (pr batchPreparer) addKnown(ctx context.Context, found map[neo4jentity.TypeKey]*resolvedName) {
	v := rules.ViewOf(ctx)
	if v.ShowsAll() {
		return
	}
	for _, o := range pr.all {
		t := found[neo4jentity.TypeKey{Kind: o.k, Name: o.Entity.ID}]
		if o.Op.Creates() || t == nil || t.knows != nil {
			continue
		}
		t.knows = func(names []string, now neo4jview.Content) bool {
			return neo4jview.IsKnown(v, actionOf(o), o.k, names, now)
		}
	}
}

// addRightsChecks adds the checks of the entities that are in the database as the first operation on them will find them. One that earlier
// operations may change or connect is checked under its lock, and the operations of a change set are authorized as a whole.
func (pr batchPreparer) addRightsChecks(ctx context.Context, found map[neo4jentity.TypeKey]*resolvedName) {
	if pr.set != nil {
		return
	}
	changed, nodesChanged := map[neo4jentity.TypeKey]bool{}, false
	for _, o := range pr.all {
		if o.Op.Creates() {
			continue
		}
		key := neo4jentity.TypeKey{Kind: o.k, Name: o.Entity.ID}
		if t := found[key]; t != nil && !t.isEnd && o.definition == nil && !changed[key] && (o.k == graph.NodeKind || !nodesChanged) {
			if t.check = neo4jview.NewEditCheck(ctx, o.k, o.Properties); o.Op.Deletes() {
				t.check = neo4jview.NewDeleteCheck(ctx, o.k)
			}
		}
		changed[key], nodesChanged = true, nodesChanged || o.k == graph.NodeKind
	}
}

// setEnds sets the ends of a new edge that are in the database.
func (o *operation) setEnds(found map[neo4jentity.TypeKey]*resolvedName) {
	o.endStates = newEdgeEnds{}
	for i, id := range []string{o.Source.ID, o.Target.ID} {
		if o.ends[i] != nil {
			continue
		}
		t := found[neo4jentity.TypeKey{Kind: graph.NodeKind, Name: id}]
		o.sourceAndTarget[i], o.endStates.missing[i], o.endStates.hidden[i] = t.at, fault.CodeOf(t.err) == fault.NotFound, t.hidden
		if t.err != nil && !o.endStates.missing[i] {
			o.failure = t.err
		}
	}
}
