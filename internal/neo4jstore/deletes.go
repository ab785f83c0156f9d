package neo4jstore

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/coalesce"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// remove is a delete that depends on nothing but the number of edges.
type remove struct {
	at    reference
	most  any   // of a node's edges; nil for any number
	large int64 // a node of a higher degree is not deleted but answered with its degree
	by    audit.Actor
}

func (s *Store) deleteRow(r remove) map[string]any {
	row := map[string]any{"element": r.at.element, "id": r.at.ownParam(), "most": r.most, "large": r.large}
	if s.config.Audit.Records(audit.Edge) {
		row["edge_line"] = auditPrefix(r.by)
	}
	return s.by(r.by, r.at.id(), nil, row)
}

func deleteStatement(k kind) cypher.Statement {
	if k == edges {
		return cypher.DeleteEdges
	}
	return cypher.DeleteNodes
}

// deleteParams are what a statement that deletes takes besides its rows.
func (s *Store) deleteParams(k kind, m *managedTypes) map[string]any {
	params := s.audited(audit.Delete, k)
	if k == nodes {
		params["managed"] = batched(m.of(edges).names)
	}
	return params
}

func (s *Store) deleteBatch(k kind) func(context.Context, []remove) []coalesce.Outcome[answer] {
	text := deleteStatement(k).Text(cypher.Slots{"id": s.idName})
	return func(ctx context.Context, batch []remove) []coalesce.Outcome[answer] {
		out := make([]coalesce.Outcome[answer], len(batch))
		m, err := s.catalogue.get(ctx)
		if err != nil {
			return failAll(out, err)
		}
		var now []remove
		var at []int // where in the batch each of them is
		for i, r := range batch {
			if k == nodes && s.large.has(r.at.element) {
				out[i].Value.tuple = largeTuple() // its locks would hold up the batch
				continue
			}
			now, at = append(now, r), append(at, i)
		}
		order := sorted(now, func(r remove) string { return r.at.element })
		for i, o := range s.inOrder(ctx, text, order, func(i int) map[string]any { return s.deleteRow(now[i]) }, s.deleteParams(k, m)) {
			if out[at[i]] = o; o.Value.tuple.isLarge() {
				s.large.announce(now[i].at.element)
			}
		}
		return out
	}
}

// largeTuple is the answer to a row that was left as it is because the node's degree is too high for a batch.
func largeTuple() tuple { return tuple{int64(0), nil, int64(0)} }

// delete removes an entity. Of parallel deletes one succeeds.
func (s *Store) delete(ctx context.Context, k kind, id string, r graph.Removal) (graph.Deletion, error) {
	gone := graph.Deletion{ID: id}
	m, err := s.catalogue.get(ctx)
	if err != nil {
		return gone, err
	}
	err = s.attempt(ctx, k, id, func(at reference) (bool, error) {
		gone.ID = at.id()
		t, err := s.deleteAt(ctx, m, k, at, r)
		if err != nil || t == nil {
			return false, err
		}
		if deleted, _ := t[1].(bool); !deleted {
			return false, edgesInTheWay(r)
		}
		gone.DeletedEdges = t.integer(2)
		s.elementsOf(k).drop(gone.ID)
		return true, nil
	})
	return gone, err
}

// isLarge says whether a delete's row was left as it is because the node's degree is too high for a batch.
func (t tuple) isLarge() bool { return t != nil && t[1] == nil }

func (s *Store) deleteAt(ctx context.Context, m *managedTypes, k kind, at reference, r graph.Removal) (tuple, error) {
	row := remove{at: at, most: s.most(r), large: maxBatchedDegree, by: audit.ActorFrom(ctx)}
	var t tuple
	var err error
	if r.If.Present() {
		t, err = s.checkedDelete(ctx, m, k, row, r)
	} else {
		var a answer
		a, err = doTwice(func() (answer, error) { return do(ctx, s.groups.of(k).deletes, row) })
		t = a.tuple
	}
	if err != nil || !t.isLarge() {
		return t, err
	}
	return s.deleteLarge(ctx, row, r)
}

// checkedDelete deletes an entity after a look at what it holds, under its lock.
func (s *Store) checkedDelete(ctx context.Context, m *managedTypes, k kind, row remove, r graph.Removal) (tuple, error) {
	var result tuple
	found, err := s.locked(ctx, m, k, row.at, func(ctx context.Context, tx neo4j.ExplicitTransaction, e *element) error {
		result = nil
		_, revision, err := s.content(ctx, m, k, e)
		if err != nil {
			return err
		}
		if !r.If.Allows(revision) {
			return preconditionFailed()
		}
		params := s.deleteParams(k, m)
		params["rows"] = rows{s.deleteRow(row)}.list()
		tuples, err := s.within(ctx, tx, deleteStatement(k).Text(cypher.Slots{"id": s.idName}), params)
		if err == nil && len(tuples) > 0 {
			result = tuples[0]
		}
		return err
	})
	if !found {
		return nil, err
	}
	return result, err
}

// most is how many edges a delete may take along.
func (s *Store) most(r graph.Removal) any {
	switch {
	case r.Detach == nil:
		return s.config.MaxDetach
	case *r.Detach:
		return nil
	default:
		return int64(0)
	}
}

func edgesInTheWay(r graph.Removal) error {
	if r.Detach == nil {
		return fault.New(fault.Conflict, "The node has too many edges to delete them without being told to",
			fault.Detail{Field: "detach", Message: "true deletes the node with all its edges"})
	}
	return fault.New(fault.Conflict, "The node still has edges",
		fault.Detail{Field: "detach", Message: "false refuses while the node has edges; delete them first or leave detach out"})
}
