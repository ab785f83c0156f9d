package neo4jstore_test

import (
	"strings"
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
	s := openJournal(t, func(c *settings) { c.JournalKeep, c.JournalMaxBytes = time.Hour, 12_000 })
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
	require.InDelta(t, 9_000, use.Bytes, 2_000)
	require.WithinDuration(t, time.Now(), use.Oldest, time.Minute)

	small := openOn(t, s.db, func(c *settings) { c.JournalKeep, c.JournalMaxBytes = time.Hour, use.Bytes/2+100 })
	require.NoError(t, small.Journal.Purge(t.Context()))
	require.EqualValues(t, 5, s.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil))
}

// TestHistoryKeepsWithinItsBytes: the size of what is kept is that of the records themselves, whatever the oldest are like.
func TestHistoryKeepsWithinItsBytes(t *testing.T) {
	const most = 1 << 20
	s := openJournal(t, func(c *settings) { c.JournalMaxBytes = most })
	s.db.Exec(t, `UNWIND range(1, 2000) AS i
		CREATE (:_GraphrestChange:_GraphrestUnordered {_graphrest_id: '9000000000000000-' + i, _graphrest_entity: 'node ' + i})`, nil)
	require.NoError(t, s.j.Purge(t.Context()))
	use, _ := s.Journal.Use()
	require.InDelta(t, most, use.Bytes, 1000)
	require.Less(t, use.Bytes, int64(most)+1)
	large := strings.Repeat("größer ", 40_000)
	var last graph.Node
	for range 24 {
		last = s.createPerson(t, "r1", graph.Properties{"text": large, "bytes": []byte(large[:1000])})
	}
	require.NoError(t, s.j.Purge(t.Context()))
	kept := s.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil)
	require.EqualValues(t, 1, kept, "two with texts of 360,000 bytes and more are over the bound as they are counted")
	use, _ = s.Journal.Use()
	require.LessOrEqual(t, use.Bytes, int64(most))
	require.Greater(t, use.Bytes, int64(len(large)))

	_, err := s.j.Erase(as(t, "r2"), graph.NodeKind, last.ID)
	require.NoError(t, err)
	s.createPerson(t, "r3", graph.Properties{"list": []string{"a", "ö"}})
	require.NoError(t, s.j.Purge(t.Context()))
	counted, _ := s.Journal.Use()
	s.db.Exec(t, "MATCH (s:_GraphrestState {name: 'journal'}) REMOVE s.bytes, s.measured_position", nil)
	require.NoError(t, s.j.Purge(t.Context()))
	measured, _ := s.Journal.Use()
	require.Equal(t, measured.Bytes, counted.Bytes, "each record was added and subtracted once")
	require.EqualValues(t, 1, measured.Records)
}
