package neo4jstore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestTextsAreComparedInOneWay: Neo4j compares texts by code point in a range index and by UTF-16 code unit elsewhere. Filters, grants in
// lists and grants in single reads show the same, whether or not there is an index.
func TestTextsAreComparedInOneWay(t *testing.T) {
	testmark.EveryRelease(t)
	texts := []string{"a", "\ud7ff", "\ue000", "\ufffdx", "\U0001f600", "\U0001f600x", "x\U0001f600", "x\uffff"}
	s, db := open(t, nil)
	db.Exec(t, "UNWIND $texts AS text CREATE (:Note {text: text, group: 1}), (:Note {text: 7, group: 1})", map[string]any{"texts": texts})
	ids := map[graph.Value]string{}
	page, err := s.Nodes(t.Context(), graph.NodeQuery{Type: "Note", Paging: graph.Paging{Limit: 100}})
	require.NoError(t, err)
	for _, n := range page.Items {
		ids[n.Properties["text"]] = n.ID
	}
	require.Len(t, ids, len(texts)+1)
	ask := func(t *testing.T) {
		require.NoError(t, neo4jstore.RefreshCaches(t.Context(), s))
		for _, operator := range []graph.Operator{graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual} {
			for _, literal := range []string{"\ue000", "\ufffdx", "\U0001f600x", "x\uffff"} {
				condition := graph.Condition{Property: "text", Operator: operator, Value: literal}
				requireOneOrder(t, s, ids, condition)
			}
		}
	}
	t.Run("without an index", ask)
	for _, keys := range []string{"n.text", "n.group, n.text"} {
		db.Exec(t, "CREATE INDEX notes FOR (n:Note) ON ("+keys+")", nil)
		db.Exec(t, "CALL db.awaitIndexes(60)", nil)
		t.Run("with an index on "+keys, ask)
		db.Exec(t, "DROP INDEX notes", nil)
	}
}

// requireOneOrder asks for the texts that meet a condition by a filter, by a grant in lists, and by a grant in single reads.
func requireOneOrder(t *testing.T, s *neo4jstore.Store, ids map[graph.Value]string, c graph.Condition) {
	t.Helper()
	group := graph.Condition{Property: "group", Operator: graph.Equal, Value: int64(1)}
	grant := rules.Grant{
		Kind: graph.NodeKind, Type: "Note", Actions: []rules.Action{rules.Read}, Where: []rules.Condition{{Condition: c}},
	}
	limited := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: []rules.Grant{grant}}}))
	want := []string{}
	for _, id := range ids {
		switch _, err := s.Node(limited, id); {
		case err == nil:
			want = append(want, id)
		default:
			require.Equal(t, fault.NotFound, fault.CodeOf(err))
		}
	}
	slices.Sort(want)
	list := func(ctx context.Context, f graph.Filter) []string {
		page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Note", Filter: f, Paging: graph.Paging{Limit: 100, Count: true}})
		require.NoError(t, err)
		require.EqualValues(t, len(page.Items), *page.Total)
		found := []string{}
		for _, n := range page.Items {
			found = append(found, n.ID)
		}
		slices.Sort(found)
		return found
	}
	message := fmt.Sprintf("%s %+q", c.Operator, c.Value)
	require.Equal(t, want, list(limited, nil), "%s by a grant", message)
	require.Equal(t, want, list(t.Context(), graph.Filter{c}), "%s by a filter", message)
	require.Equal(t, want, list(t.Context(), graph.Filter{group, c}), "%s by a filter on two properties", message)
	require.Equal(t, want, list(limited, graph.Filter{group}), "%s by a grant and a filter", message)
}
