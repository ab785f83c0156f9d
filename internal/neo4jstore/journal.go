package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jschema"
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

// journalSources are what a Journal is built from.
type journalSources struct {
	client     *bolt.Client
	config     *Config
	audit      *neo4jaudit.Store
	types      *neo4jschema.TypeStore
	texts      *statementTexts
	elements   *elementReader
	reads      *entityReader
	writes     *judgedWriter
	bounded    *boundedReader
	changeSets *neo4jchangeset.Store
	spawn      func(func())
}

// newJournal creates a journal, whose feed reads its state in goroutines that spawn starts.
func newJournal(p journalSources) *Journal {
	sequencer := &feedSequencer{client: p.client}
	entities := &stateReader{reads: p.reads, types: p.types.CurrentTypes}
	records := &recordReader{config: p.config, types: p.types.CurrentTypes, reads: p.reads, bounded: p.bounded, sequencer: sequencer}
	visibleNodes := &visibleNodeReader{config: p.config, reads: p.reads, elements: p.elements, records: records}
	return &Journal{
		entityHistory: &entityHistory{
			client: p.client, config: p.config, entities: entities, records: records, sequencer: sequencer, visibleNodes: visibleNodes,
		},
		trashReader: &trashReader{config: p.config, records: records, bounded: p.bounded, visibleNodes: visibleNodes},
		changeFeed: &changeFeed{
			config: p.config, records: records, bounded: p.bounded, visibleNodes: visibleNodes,
			state: snapshot.New(sequencer.readOrderedState, bolt.SnapshotOptions(p.spawn)),
		},
		recordEraser: &recordEraser{client: p.client, audit: p.audit, entities: entities},
		recordPurger: &recordPurger{client: p.client, config: p.config, sequencer: sequencer},
		undoer: &undoer{
			client: p.client, config: p.config, types: p.types, texts: p.texts, reads: p.reads, writes: p.writes,
			records: records, entities: entities,
			selector: &undoSelector{config: p.config, records: records, visibleNodes: visibleNodes, changeSets: p.changeSets},
		},
	}
}
