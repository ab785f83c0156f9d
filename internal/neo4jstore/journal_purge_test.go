package neo4jstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// Records are removed when they are too old, and an excluded type has none. An erased entity has no history.
func TestRecordsAreRemoved(t *testing.T) {
	s := openJournal(t, func(c *settings) { c.JournalExclude = []string{"City"}; c.JournalKeep = time.Hour })
	n := s.createPerson(t, "r1", nil)
	city, err := s.CreateNode(as(t, "r1"), graph.NewNode{Type: "City"})
	require.NoError(t, err)
	require.Empty(t, s.history(t, graph.NodeKind, city.Entity.ID))
	page, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: journal.FeedStart, Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Records, 1)
	s.db.Exec(t, "MATCH (c:_GraphrestChange) SET c._graphrest_id = '0' + substring(c._graphrest_id, 1)", nil) // long ago
	_, err = s.j.Feed(t.Context(), journal.FeedQuery{Since: "0000000000000000-1.0", Limit: 10})
	require.Equal(t, fault.HistoryGone, fault.CodeOf(err), "a reader missed the change")
	require.Empty(t, s.history(t, graph.NodeKind, n.ID))
	require.NoError(t, s.j.Purge(t.Context()))
	require.Zero(t, s.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil))
	_, err = s.j.Feed(t.Context(), journal.FeedQuery{Since: page.Records[0].ID, Limit: 10})
	require.Equal(t, fault.HistoryGone, fault.CodeOf(err)) // nothing says where a change stood that is not kept

	m := s.createPerson(t, "r2", nil)
	erased, err := s.j.Erase(as(t, "r3"), graph.NodeKind, m.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, erased)
	require.Empty(t, s.history(t, graph.NodeKind, m.ID))
}

// Records that age removes are not removed for their size once more.
func TestPurgeCountsWhatAgeRemoved(t *testing.T) {
	s := openJournal(t, func(c *settings) { c.JournalKeep, c.JournalMaxBytes = time.Hour, 20_000 })
	for range 20 {
		s.createPerson(t, "r1", nil)
	}
	s.db.Exec(t, `MATCH (c:_GraphrestChange) WITH c ORDER BY c._graphrest_id LIMIT 10
		SET c._graphrest_id = '0' + substring(c._graphrest_id, 1)`, nil) // long ago
	require.NoError(t, s.j.Purge(t.Context()))
	require.EqualValues(t, 10, s.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil))
	use, known := s.Journal.Use()
	require.True(t, known)
	require.EqualValues(t, 10, use.Records)
	require.InDelta(t, 15_000, use.Bytes, 5_000)
	require.WithinDuration(t, time.Now(), use.Oldest, time.Minute)

	small := openOn(t, s.db, func(c *settings) { c.JournalKeep, c.JournalMaxBytes = time.Hour, use.Bytes/2 })
	require.NoError(t, small.Journal.Purge(t.Context()))
	require.EqualValues(t, 5, s.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil))
}
