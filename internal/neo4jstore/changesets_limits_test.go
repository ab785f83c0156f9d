package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
)

func TestChangeSetsAreListedAndRemoved(t *testing.T) {
	s := openChangeSets(t, func(c *settings) { c.ChangeSetsKeep, c.JournalKeep = time.Millisecond, time.Millisecond })
	var ids []string
	for i := range 5 {
		set := s.propose(t, graph.Operation{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"i": int64(i)}})
		ids = append(ids, set.ID)
		if i%2 == 1 {
			s.change(t, set, ada, changeset.Withdraw)
		}
	}
	slices.Reverse(ids)
	list := func(q changeset.Query) (found []string) {
		for {
			page, err := s.c.ChangeSets(t.Context(), q)
			require.NoError(t, err)
			for _, set := range page.Sets {
				found = append(found, set.ID)
			}
			if q.After = page.Next; page.Next == "" {
				return found
			}
		}
	}
	for limit := 1; limit < 7; limit++ {
		require.Equal(t, ids, list(changeset.Query{Limit: limit}))
		require.Equal(t, []string{ids[0], ids[2], ids[4]}, list(changeset.Query{Limit: limit, Status: changeset.Open}))
		require.Equal(t, []string{ids[1], ids[3]}, list(changeset.Query{Limit: limit, Status: changeset.Withdrawn, Author: "ada"}))
		require.Empty(t, list(changeset.Query{Limit: limit, Author: "bob"}))
	}
	require.NoError(t, s.ChangeSets.Purge(t.Context()))
	require.Equal(t, []string{ids[0], ids[2], ids[4]}, list(changeset.Query{Limit: 10, Author: "1"}), "closed ones are gone")
}

// One user cannot fill the database: neither with open change sets nor by withdrawing them, nor with comments.
func TestLimitsOfChangeSets(t *testing.T) {
	const limit = 64 << 10
	s := openChangeSets(t, func(c *settings) { c.ChangeSetsMaxBytes = limit })
	large := func(i int) graph.Operation {
		return graph.Operation{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{
			"text": strings.Repeat("x", 20_000), "i": int64(i),
		}}
	}
	bytes := func() int64 {
		return s.db.Count(t, "MATCH (c:_GraphrestChangeSet) RETURN coalesce(sum(size(c.operations)), 0)", nil)
	}
	for i := range 10 {
		set := s.propose(t, large(i))
		require.LessOrEqual(t, bytes(), int64(limit))
		s.change(t, set, ada, changeset.Withdraw)
	}
	var sets []changeset.Set
	for i := range 3 {
		sets = append(sets, s.propose(t, large(i)))
	}
	_, _, err := s.c.Propose(as(t, "r"), changeset.Set{Author: ada}, []graph.Operation{large(4)}, nil)
	requireFault(t, err, fault.Conflict, "operations")
	_, err = s.c.Change(as(t, "r"), sets[0], changeset.Event{User: ada, Action: changeset.Edit}, changeset.Edited{
		Operations: []graph.Operation{large(1), large(2)},
	})
	requireFault(t, err, fault.Conflict, "operations")
	_, _, err = s.c.Propose(as(t, "r"), changeset.Set{Author: bob}, []graph.Operation{large(4)}, nil)
	require.NoError(t, err, "others are not affected")

	comment := func(u changeset.User) error {
		_, err := s.c.Comment(as(t, "c"), sets[0].ID, changeset.Comment{User: u, Text: "x"})
		return err
	}
	for range changeset.MaxCommentsPerUser {
		require.NoError(t, comment(ada))
	}
	requireFault(t, comment(ada), fault.Conflict)
	require.NoError(t, comment(bob))
	_, err = s.c.Comment(as(t, "c"), "none", changeset.Comment{User: ada, Text: "x"})
	requireFault(t, err, fault.NotFound)
	read, err := s.c.ChangeSet(t.Context(), sets[0].ID)
	require.NoError(t, err)
	require.Len(t, read.Comments, changeset.MaxCommentsPerUser+1)
	require.Equal(t, sets[0].Version, read.Version, "a comment does not disturb an approval")
}

// A proposal changes nothing of the graph: no names, no constraints, no data.
func TestAProposalLeavesTheGraphAlone(t *testing.T) {
	s := openChangeSets(t, nil)
	n := s.createPerson(t, "r", graph.Properties{"n": int64(1)})
	before := s.db.Checksum(t, neo4jtest.IgnoreInternal())
	set, based := s.approved(
		t, graph.Operation{Op: graph.OpCreateNode, Type: "NeverSeen", Properties: graph.Properties{"never_seen": true}},
		deletionOf(graph.OpDeleteNode, n.ID),
	)
	_, err := s.c.Diff(t.Context(), changeset.Set{}, ada, based)
	require.NoError(t, err)
	s.change(t, set, bob, changeset.Reject)
	require.Equal(t, before, s.db.Checksum(t, neo4jtest.IgnoreInternal()))
	require.NotContains(t, s.db.PropertyKeys(t), "never_seen")
}
