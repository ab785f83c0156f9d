package neo4jjournal

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// openSequencer builds the sequencer of a database without records.
func openSequencer(t *testing.T) (*feedSequencer, *neo4jtest.DB) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	return &feedSequencer{client: neo4jentitytest.Open(t, db).Client}, db
}

// Records get their positions in the order of their ids, each once: one that commits late gets a later position.
func TestRecordsGetOnePositionInTheOrderOfTheirIDs(t *testing.T) {
	sequencer, db := openSequencer(t)
	create := `UNWIND $ids AS id CREATE (:_GraphrestChange:_GraphrestUnordered {_graphrest_id: id})`
	db.Exec(t, create, map[string]any{"ids": []string{"1700000000000002-2", "1700000000000001-1"}})
	state, err := sequencer.readOrderedState(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, state.position)
	require.Equal(t, "1700000000000001-1", state.oldest)

	db.Exec(t, create, map[string]any{"ids": []string{"1700000000000000-3"}})
	state, err = sequencer.readOrderedState(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3, state.position)
	require.False(t, state.unordered)
	require.EqualValues(t, 3, state.total)
	require.Equal(t, "1700000000000001-1", state.oldest, "the oldest by position")
}

// The first records of the feed are removed until those that remain have the bytes that are allowed.
func TestPurgeRemovesTheFirstRecordsBeyondTheBytes(t *testing.T) {
	sequencer, db := openSequencer(t)
	db.Exec(t, `UNWIND range(1, 8) AS i CREATE (:_GraphrestChange:_GraphrestUnordered {_graphrest_id: '999999999999999' + i + '-' + i})`, nil)
	c := &neo4jentity.Config{JournalKeep: time.Hour, JournalMaxBytes: 4 * 700}
	purge := &recordPurger{client: sequencer.client, config: c, sequencer: sequencer}
	_, known := purge.Use()
	require.False(t, known)
	require.NoError(t, purge.Purge(t.Context()))
	use, known := purge.Use()
	require.True(t, known)
	require.LessOrEqual(t, use.Bytes, use.MaxBytes)
	require.Positive(t, use.Records)
	state, err := sequencer.readState(t.Context())
	require.NoError(t, err)
	require.Equal(t, use.Records, state.total)
	require.Equal(t, 8-use.Records, state.removedPosition)
	require.Equal(t, timeOfChange(state.oldest), use.Oldest)
}

// A cursor names its position itself, so that no record is read for it.
func TestCursorsArePositionsInTheFeed(t *testing.T) {
	testmark.Concurrent(t)
	state := &journalState{removedPosition: 5, position: 9}
	for since, want := range map[string]struct {
		position int64
		code     fault.Code
	}{
		journal.FeedStart:      {position: 5},
		"1700000000000000-1.5": {position: 5},
		"1700000000000000-1.9": {position: 9},
		"1700000000000000-1.4": {code: fault.HistoryGone},
		"1700000000000000-1.-": {code: fault.Validation},
		"1700000000000000.9":   {code: fault.Validation},
		"now":                  {code: fault.Validation},
	} {
		position, err := (&changeFeed{}).positionOf(t.Context(), since, state)
		if want.code != "" {
			require.Equal(t, want.code, fault.CodeOf(err), since)
			continue
		}
		require.NoError(t, err, since)
		require.Equal(t, want.position, position, since)
	}
	_, err := (&changeFeed{}).positionOf(t.Context(), "1700000000000000-1.10", state)
	require.ErrorIs(t, err, errUnordered, "the shared state may be older than the cursor")
}
