package neo4jstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/testmark"
)

// requireSameProperties compares exactly, with a message that names the first difference.
func requireSameProperties(t require.TestingT, want, got graph.Properties, where string) {
	require.Len(t, got, len(want), "%s: keys", where)
	for key, value := range want {
		require.True(t, graph.EqualValues(value, got[key]), "%s: %q was %#v and came back as %#v", where, key, value, got[key])
	}
}

// Every storable value is returned unchanged, through creates, reads and updates, of nodes and edges. The result of a create equals that of
// a read, including the revision.
func TestValuesRoundTrip(t *testing.T) {
	testmark.EveryRelease(t)
	s, _ := open(t, nil)
	ctx := context.Background()
	end, err := s.CreateNode(ctx, graph.NewNode{Type: "End"})
	require.NoError(t, err)
	other, err := s.CreateNode(ctx, graph.NewNode{Type: "End", Properties: graph.Properties{"old": "x"}})
	require.NoError(t, err)
	edge, err := s.CreateEdge(ctx, graph.NewEdge{Type: "TO", SourceID: end.Entity.ID, TargetID: end.Entity.ID})
	require.NoError(t, err)
	fits := graphgen.Properties().Filter(func(p graph.Properties) bool { _, id := p["uuid"]; return !id })
	rapid.Check(t, func(t *rapid.T) {
		want := fits.Draw(t, "properties")
		created, err := s.CreateNode(ctx, graph.NewNode{Type: "Valued", Properties: want})
		require.NoError(t, err)
		read, err := s.Node(ctx, created.Entity.ID)
		require.NoError(t, err)
		requireSameProperties(t, want, read.Properties, "node")
		require.Equal(t, read.Revision(), created.Entity.Revision(), "the create's result differs from a read's")

		e, err := s.CreateEdge(ctx, graph.NewEdge{Type: "TO", SourceID: created.Entity.ID, TargetID: end.Entity.ID, Properties: want})
		require.NoError(t, err)
		readEdge, err := s.Edge(ctx, e.Entity.ID)
		require.NoError(t, err)
		requireSameProperties(t, want, readEdge.Properties, "edge")
		require.Equal(t, readEdge.Revision(), e.Entity.Revision())

		before := replacement(want, other.Entity.Properties)
		other.Entity, err = s.UpdateNode(ctx, other.Entity.ID, graph.Change{Properties: before})
		require.NoError(t, err)
		requireSameProperties(t, want, other.Entity.Properties, "updated node")
		edge.Entity, err = s.UpdateEdge(ctx, edge.Entity.ID, graph.Change{Properties: replacement(want, edge.Entity.Properties)})
		require.NoError(t, err)
		requireSameProperties(t, want, edge.Entity.Properties, "updated edge")

		again, err := s.UpdateNode(ctx, created.Entity.ID,
			graph.Change{Properties: read.Properties, If: graph.Precondition{Revisions: []graph.Revision{read.Revision()}}})
		require.NoError(t, err)
		require.Equal(t, read.Revision(), again.Revision(), "writing back what was read changed something")
	})
}

// replacement is the change that turns old properties into new ones.
func replacement(want, old graph.Properties) graph.Properties {
	change := graph.Properties{}
	for key := range old {
		change[key] = nil
	}
	for key, value := range want {
		change[key] = value
	}
	return change
}

// unsupportedZones are stored by Neo4j and unknown to Go's zone data: the driver cannot decode such a value.
var unsupportedZones = []string{"SystemV/AST4", "SystemV/PST8PDT"}

func TestZonesThatGoDoesNotKnow(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := context.Background()
	for _, zone := range unsupportedZones {
		db.Exec(t,
			fmt.Sprintf(`CREATE (n:Legacy {zone: $zone, when: datetime('2024-07-01T12:00:00.000000005[%[1]s]'),
				first: datetime('-999999999-01-02T00:00[%[1]s]'),
				list: [datetime('1900-01-01T00:00:00[%[1]s]'), datetime('2024-01-01T00:00[Europe/Berlin]')], plain: 1})
				-[:HAS {when: datetime('+10000-01-01T00:00[%[1]s]')}]->(n)`, zone),
			map[string]any{"zone": zone})
	}
	page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Legacy", Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, page.Items, len(unsupportedZones))
	for _, listed := range page.Items {
		read, err := s.Node(ctx, listed.ID)
		require.NoError(t, err)
		requireSameProperties(t, read.Properties, listed.Properties, "list and read")
		when, isTime := read.Properties["when"].(graph.DateTime)
		require.True(t, isTime, "%T", read.Properties["when"])
		require.Equal(t, read.Properties["zone"], when.Zone)
		require.Equal(t, 5, when.Nanos)
		after, err := s.UpdateNode(ctx, read.ID, graph.Change{Properties: read.Properties})
		require.NoError(t, err)
		require.Equal(t, read.Revision(), after.Revision())
		edges, err := s.Edges(ctx, graph.EdgeQuery{SourceID: read.ID, Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err)
		edge, err := s.Edge(ctx, edges.Items[0].ID)
		require.NoError(t, err)
		requireSameProperties(t, edge.Properties, edges.Items[0].Properties, "edge, list and read")
		require.IsType(t, graph.DateTime{}, edge.Properties["when"])
	}
	for _, zone := range unsupportedZones {
		require.EqualValues(t, 1,
			db.Count(t, fmt.Sprintf(`MATCH (n:Legacy {zone: $zone}) WHERE n.when = datetime('2024-07-01T12:00:00.000000005[%[1]s]')
			AND n.first = datetime('-999999999-01-02T00:00[%[1]s]')
			AND n.list = [datetime('1900-01-01T00:00:00[%[1]s]'), datetime('2024-01-01T00:00[Europe/Berlin]')] RETURN count(n)`, zone),
				map[string]any{"zone": zone}), zone)
	}
}

func TestAForeignGraphIsUnchangedByWritingItBack(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := context.Background()
	seeded := db.SeedForeign(t, 600, 400)
	require.NoError(t, s.Journal.Purge(ctx)) // on a slow machine the first comes during the test, and makes its state
	before := db.Checksum(t)
	for _, id := range seeded.NodeIDs {
		n, err := s.Node(ctx, id)
		require.NoError(t, err)
		require.Equal(t, id, n.ID)
		after, err := s.UpdateNode(ctx, id, graph.Change{Properties: n.Properties})
		require.NoError(t, err)
		requireSameProperties(t, n.Properties, after.Properties, "written back")
		require.Equal(t, n.Revision(), after.Revision(), "%#v\n%#v", n, after)
	}
	for _, id := range seeded.EdgeIDs {
		e, err := s.Edge(ctx, id)
		require.NoError(t, err)
		after, err := s.UpdateEdge(ctx, id, graph.Change{Properties: e.Properties})
		require.NoError(t, err)
		requireSameProperties(t, e.Properties, after.Properties, "written back")
		require.Equal(t, e.Revision(), after.Revision())
	}
	require.Equal(t, before, db.Checksum(t))
}
