package neo4jstore

import (
	"context"
	"sync/atomic"
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

// recordPurger removes records that are older or take more bytes than is configured, and knows what those that remain take.
type recordPurger struct {
	client    *bolt.Client
	config    *Config
	bounded   *boundedReader
	sequencer *feedSequencer

	use atomic.Pointer[JournalUse]
}

// Use returns what the last purge left; known is false before the first.
func (rp *recordPurger) Use() (use JournalUse, known bool) {
	last := rp.use.Load()
	if last == nil {
		return JournalUse{}, false
	}
	return *last, true
}

// runPurge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes.
func (rp *recordPurger) runPurge(ctx context.Context) {
	tick := time.NewTicker(journalPurgeInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !rp.client.Reachable() {
				continue // the client has logged that
			}
			if err := rp.Purge(ctx); err != nil && ctx.Err() == nil {
				rp.config.Log.Warn("old records of changes were not removed", "error", err.Error())
			}
		}
	}
}

// Purge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes. The size of all is estimated from a
// sample.
func (rp *recordPurger) Purge(ctx context.Context) error {
	state, err := rp.sequencer.readOrderedState(ctx)
	if err != nil {
		return err
	}
	before := state.total
	if state.oldest != "" && state.oldest < oldestKept(rp.config.JournalKeep) {
		for removed := int64(journalPurgeBatch); removed == journalPurgeBatch; {
			if removed, err = rp.purge(ctx, oldestKept(rp.config.JournalKeep), journalPurgeBatch); err != nil {
				return err
			}
			state.total -= removed
		}
	}
	size, err := rp.averageSize(ctx)
	if err != nil {
		return err
	}
	for excess := state.total - rp.config.JournalMaxBytes/max(1, size); size > 0 && excess > 0; {
		removed, err := rp.purge(ctx, maxChangeID, min(excess, journalPurgeBatch))
		if err != nil {
			return err
		}
		if removed == 0 {
			break
		}
		excess, state.total = excess-removed, state.total-removed
	}
	use := JournalUse{Records: state.total, Bytes: state.total * size, MaxBytes: rp.config.JournalMaxBytes}
	oldest := state.oldest
	if state.total < before {
		after, err := rp.sequencer.readState(ctx)
		if err != nil {
			return err
		}
		oldest = after.oldest
	}
	if oldest != "" {
		use.Oldest = timeOfChange(oldest)
	}
	rp.use.Store(&use)
	return nil
}

func (rp *recordPurger) purge(ctx context.Context, before string, limit int64) (int64, error) {
	found, err := rp.client.Write(ctx, cypher.JournalPurge.Text(nil), map[string]any{"before": before, "limit": limit})
	if err != nil {
		return 0, err
	}
	return bolt.SingleInteger(found, "removed")
}

// averageSize estimates the size of a record in the database; 0 if there are none.
func (rp *recordPurger) averageSize(ctx context.Context) (int64, error) {
	var total, rows int64
	_, err := rp.bounded.read(
		ctx,
		cypher.JournalSample,
		map[string]any{"limit": recordSample},
		rp.config.MaxPageBytes,
		func() { total, rows = 0, 0 },
		func(row *bolt.Record) error {
			total, rows = total+recordOverhead+bolt.SizeOfRow(row.Values), rows+1
			return nil
		},
	)
	return total / max(1, rows), err
}
