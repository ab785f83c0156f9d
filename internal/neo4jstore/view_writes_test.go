package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// TestWritesNeedAGrantBeforeAndAfter: creates, updates and deletes of a user with grants only.
func TestWritesNeedAGrantBeforeAndAfter(t *testing.T) {
	s, db := open(t, nil)
	grants, f := rules.ParseGrants("grants", `[
		{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"in":["a","b"]}},"hidden":["salary"]},
		{"kind":"node","type":"Person","actions":["create","edit","delete"],"where":{"team":{"eq":{"$user":"attributes.team"}}},
			"hidden":["salary"],"read_only":["born"]},
		{"kind":"node","type":"Note","actions":["create"]},
		{"kind":"edge","type":"KNOWS","actions":["read","create","delete"]},
		{"kind":"edge","type":"LIKES","actions":["read","edit"]}]`)
	require.Nil(t, f)
	user := rules.User{ID: "1", Name: "ann", Attributes: graph.Properties{"team": "a"}}
	ctx := rules.WithView(t.Context(), rules.NewView(user, nil, []rules.Role{{Name: "team", Grants: grants}}))
	node := func(p graph.Properties) string {
		made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: p})
		require.NoError(t, err)
		return made.Entity.ID
	}
	edge := func(typ graph.TypeName, source, target string) string {
		made, err := s.CreateEdge(t.Context(), graph.NewEdge{Type: typ, SourceID: source, TargetID: target})
		require.NoError(t, err)
		return made.Entity.ID
	}
	own, other := node(graph.Properties{"team": "a", "salary": int64(7)}), node(graph.Properties{"team": "b"})
	hidden := node(graph.Properties{"team": "c"})
	codeOf := func(_ any, err error) fault.Code { return fault.CodeOf(err) }
	create := func(typ graph.TypeName, p graph.Properties) fault.Code {
		return codeOf(s.CreateNode(ctx, graph.NewNode{Type: typ, Properties: p}))
	}
	update := func(id string, p graph.Properties) fault.Code {
		return codeOf(s.UpdateNode(ctx, id, graph.Change{Properties: p}))
	}
	connect := func(typ graph.TypeName, target string) fault.Code {
		return codeOf(s.CreateEdge(ctx, graph.NewEdge{Type: typ, SourceID: own, TargetID: target}))
	}

	require.Empty(t, create("Person", graph.Properties{"team": "a"}))
	require.Equal(t, fault.PermissionDenied, create("Person", graph.Properties{"team": "b"}), "outside the condition")
	require.Equal(t, fault.PermissionDenied, create("Person", graph.Properties{"team": "a", "salary": int64(1)}), "a hidden property")
	require.Equal(t, fault.PermissionDenied, create("City", graph.Properties{}), "another type")
	made, err := s.CreateNode(ctx, graph.NewNode{Type: "Note", Properties: graph.Properties{"text": "x"}})
	require.NoError(t, err)
	require.Nil(t, made.Entity.Properties, "no grant shows it")

	require.Empty(t, update(own, graph.Properties{"name": "Ann"}))
	require.Equal(t, fault.PermissionDenied, update(own, graph.Properties{"team": "b"}), "the state after the change")
	require.Equal(t, fault.PermissionDenied, update(own, graph.Properties{"born": int64(1)}), "read-only")
	require.Equal(t, fault.PermissionDenied, update(own, graph.Properties{"salary": nil}), "hidden")
	require.Equal(t, fault.PermissionDenied, update(other, graph.Properties{"name": "Bob"}), "visible, but not to be changed")
	require.Equal(t, fault.NotFound, update(hidden, graph.Properties{"name": "Cid"}))
	shown, err := s.Node(ctx, own)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"team": "a", "name": "Ann"}, shown.Properties)
	after, err := s.UpdateNode(ctx, own, graph.Change{
		Properties: graph.Properties{"name": "Anna"}, If: graph.Precondition{Revisions: []graph.Revision{shown.Revision()}},
	})
	require.NoError(t, err, "the ETag is that of the view")
	require.NotContains(t, after.Properties, "salary")
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person {salary: 7, name: 'Anna'}) RETURN count(n)", nil))

	require.Empty(t, connect("KNOWS", other))
	require.Equal(t, fault.PermissionDenied, connect("LIKES", other))
	require.Equal(t, fault.Validation, connect("KNOWS", hidden), "an end that is not visible does not exist")
	liked := edge("LIKES", own, other)
	_, err = s.UpdateEdge(ctx, liked, graph.Change{Properties: graph.Properties{"since": int64(1)}})
	require.NoError(t, err)
	require.Equal(t, fault.PermissionDenied, codeOf(s.DeleteEdge(ctx, liked, graph.Removal{})))

	remove := func(id string) fault.Code { return codeOf(s.DeleteNode(ctx, id, graph.Removal{})) }
	require.Equal(t, fault.PermissionDenied, remove(own), "an edge may not be deleted")
	_, err = s.DeleteEdge(t.Context(), liked, graph.Removal{})
	require.NoError(t, err)
	secret := edge("KNOWS", own, hidden)
	require.Equal(t, fault.PermissionDenied, remove(own), "an edge is not visible")
	_, err = s.DeleteEdge(t.Context(), secret, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, fault.PermissionDenied, remove(other))
	require.Equal(t, fault.NotFound, remove(hidden))
	deleted, err := s.DeleteNode(ctx, own, graph.Removal{})
	require.NoError(t, err)
	require.EqualValues(t, 1, deleted.DeletedEdges)
}
