package journal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

func state(n int64) *journal.State {
	return &journal.State{ID: "a", Labels: []string{"A", "B"}, Properties: graph.Properties{"n": n}}
}

// The records of an entity that was created with n=1, set to 2, not changed by an update, and deleted; newest first.
func records() []journal.Record {
	one, two := *state(1), *state(2)
	return []journal.Record{
		{ID: "4", Action: journal.Delete, Kind: graph.NodeKind, Entity: "a", Image: two},
		{ID: "3", Action: journal.Update, Kind: graph.NodeKind, Entity: "a", Image: two, Set: graph.Properties{"n": int64(2), "absent": nil}},
		{ID: "2", Action: journal.Update, Kind: graph.NodeKind, Entity: "a", Image: one, Set: graph.Properties{"n": int64(2)}},
		{ID: "1", Action: journal.Create, Kind: graph.NodeKind, Entity: "a", Image: one},
	}
}

func restored(all []journal.Record) []journal.Record {
	all[0].Restored = true
	return all
}

func revision(_ graph.Kind, s *journal.State) string {
	if s == nil {
		return ""
	}
	return strings.Repeat("n", int(s.Properties["n"].(int64)))
}

func entityOf(r *journal.Record) journal.Entity { return journal.Entity{Kind: r.Kind, ID: r.Entity} }

func all(_ *journal.Record, s *journal.State) *journal.State { return s }

func TestPlanUndo(t *testing.T) {
	key := journal.Entity{Kind: graph.NodeKind, ID: "a"}
	reordered := state(2)
	reordered.Labels = []string{"B", "A"}
	for _, test := range []struct {
		name     string
		records  []journal.Record
		live     *journal.State
		target   *journal.State
		undone   int
		conflict string
	}{
		{"a delete is undone to the state that it found", records()[:1], nil, state(2), 1, ""},
		{"changes of one entity are undone one after another", records(), nil, nil, 3, ""},
		{"the order of labels does not count", records()[1:], reordered, nil, 2, ""},
		{"a deletion that was undone is a conflict", restored(records()[:1]), nil, nil, 0, "restored already"},
		{"an entity that exists again is a conflict", records()[:1], state(2), nil, 0, "exists again"},
		{"an entity that was changed since is a conflict", records()[2:3], state(5), nil, 0, "changed since"},
		{"an entity that was deleted since is a conflict", records()[2:3], nil, nil, 0, "deleted since"},
		{"older changes are kept behind a conflict", records(), state(2), nil, 0, "exists again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			live := map[journal.Entity]*journal.State{}
			if test.live != nil {
				live[key] = test.live
			}
			plan := journal.PlanUndo(test.records, live, entityOf, all, revision)
			require.Equal(t, test.undone, plan.Undone())
			target, known := plan.Final(key)
			require.Equal(t, test.undone > 0, known)
			require.True(t, journal.EqualStates(test.target, target), "%v", target)
			if test.conflict == "" {
				require.Empty(t, plan.Conflicts)
				return
			}
			require.Len(t, plan.Conflicts, 1)
			require.Contains(t, plan.Conflicts[0].Message, test.conflict)
			require.Equal(t, revision(graph.NodeKind, test.live), plan.Conflicts[0].Found)
		})
	}
}

func TestPlansForgetDroppedReversals(t *testing.T) {
	key := journal.Entity{Kind: graph.NodeKind, ID: "a"}
	plan := journal.PlanUndo(records()[:1], nil, entityOf, all, revision)
	require.Len(t, plan.Kept(), 1)
	plan.Drop(key, journal.Conflict{ID: "a"})
	require.Empty(t, plan.Kept())
	require.Zero(t, plan.Undone())
	require.Len(t, plan.Conflicts, 1)
}

func TestChangesAndGaps(t *testing.T) {
	all := records()
	require.False(t, all[1].IsChange(), "it set what was there")
	require.True(t, all[2].IsChange())
	before, after := all[2].Changed()
	require.Equal(t, graph.Properties{"n": int64(1)}, before)
	require.Equal(t, graph.Properties{"n": int64(2)}, after)
	require.False(t, all[0].HasGap(), "without the previous record nothing is known")
	for i := range len(all) - 1 {
		all[i].Previous = &all[i+1]
		require.False(t, all[i].HasGap())
	}
	all[2].Image.Properties = graph.Properties{"n": int64(1), "set": "in Cypher"}
	require.True(t, all[2].HasGap())
	set, err := journal.DecodeSet(journal.EncodeSet(graph.Properties{"gone": nil, "f": 1.0, "n": int64(1)}))
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"gone": nil, "f": 1.0, "n": int64(1)}, set)
}
