package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// uniqueGraph is three nodes of a type with the unique keys mail, and first and last together, and an edge type with the unique key n.
type uniqueGraph struct {
	changeSetStore
	ada, bob, eve graph.Node
	edge          graph.Edge
}

func openUniqueGraph(t *testing.T) *uniqueGraph {
	t.Helper()
	g := &uniqueGraph{changeSetStore: openChangeSets(t, nil)}
	declare(t, g.Store, graph.Declaration{
		Kind: graph.NodeKind, Type: "Account", Level: graph.LevelStrict, Schema: `{}`, Unique: [][]string{{"mail"}, {"first", "last"}},
	})
	g.db.Exec(t, "CREATE CONSTRAINT one_ticket IF NOT EXISTS FOR ()-[r:TICKET]-() REQUIRE r.n IS UNIQUE", nil)
	t.Cleanup(func() { g.db.Exec(t, "DROP CONSTRAINT one_ticket IF EXISTS", nil) })
	return g
}

func (g *uniqueGraph) fill(t *testing.T) {
	t.Helper()
	g.db.Exec(t, "MATCH (n:Account|Person) DETACH DELETE n", nil)
	create := func(p graph.Properties) graph.Node {
		made, err := g.CreateNode(as(t, "fill"), graph.NewNode{Type: "Account", Properties: p})
		require.NoError(t, err)
		return made.Entity
	}
	g.ada = create(graph.Properties{"mail": "a", "first": "Ada", "last": "X"})
	g.bob = create(graph.Properties{"mail": int64(1), "first": "Bob", "last": "X"})
	g.eve = create(graph.Properties{"first": "Eve"})
	made, err := g.CreateEdge(as(t, "fill"), graph.NewEdge{
		Type: "TICKET", SourceID: g.ada.ID, TargetID: g.bob.ID, Properties: graph.Properties{"n": int64(1)},
	})
	require.NoError(t, err)
	g.edge = made.Entity
}

func account(p graph.Properties) graph.Operation {
	return graph.Operation{Op: graph.OpCreateNode, Type: "Account", Properties: p}
}

func (g *uniqueGraph) set(n graph.Node, p graph.Properties) graph.Operation {
	return updateOf(graph.OpUpdateNode, n.ID, p)
}

