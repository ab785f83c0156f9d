package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/snapshot"
)

// Journal reads the records of changes and reverses changes: each embedded type does one task. It is safe for concurrent use.
type Journal struct {
	*entityHistory
	*trashReader
	*changeFeed
	*recordEraser
	*recordPurger
	*undoer
}

var (
	_ journal.Reader = (*Journal)(nil)
	_ journal.Undoer = (*Journal)(nil)
)

// newJournal creates a journal. Its undo takes what a change set has changed from changeSets.
func newJournal(core *core, changeSets *neo4jchangeset.Store) *Journal {
	sequencer := &feedSequencer{client: core.client}
	entities := &stateReader{reads: core.reads, types: core.schema.TypeStore.CurrentTypes}
	records := &recordReader{config: core.config, types: core.schema.TypeStore.CurrentTypes, reads: core.reads, bounded: core.bounded, sequencer: sequencer}
	visibleNodes := &visibleNodeReader{config: core.config, reads: core.reads, elements: core.elements, records: records}
	return &Journal{
		entityHistory: &entityHistory{
			client: core.client, config: core.config, entities: entities, records: records, sequencer: sequencer, visibleNodes: visibleNodes,
		},
		trashReader: &trashReader{config: core.config, records: records, bounded: core.bounded, visibleNodes: visibleNodes},
		changeFeed: &changeFeed{
			config: core.config, records: records, bounded: core.bounded, visibleNodes: visibleNodes,
			state: snapshot.New(sequencer.readOrderedState, bolt.SnapshotOptions(core.spawn)),
		},
		recordEraser: &recordEraser{client: core.client, audit: core.audit, entities: entities},
		recordPurger: &recordPurger{client: core.client, config: core.config, sequencer: sequencer},
		undoer: &undoer{
			client: core.client, config: core.config, types: core.schema.TypeStore, texts: core.texts, reads: core.reads, writes: core.writes.judged,
			records: records, entities: entities,
			selector: &undoSelector{config: core.config, records: records, visibleNodes: visibleNodes, changeSets: changeSets},
		},
	}
}
