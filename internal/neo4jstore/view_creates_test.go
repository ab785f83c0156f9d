package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

// A grant for one label of a node does not allow to create it, by any route. What is refused says nothing of the other label: neither that
// its unique value is taken, nor what its declaration requires.
func TestACreateNeedsAGrantForEachLabel(t *testing.T) {
	s := openChangeSets(t, nil)
	s.db.Exec(t, "CREATE CONSTRAINT city_ssn IF NOT EXISTS FOR (n:City) REQUIRE n.ssn IS UNIQUE", nil)
	s.db.Exec(t, "CREATE (:City {ssn: 'taken'})", nil)
	declare(t, s.Store, graph.Declaration{Kind: graph.NodeKind, Type: "City", Level: graph.LevelStrict, Schema: `{"required":["ssn"]}`})
	both, err := s.Batches.Apply(as(t, "both"), []graph.Operation{{
		Op: graph.OpCreateNode, Type: "Person", Labels: []graph.TypeName{"City"}, Properties: graph.Properties{"ssn": "free"},
	}}, graph.BatchOptions{})
	require.NoError(t, err)
	_, err = s.DeleteNode(as(t, "gone"), both.Results[0].ID, graph.Removal{})
	require.NoError(t, err)

	grant := func(types ...string) *rules.View {
		role := rules.Role{Name: "r"}
		for _, name := range types {
			role.Grants = append(role.Grants, rules.Grant{Kind: graph.NodeKind, Type: name, Actions: []rules.Action{rules.Create}})
		}
		return rules.NewView(rules.User{ID: "1", Name: "ada"}, nil, []rules.Role{role})
	}
	before := s.db.Query(t, "MATCH (n:City) RETURN count(n) AS n", nil)
	for _, properties := range []graph.Properties{{"ssn": "taken"}, {"ssn": "new"}, {}} {
		operation := graph.Operation{Op: graph.OpCreateNode, Type: "Person", Labels: []graph.TypeName{"City"}, Properties: properties}
		line := graph.BulkLine{Number: 1, Node: &graph.BulkNode{ID: "x", Labels: []graph.TypeName{"Person", "City"}, Properties: properties}}
		set, based := s.approved(t, operation)
		for _, view := range []*rules.View{grant("Person"), grant("City"), grant("Other")} {
			ctx := rules.WithView(as(t, "r"), view)
			refused := map[string]error{}
			_, refused["batch"] = s.Batches.Apply(ctx, []graph.Operation{operation}, graph.BatchOptions{})
			_, refused["dry run"] = s.Batches.Apply(ctx, []graph.Operation{operation}, graph.BatchOptions{DryRun: true})
			refused["approval"] = s.c.Authorize(ctx, []graph.Operation{operation})
			_, refused["change set"] = s.c.Apply(ctx, set, changeset.Event{User: bob, Action: changeset.Apply}, based)
			_, refused["undo"] = s.j.Undo(ctx, journal.UndoRequest{RequestID: "gone"})
			for _, on := range []graph.OnConflict{graph.OnConflictError, graph.OnConflictSkip, graph.OnConflictMerge} {
				results, err := s.Bulk.Import(on).Write(ctx, []graph.BulkLine{line})
				require.NoError(t, err)
				refused["import "+string(on)] = results[0].Fault
			}
			for route, err := range refused {
				code := fault.PermissionDenied
				if route == "undo" {
					code = fault.NotFound // the user neither sees the deleted node nor may restore it
				}
				require.Equal(t, code, fault.CodeOf(err), "%s: %v", route, err)
				require.NotContains(t, err.Error(), "ssn", route)
			}
		}
	}
	require.Equal(t, before, s.db.Query(t, "MATCH (n:City) RETURN count(n) AS n", nil))

	ctx := rules.WithView(as(t, "allowed"), grant("Person", "City"))
	_, err = s.Batches.Apply(ctx, []graph.Operation{{
		Op: graph.OpCreateNode, Type: "Person", Labels: []graph.TypeName{"City"}, Properties: graph.Properties{"ssn": "second"},
	}}, graph.BatchOptions{})
	require.NoError(t, err)
	undone, err := s.j.Undo(ctx, journal.UndoRequest{RequestID: "gone"})
	require.NoError(t, err)
	require.Equal(t, 1, undone.Undone)
}