// The diff shows a violation of a unique key exactly if applying fails because of it.
func TestDiffsShowValuesThatAreTaken(t *testing.T) {
	testmark.EveryRelease(t)
	g := openUniqueGraph(t)
	type properties = graph.Properties
	for name, test := range map[string]struct {
		operations func() []graph.Operation
		want       []string
	}{
		"a new node": {func() []graph.Operation {
			return []graph.Operation{account(properties{"mail": "new"}), account(properties{"mail": "a"})}
		}, []string{"operations[1].properties.mail"}},
		"an update": {
			func() []graph.Operation { return []graph.Operation{g.set(g.eve, properties{"mail": "a"})} },
			[]string{"operations[0].properties.mail"},
		},
		"a value that is free after an operation": {func() []graph.Operation {
			return []graph.Operation{g.set(g.ada, properties{"mail": "x"}), g.set(g.bob, properties{"mail": "a"})}
		}, nil},
		"a value that is free after a delete": {func() []graph.Operation {
			return []graph.Operation{deletionOf(graph.OpDeleteNode, g.ada.ID), account(properties{"mail": "a"})}
		}, nil},
		"a value that is taken by the same operations": {func() []graph.Operation {
			return []graph.Operation{account(properties{"mail": "new"}), account(properties{"mail": "new"})}
		}, []string{"operations[1].properties.mail"}},
		"the own value": {func() []graph.Operation { return []graph.Operation{g.set(g.ada, properties{"mail": "a", "x": true})} }, nil},
		"an equal number": {
			func() []graph.Operation { return []graph.Operation{g.set(g.eve, properties{"mail": 1.0})} },
			[]string{"operations[0].properties.mail"},
		},
		"both values of a key": {
			func() []graph.Operation { return []graph.Operation{g.set(g.bob, properties{"first": "Ada"})} },
			[]string{"operations[0].properties.first"},
		},
		"one value of a key": {func() []graph.Operation { return []graph.Operation{g.set(g.eve, properties{"first": "Ada"})} }, nil},
		"another type": {func() []graph.Operation {
			return []graph.Operation{{Op: graph.OpCreateNode, Type: "Person", Properties: properties{"mail": "a"}}}
		}, nil},
		"a second label": {func() []graph.Operation {
			both := account(properties{"mail": "a"})
			both.Type, both.Labels = "Person", []graph.TypeName{"Account"}
			return []graph.Operation{both}
		}, []string{"operations[0].properties.mail"}},
		"an edge": {func() []graph.Operation {
			return []graph.Operation{{
				Op: graph.OpCreateEdge, Type: "TICKET", Source: graph.EntityRef{ID: g.eve.ID}, Target: graph.EntityRef{ID: g.bob.ID},
				Properties: properties{"n": int64(1)},
			}}
		}, []string{"operations[0].properties.n"}},
		"an edge instead of one that went with its node": {func() []graph.Operation {
			return []graph.Operation{deletionOf(graph.OpDeleteNode, g.ada.ID), {
				Op: graph.OpCreateEdge, Type: "TICKET", Source: graph.EntityRef{ID: g.eve.ID}, Target: graph.EntityRef{ID: g.bob.ID},
				Properties: properties{"n": int64(1)},
			}}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g.fill(t)
			set, based := g.approved(t, test.operations()...)
			diff, err := g.c.Diff(t.Context(), changeset.Set{}, ada, based)
			require.NoError(t, err)
			var fields []string
			for _, v := range diff.Violations {
				fields = append(fields, v.Field)
				require.Contains(t, v.Message, "already")
			}
			require.Equal(t, test.want, fields)
			_, err = g.apply(t, set, based)
			if test.want == nil {
				require.NoError(t, err)
			} else {
				require.Equal(t, fault.Conflict, fault.CodeOf(err))
				for _, d := range fault.As(err).Details { // of a key of several properties it names none
					require.Contains(t, test.want[0], d.Field)
				}
			}
		})
	}
}

// A reader whose roles do not show who has a value gets no violation that would say that somebody has it.
func TestDiffsDoNotShowWhoHasHiddenValues(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	g := openUniqueGraph(t)
	g.fill(t)
	taken := []graph.Operation{account(graph.Properties{"mail": "a", "first": "Zoe"}), g.set(g.eve, graph.Properties{"mail": "a"})}
	byName := func(names ...graph.Value) []rules.Condition {
		return []rules.Condition{{Condition: graph.Condition{Property: "first", Operator: graph.OneOf, Value: names}}}
	}
	for name, test := range map[string]struct {
		grant rules.Grant
		want  int
	}{
		"everything":            {rules.Grant{}, 2},
		"not who has the value": {rules.Grant{Where: byName("Eve", "Zoe")}, 0},
		"not the property":      {rules.Grant{Hidden: []string{"mail"}}, 0},
		"not the one updated":   {rules.Grant{Where: byName("Ada", "Zoe")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			test.grant.Kind, test.grant.Type, test.grant.Actions = graph.NodeKind, "Account", []rules.Action{rules.Read}
			view := rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{test.grant}}})
			for _, reader := range []changeset.User{ada, bob} {
				shown := 0
				for _, one := range taken {
					diff, err := g.c.Diff(rules.WithView(t.Context(), view), changeset.Set{Author: ada}, reader, []graph.Operation{one})
					require.NoError(t, err)
					shown += len(diff.Violations)
				}
				require.Equal(t, test.want, shown)
			}
		})
	}
	t.Run("operations on who has the value", func(t *testing.T) {
		view := rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{
			{Kind: graph.NodeKind, Type: "Account", Actions: []rules.Action{rules.Read}, Where: byName("Eve", "Zoe")},
		}}})
		touching := []graph.Operation{g.set(g.ada, graph.Properties{"x": true}), taken[0]}
		diff, err := g.c.Diff(rules.WithView(t.Context(), view), changeset.Set{Author: ada}, bob, touching)
		require.NoError(t, err)
		require.Empty(t, diff.Violations)
	})
}
