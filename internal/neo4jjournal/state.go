package neo4jjournal

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
)

// orderBatch is how many records one transaction gives positions to.
const orderBatch = 1000

// feedSequencer gives records their positions in the feed, and reads the state of the feed.
type feedSequencer struct{ client *bolt.Client }

// journalState is the state of the feed.
type journalState struct {
	position, removedPosition, total, bytes int64
	element, removedID, oldest              string
	unordered                               bool
}

// readState reads the state of the feed.
func (fs *feedSequencer) readState(ctx context.Context) (journalState, error) {
	found, err := fs.client.Read(ctx, cypher.JournalState.Text(nil), nil)
	if err != nil || len(found) == 0 {
		return journalState{}, bolt.Translate(err)
	}
	r := found[0]
	return journalState{
		position:        bolt.Column[int64](r, "position"),
		removedPosition: bolt.Column[int64](r, "removed_position"),
		total:           bolt.Column[int64](r, "total"),
		bytes:           bolt.Column[int64](r, "bytes"),
		element:         bolt.Column[string](r, "element"),
		removedID:       bolt.Column[string](r, "removed_id"),
		oldest:          bolt.Column[string](r, "oldest"),
		unordered:       bolt.Column[bool](r, "unordered"),
	}, nil
}

// readOrderedState gives positions to the records that have none, and reads the state of the feed. A record is visible only after its
// transaction committed, so one that commits late gets a later position and no reader misses it.
func (fs *feedSequencer) readOrderedState(ctx context.Context) (*journalState, error) {
	for {
		state, err := fs.readState(ctx)
		if err != nil || !state.unordered {
			return &state, err
		}
		found, err := fs.client.Write(ctx, cypher.JournalOrder.Text(nil), map[string]any{"limit": orderBatch})
		if err != nil {
			return nil, bolt.Translate(err)
		}
		ordered, err := bolt.SingleInteger(found, "ordered")
		if err != nil {
			return nil, err
		}
		if ordered < orderBatch {
			state, err = fs.readState(ctx)
			return &state, err
		}
	}
}
