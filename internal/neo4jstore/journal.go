package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/snapshot"
)

// Journal reads the records of changes and reverses changes: each of its parts does one task. It is safe for concurrent use.
type Journal struct {
	*entityHistory
	*trashReader
	*changeFeed
	*recordEraser
	*recordPurge
	*undoer
}

var (
	_ journal.Reader = (*Journal)(nil)
	_ journal.Undoer = (*Journal)(nil)
)

// journalParts are what a Journal is built from.
type journalParts struct {
	client     *bolt.Client
	config     *Config
	audit      *neo4jaudit.Store
	types      *neo4jschema.TypeStore
	texts      *statementTexts
	elements   *elementReader
	reads      *entityReader
	changes    *changeRecorder
	bounded    *boundedReader
	changeSets *ChangeSets
	spawn      func(func())
}

// newJournal creates a journal, whose feed reads its state in goroutines that spawn starts.
func newJournal(p journalParts) *Journal {
	states := &feedStateReader{client: p.client}
	entities := &entityStates{reads: p.reads, types: p.types.CurrentTypes}
	records := &recordReader{config: p.config, types: p.types.CurrentTypes, reads: p.reads, bounded: p.bounded, feedStates: states}
	visible := &visibleNodeReader{config: p.config, reads: p.reads, elements: p.elements, records: records}
	return &Journal{
		entityHistory: &entityHistory{
			client: p.client, config: p.config, entities: entities, records: records, feedStates: states, visible: visible,
		},
		trashReader: &trashReader{config: p.config, records: records, bounded: p.bounded, visible: visible},
		changeFeed: &changeFeed{
			config: p.config, records: records, bounded: p.bounded, visible: visible,
			state: snapshot.New(states.readOrdered, bolt.SnapshotOptions(p.spawn)),
		},
		recordEraser: &recordEraser{client: p.client, audit: p.audit, entities: entities},
		recordPurge:  &recordPurge{client: p.client, config: p.config, bounded: p.bounded, feedStates: states},
		undoer: &undoer{
			client: p.client, config: p.config, types: p.types, texts: p.texts, reads: p.reads, changes: p.changes, records: records,
			entities: entities,
			selector: &undoSelector{config: p.config, records: records, visible: visible, changeSets: p.changeSets},
		},
	}
}
