package neo4jjournal

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

func undeclared() *declared.Types { return nil }

// An image has the properties of the entity, without what the record says of itself and without the id, which is no property in the API.
func TestDecodedImagesHaveThePropertiesOfTheEntityOnly(t *testing.T) {
	records := &recordReader{config: &neo4jentity.Config{IDProperty: "uuid"}, types: undeclared}
	stored := map[string]any{
		"_graphrest_id": "1700000000000000-7", "_graphrest_entity": "edge e1", "_graphrest_position": int64(3),
		"_graphrest_meta": []any{"delete", "ada", "1", "g", "", "", "", "n1", "5:x:1", "KNOWS"},
		"_graphrest_ends": []any{"4:x:1", "4:x:2", "n1", "n2"}, "_graphrest_with": "n1",
		"_graphrest.uuid": "e1", "_graphrest.since": int64(1999), "since": "of the record",
	}
	r, err := records.decode(stored)
	require.NoError(t, err)
	require.Equal(t, journal.State{
		ID: "e1", Labels: []string{"KNOWS"}, SourceID: "n1", TargetID: "n2", EndElements: [2]string{"4:x:1", "4:x:2"},
		Properties: graph.Properties{"since": int64(1999)},
	}, r.Image)
	require.Equal(t, "5:x:1", r.Element)
	require.Equal(t, journal.Cause{DeletedWith: "n1"}, r.Cause)
	require.False(t, r.Restored)
	require.EqualValues(t, 3, r.Position)

	stored["_graphrest.uuid"] = "another" // as it was before the entity had the id
	r, err = records.decode(stored)
	require.NoError(t, err)
	require.Equal(t, "another", r.Image.Properties["uuid"])
	r, err = records.decode(map[string]any{"_graphrest_id": "1700000000000000-7"}) // of another program
	require.NoError(t, err)
	require.Empty(t, r.Image.Labels)
}

// viewOfTypes is a context of a user who sees some types.
func viewOfTypes(ctx context.Context, node, edge string) context.Context {
	read := []rules.Action{rules.Read}
	return rules.WithView(ctx, rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{
		{Kind: graph.NodeKind, Type: node, Actions: read}, {Kind: graph.EdgeKind, Type: edge, Actions: read},
	}}}))
}

// The record of an edge is shown only if the edge and both of its ends are; what is known of an end is not read again.
func TestRecordsOfEdgesAreSeenWithBothEnds(t *testing.T) {
	view := newJournalView(viewOfTypes(t.Context(), "Person", "KNOWS"), nil) // it has nothing to read from
	view.ends = map[endOf]bool{{node: "ann"}: true, {node: "ben"}: true, {node: "spy"}: false}
	edge := func(edgeType, source, target string) journal.Record {
		return journal.Record{ID: "1700000000000000-7", Action: journal.Create, Kind: graph.EdgeKind, Image: journal.State{
			Labels: []string{edgeType}, SourceID: source, TargetID: target,
		}}
	}
	shown, err := view.showRecords(t.Context(), []journal.Record{
		edge("KNOWS", "ann", "ben"), edge("KNOWS", "ann", "spy"), edge("KNOWS", "spy", "ben"), edge("OWNS", "ann", "ben"),
	})
	require.NoError(t, err)
	require.NotNil(t, shown[0])
	require.Equal(t, []*journal.Record{nil, nil, nil}, shown[1:])
}
