package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// requireStale proposes operations, approves them, changes the graph and requires that applying them and their diff name conflicts.
func (s changeSetStore) requireStale(t *testing.T, change string, params map[string]any, operations ...graph.Operation) {
	t.Helper()
	set, based := s.approved(t, operations...)
	s.db.Exec(t, change, params)
	before := s.db.Checksum(t)
	diff, err := s.c.Diff(t.Context(), set, ada, based)
	require.NoError(t, err)
	shown := false
	for _, e := range diff.Entities {
		shown = shown || e.Conflict != nil
	}
	require.True(t, shown, "the diff shows the conflict")
	_, err = s.apply(t, set, based)
	requireConflicts(t, err)
	require.Equal(t, before, s.db.Checksum(t), "nothing is changed")
}

// Each update and delete keeps what it was based on, whatever if_match it was given: what came after the approval is a conflict.
func TestApprovalsAreBasedOnWhatWasApproved(t *testing.T) {
	s := openChangeSets(t, nil)
	whatever := func(o graph.Operation) graph.Operation { o.If = graph.Precondition{Any: true}; return o }
	detach := func(o graph.Operation) graph.Operation { yes := true; o.Detach = &yes; return o }
	person := func() graph.Node { return s.createPerson(t, "r", graph.Properties{"n": int64(1)}) }

	for name, prepare := range map[string]func(o graph.Operation) graph.Operation{
		"without if_match": func(o graph.Operation) graph.Operation { return o }, "with *": whatever, "with detach": detach,
	} {
		t.Run(name, func(t *testing.T) {
			n, late := person(), person()
			edge := s.connect(t, "r", n, n, nil)
			ids := map[string]any{"id": n.ID, "late": late.ID, "edge": edge.ID, "later": "later " + name}
			s.requireStale(t, "MATCH (n:Person {uuid: $id}) SET n.late = true", ids,
				prepare(updateOf(graph.OpUpdateNode, n.ID, graph.Properties{"x": true})))
			s.requireStale(t, "MATCH (n:Person {uuid: $id}) SET n.late = 2", ids, prepare(deletionOf(graph.OpDeleteNode, n.ID)))
			s.requireStale(t, "MATCH ()-[r:KNOWS {uuid: $edge}]->() SET r.late = true", ids,
				prepare(deletionOf(graph.OpDeleteEdge, edge.ID)))
			s.requireStale(t, "MATCH (n:Person {uuid: $id}), (m:Person {uuid: $late}) CREATE (m)-[:LIKES]->(n)", ids,
				prepare(deletionOf(graph.OpDeleteNode, n.ID)))
			s.requireStale(t, "CREATE (:Person {uuid: $later})", ids,
				prepare(updateOf(graph.OpUpdateNode, "later "+name, graph.Properties{"x": true})))
		})
	}

	n := person()
	edge := s.connect(t, "r", n, person(), nil)
	set, based := s.approved(t,
		graph.Operation{
			Op: graph.OpCreateEdge, Type: "LIKES", Source: graph.EntityRef{ID: n.ID}, Target: graph.EntityRef{ID: n.ID},
		}, whatever(deletionOf(graph.OpDeleteNode, n.ID)))
	s.db.Exec(t, "MATCH ()-[r:KNOWS {uuid: $edge}]->() DELETE r", map[string]any{"edge": edge.ID})
	_, err := s.apply(t, set, based)
	require.NoError(t, err, "fewer edges, and those that the operations create, are no conflict")
}

// An end of a new edge that did not exist when this was proposed, and exists now, is a conflict: nobody has approved an edge to it.
func TestNewEdgesAreBasedOnTheirEnds(t *testing.T) {
	s := openChangeSets(t, nil)
	n := s.createPerson(t, "r", graph.Properties{"n": int64(1)})
	_, err := s.CreateEdge(t.Context(), graph.NewEdge{Type: "LIKES", SourceID: n.ID, TargetID: n.ID})
	require.NoError(t, err) // the constraint of a new type is there before the edge is refused, and stays
	connect := func(source, target string) graph.Operation {
		return graph.Operation{
			Op: graph.OpCreateEdge, Type: "LIKES", Source: graph.EntityRef{ID: source}, Target: graph.EntityRef{ID: target},
		}
	}
	s.requireStale(t, "CREATE (:Person {uuid: 'later source'})", nil, connect("later source", n.ID))
	s.requireStale(t, "CREATE (:Person {uuid: 'later target'})", nil, connect(n.ID, "later target"))
	s.requireStale(t, "CREATE (:Person {uuid: 'later both'})", nil, connect("later both", "later both"))
	s.requireStale(t, "CREATE (:Person {uuid: 'later one'})", nil, connect("later one", "never"))
	s.requireStale(t, "MATCH (n:Person {uuid: $id}) SET n.late = true", map[string]any{"id": n.ID}, connect(n.ID, "never"))
	set, based := s.approved(t, connect(n.ID, n.ID))
	_, err = s.apply(t, set, based)
	require.NoError(t, err)
}

// if_match is compared at proposing, with what the author sees.
func TestProposalsCompareIfMatch(t *testing.T) {
	s := openChangeSets(t, nil)
	n := s.createPerson(t, "r", graph.Properties{"n": int64(1)})
	stale := updateOf(graph.OpUpdateNode, n.ID, graph.Properties{"x": true})
	stale.If = graph.Precondition{Revisions: []graph.Revision{"stale"}}
	_, _, err := s.c.Propose(as(t, "p"), changeset.Set{Title: "T", Author: ada}, []graph.Operation{stale, stale}, nil)
	requireFault(t, err, fault.PreconditionFailed, "operations[0].if_match", "operations[1].if_match")

	role := rules.Role{Name: "r", Grants: []rules.Grant{{
		Kind: graph.NodeKind, Type: "Person", Actions: []rules.Action{rules.Read, rules.Edit}, Hidden: []string{"n"},
	}}}
	ctx := rules.WithView(as(t, "p"), rules.NewView(rules.User{ID: "1"}, nil, []rules.Role{role}))
	seen, err := s.Node(ctx, n.ID)
	require.NoError(t, err)
	stale.If.Revisions = []graph.Revision{seen.Revision()}
	_, _, err = s.c.Propose(ctx, changeset.Set{Title: "T", Author: ada}, []graph.Operation{stale}, nil)
	require.NoError(t, err)
}
