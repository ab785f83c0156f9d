package neo4jstore

import (
	"graphrest/internal/graph"
)

// Walks follows edges from node to node. It is safe for concurrent use.
type Walks struct {
	*degreeCounter
	*neighborFinder
	*pathFinder
	*amongFinder
}

var _ graph.Explorer = (*Walks)(nil)

func newWalks(core *core) *Walks {
	client, texts, reads, timeouts := core.client, core.texts, core.reads, core.timeouts
	subgraphs := &subgraphReader{elements: reads.elements, reads: reads}
	w := &Walks{
		degreeCounter:  &degreeCounter{client: client, texts: texts, reads: reads},
		neighborFinder: &neighborFinder{client: client, reads: reads, subgraphs: subgraphs, timeouts: timeouts},
		pathFinder:     &pathFinder{client: client, texts: texts, reads: reads, subgraphs: subgraphs, timeouts: timeouts},
		amongFinder:    &amongFinder{client: client, elements: reads.elements, reads: reads, timeouts: timeouts},
	}
	w.degreeCounter.equal.Off = core.config.Uncoalesced
	return w
}
