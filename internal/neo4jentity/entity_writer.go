package neo4jentity

import "graphrest/internal/bolt"

// writeCore is what creates, updates and deletes of single entities use.
type writeCore struct {
	client *bolt.Client
	config *Config
	reads  *Reader
	Judged *JudgedWriter
	Types  *TypeMaker
}

// Writer creates, changes and deletes nodes and edges one by one, with a separate type for each.
type Writer struct {
	*writeCore

	*entityCreator
	*entityUpdater
	*entityDeleter
}

func newEntityWriter(core *Core) *Writer {
	w := &writeCore{
		client: core.Client, config: core.Config, reads: core.Reads, Judged: &JudgedWriter{core.runner, core.Reads.contentReader},
		Types: core.NewTypeMaker(false),
	}
	return &Writer{w, newEntityCreator(w), newEntityUpdater(w), newEntityDeleter(w)}
}

// Close finishes the running writes.
func (wr *Writer) Close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
