package neo4jjournal

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

const (
	journalPurgeInterval = 20 * time.Second
	journalPurgeBatch    = 1000 // a record may have a megabyte, which is read to know how much removing it frees
)

// recordPurger removes records that are older or take more bytes than is configured, and knows what those that remain take.
type recordPurger struct {
	client    *bolt.Client
	config    *neo4jentity.Config
	sequencer *feedSequencer

	use atomic.Pointer[journal.Use]
}

// Use returns what the last purge left; known is false before the first.
func (rp *recordPurger) Use() (use journal.Use, known bool) {
	last := rp.use.Load()
	if last == nil {
		return journal.Use{}, false
	}
	return *last, true
}

// ReadUse reads the state of the journal: see journal.Reader. What its bytes count is in record_bytes.part.
func (rp *recordPurger) ReadUse(ctx context.Context) (journal.Use, error) {
	state, err := rp.sequencer.readState(ctx)
	if err != nil {
		return journal.Use{}, err
	}
	return rp.useOf(state.total, state.bytes, state.oldest), nil
}

func (rp *recordPurger) useOf(records, bytes int64, oldest string) journal.Use {
	use := journal.Use{Records: records, Bytes: bytes, MaxBytes: rp.config.JournalMaxBytes, Keep: rp.config.JournalKeep}
	if oldest != "" {
		use.Oldest = timeOfChange(oldest)
	}
	return use
}

// RunPurge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes.
func (rp *recordPurger) RunPurge(ctx context.Context) {
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

// Purge removes records that are older than Config.JournalKeep or exceed Config.JournalMaxBytes. Each record is measured once, by the
// first purge after it got its position.
func (rp *recordPurger) Purge(ctx context.Context) error {
	state, err := rp.sequencer.readOrderedState(ctx)
	if err != nil {
		return err
	}
	before := state.total
	bytes, err := rp.measure(ctx)
	if err != nil {
		return err
	}
	if state.oldest != "" && state.oldest < oldestKept(rp.config.JournalKeep) {
		for removed := int64(journalPurgeBatch); removed == journalPurgeBatch; {
			if removed, bytes, err = rp.purge(ctx, oldestKept(rp.config.JournalKeep), math.MaxInt64); err != nil {
				return err
			}
			state.total -= removed
		}
	}
	for bytes > rp.config.JournalMaxBytes {
		var removed int64
		if removed, bytes, err = rp.purge(ctx, neo4jentity.MaxChangeID, bytes-rp.config.JournalMaxBytes); err != nil {
			return err
		}
		if removed == 0 {
			break
		}
		state.total -= removed
	}
	oldest := state.oldest
	if state.total < before {
		after, err := rp.sequencer.readState(ctx)
		if err != nil {
			return err
		}
		oldest = after.oldest
	}
	use := rp.useOf(state.total, bytes, oldest)
	rp.use.Store(&use)
	return nil
}

// purge removes one batch of the oldest records, of those with ids before one, until they have excess bytes. It returns how many it
// removed, and the bytes of those that remain.
func (rp *recordPurger) purge(ctx context.Context, before string, excess int64) (removed, bytes int64, err error) {
	params := map[string]any{"before": before, "excess": excess, "limit": journalPurgeBatch}
	return rp.writeBatch(ctx, cypher.JournalPurge, params, "removed")
}

// measure measures the records that no purge has measured yet. It returns the bytes of all.
func (rp *recordPurger) measure(ctx context.Context) (bytes int64, err error) {
	for measured := int64(journalPurgeBatch); measured == journalPurgeBatch; {
		params := map[string]any{"limit": journalPurgeBatch}
		if measured, bytes, err = rp.writeBatch(ctx, cypher.JournalMeasure, params, "measured"); err != nil {
			return 0, err
		}
	}
	return bytes, nil
}

// writeBatch runs a statement on a batch of records. It returns the number in a column, and the bytes of all records afterwards.
func (rp *recordPurger) writeBatch(ctx context.Context, statement cypher.Statement, params map[string]any, column string) (
	records, bytes int64, err error,
) {
	found, err := rp.client.Write(ctx, statement.Text(nil), params)
	if err != nil {
		return 0, 0, bolt.Translate(err)
	}
	if records, err = bolt.SingleInteger(found, column); err != nil {
		return 0, 0, err
	}
	bytes, err = bolt.SingleInteger(found, "bytes")
	return records, bytes, err
}
