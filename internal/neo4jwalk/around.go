// Package neo4jwalk follows edges: degrees, neighbors, paths, and the edges among given nodes.
package neo4jwalk

import (
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
)

// Walks follows edges from node to node. It is safe for concurrent use.
type Walks struct {
	*degreeCounter
	*neighborFinder
	*pathFinder
	*amongFinder
}

var _ graph.Explorer = (*Walks)(nil)

// New creates what follows edges.
func New(core *neo4jentity.Core) *Walks {
	client, texts, reads, timeouts := core.Client, core.Texts, core.Reads, core.Timeouts
	subgraphs := &subgraphReader{elements: reads.Elements, reads: reads}
	w := &Walks{
		degreeCounter:  &degreeCounter{client: client, texts: texts, reads: reads},
		neighborFinder: &neighborFinder{client: client, reads: reads, subgraphs: subgraphs, timeouts: timeouts},
		pathFinder:     &pathFinder{client: client, texts: texts, reads: reads, subgraphs: subgraphs, timeouts: timeouts},
		amongFinder:    &amongFinder{client: client, elements: reads.Elements, reads: reads, timeouts: timeouts},
	}
	w.degreeCounter.equal.Off = core.Config.Uncoalesced
	return w
}
