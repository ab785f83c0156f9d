// Package neo4jjournal reads the records of changes as history, as a feed and as the trash, and reverses changes.
package neo4jjournal

import (
	"graphrest/internal/bolt"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jentity"
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

// New creates a journal. Its undo takes what a change set has changed from changeSets.
func New(core *neo4jentity.Core, changeSets *neo4jchangeset.Store) *Journal {
	sequencer := &feedSequencer{client: core.Client}
	types := core.Schema.TypeStore.CurrentTypes
	entities := &stateReader{reads: core.Reads, types: types}
	records := &recordReader{
		client: core.Client, config: core.Config, types: types, reads: core.Reads, bounded: core.Bounded, sequencer: sequencer,
	}
	visibleNodes := &visibleNodeReader{config: core.Config, reads: core.Reads, elements: core.Elements, records: records}
	return &Journal{
		entityHistory: &entityHistory{
			client: core.Client, config: core.Config, entities: entities, records: records, sequencer: sequencer, visibleNodes: visibleNodes,
		},
		trashReader: &trashReader{config: core.Config, records: records, visibleNodes: visibleNodes},
		changeFeed: &changeFeed{
			config: core.Config, records: records, visibleNodes: visibleNodes,
			state: snapshot.New(sequencer.readOrderedState, bolt.SnapshotOptions(core.Spawn)),
		},
		recordEraser: &recordEraser{client: core.Client, audit: core.Audit, entities: entities},
		recordPurger: &recordPurger{client: core.Client, config: core.Config, sequencer: sequencer},
		undoer: &undoer{
			client: core.Client, config: core.Config, types: core.Schema.TypeStore, texts: core.Texts, reads: core.Reads,
			writes: core.Writes.Judged, records: records, entities: entities,
			selector: &undoSelector{config: core.Config, records: records, visibleNodes: visibleNodes, changeSets: changeSets},
		},
	}
}
