package neo4jview_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jview"
)

func TestChangesAreCheckedInBothStates(t *testing.T) {
	ctx := withGrants(t, `[`+notesOfATeam+`,{"kind":"node","type":"Note","actions":["read"],"where":{"team":{"eq":"c"}}}]`)
	for name, c := range map[string]struct {
		now    neo4jview.Content
		change graph.Properties
		code   fault.Code
		fields []string
	}{
		"a node that is neither visible nor editable does not exist": {
			now: neo4jview.Content{Properties: graph.Properties{"team": "b"}}, change: graph.Properties{"n": int64(1)}, code: fault.NotFound,
		},
		"a visible node that no grant allows to change": {
			now:    neo4jview.Content{Properties: graph.Properties{"team": "c"}, Visible: true},
			change: graph.Properties{"n": int64(1)}, code: fault.PermissionDenied,
		},
		"a change out of the grant": {
			now:    neo4jview.Content{Properties: graph.Properties{"team": "a"}, Visible: true},
			change: graph.Properties{"team": "b"}, code: fault.PermissionDenied,
		},
		"a hidden property": {
			now:    neo4jview.Content{Properties: graph.Properties{"team": "a"}, Visible: true},
			change: graph.Properties{"pin": int64(1)}, code: fault.PermissionDenied, fields: []string{"properties.pin"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			neo4jstoretest.RequireFault(t, neo4jview.CheckEdit(ctx, graph.NodeKind, []string{"Note"}, c.now, c.change), c.code, c.fields...)
		})
	}
	allowed := neo4jview.Content{Properties: graph.Properties{"team": "a"}, Visible: true}
	require.NoError(t, neo4jview.CheckEdit(ctx, graph.NodeKind, []string{"Note"}, allowed, graph.Properties{"n": int64(1)}))
	require.NoError(t, neo4jview.CheckDelete(ctx, graph.NodeKind, []string{"Note"}, allowed, 0))
	neo4jstoretest.RequireFault(t, neo4jview.CheckDelete(ctx, graph.NodeKind, []string{"Note"}, allowed, 1), fault.PermissionDenied)
	err := neo4jview.CheckCreate(ctx, graph.NodeKind, []string{"Note"}, graph.Properties{"team": "a"})
	neo4jstoretest.RequireFault(t, err, fault.PermissionDenied)
}

// An edge with an end that the user does not see does not exist, whatever the grants on edges allow.
func TestAnEdgeWithAHiddenEndDoesNotExist(t *testing.T) {
	ctx := withGrants(t, `[`+notesOfATeam+`,{"kind":"edge","type":"*","actions":["read","edit","delete"]}]`)
	for _, seesEnds := range []bool{true, false} {
		now := neo4jview.Content{Properties: graph.Properties{}, Visible: seesEnds, SeesEnds: seesEnds}
		for _, err := range []error{
			neo4jview.CheckEdit(ctx, graph.EdgeKind, []string{"KNOWS"}, now, graph.Properties{"n": int64(1)}),
			neo4jview.CheckDelete(ctx, graph.EdgeKind, []string{"KNOWS"}, now, 0),
		} {
			if seesEnds {
				require.NoError(t, err)
			} else {
				neo4jstoretest.RequireFault(t, err, fault.NotFound)
			}
		}
	}
}

func TestWhatIsWrittenIsShownByTheView(t *testing.T) {
	ctx := withGrants(t, `[`+notesOfATeam+`,{"kind":"edge","type":"*","actions":["read"]}]`)
	node := func(ctx context.Context, team string) graph.Node {
		return neo4jview.ShowWrittenNode(ctx, graph.Node{
			ID: "1", Type: "Note", Labels: []string{"Note"}, Properties: graph.Properties{"team": team, "pin": int64(7)},
		})
	}
	require.Equal(t, graph.Properties{"team": "a"}, node(ctx, "a").Properties)
	require.Equal(t, graph.Node{ID: "1", Type: "Note"}, node(ctx, "b"))
	require.Equal(t, graph.Properties{"team": "b", "pin": int64(7)}, node(t.Context(), "b").Properties)

	edge := graph.Edge{ID: "2", Type: "KNOWS", SourceID: "1", TargetID: "3", Properties: graph.Properties{"n": int64(1)}}
	require.Nil(t, neo4jview.ShowWrittenEdge(ctx, edge, false).Properties)
	require.Equal(t, edge.Properties, neo4jview.ShowWrittenEdge(ctx, edge, true).Properties)
}
