package neo4jstore

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
)

const (
	journalPurgeInterval = 20 * time.Second
	journalPurgeBatch    = 5000
	recordSample         = 100
	// recordOverhead is the estimated size of a record besides its properties' values: the node, its keys and its index entries.
	recordOverhead = 600
)

// JournalUse is what the records of changes take in the database.
type JournalUse struct {
	Records         int64
	Bytes, MaxBytes int64     // Bytes is estimated from a sample; beyond MaxBytes the oldest records are removed
	Oldest          time.Time // of the oldest record; zero if there are none
}

// Use returns what the last purge left; known is false before the first.
func (j *Journal) Use() (use JournalUse, known bool) {
	last := j.use.Load()
	if last == nil {
		return JournalUse{}, false
	}
	return *last, true
}

// runPurge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes.
func (j *Journal) runPurge(ctx context.Context) {
	tick := time.NewTicker(journalPurgeInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !j.client.Reachable() {
				continue // the client has logged that
			}
			if err := j.Purge(ctx); err != nil && ctx.Err() == nil {
				j.config.Log.Warn("old records of changes were not removed", "error", err.Error())
			}
		}
	}
}

// Purge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes. The size of all is estimated from a
// sample.
func (j *Journal) Purge(ctx context.Context) error {
	state, err := j.readOrderedState(ctx)
	if err != nil {
		return err
	}
	before := state.total
	if state.oldest != "" && state.oldest < j.oldest() {
		for removed := int64(journalPurgeBatch); removed == journalPurgeBatch; {
			if removed, err = j.purge(ctx, j.oldest(), journalPurgeBatch); err != nil {
				return err
			}
			state.total -= removed
		}
	}
	size, err := j.averageSize(ctx)
	if err != nil {
		return err
	}
	for excess := state.total - j.config.JournalMaxBytes/max(1, size); size > 0 && excess > 0; {
		removed, err := j.purge(ctx, maxChangeID, min(excess, journalPurgeBatch))
		if err != nil {
			return err
		}
		if removed == 0 {
			break
		}
		excess, state.total = excess-removed, state.total-removed
	}
	use := JournalUse{Records: state.total, Bytes: state.total * size, MaxBytes: j.config.JournalMaxBytes}
	oldest := state.oldest
	if state.total < before {
		after, err := j.readState(ctx)
		if err != nil {
			return err
		}
		oldest = after.oldest
	}
	if oldest != "" {
		use.Oldest = timeOfChange(oldest)
	}
	j.use.Store(&use)
	return nil
}

func (j *Journal) purge(ctx context.Context, before string, limit int64) (int64, error) {
	found, err := j.client.Write(ctx, cypher.JournalPurge.Text(nil), map[string]any{"before": before, "limit": limit})
	if err != nil {
		return 0, err
	}
	return bolt.SingleInteger(found, "removed")
}

// averageSize estimates the size of a record in the database; 0 if there are none.
func (j *Journal) averageSize(ctx context.Context) (int64, error) {
	var total, rows int64
	_, err := j.bounded.read(
		ctx,
		cypher.JournalSample,
		map[string]any{"limit": recordSample},
		j.config.MaxPageBytes,
		func() { total, rows = 0, 0 },
		func(row *bolt.Record) error {
			total, rows = total+recordOverhead+bolt.SizeOfRow(row.Values), rows+1
			return nil
		},
	)
	return total / max(1, rows), err
}
