package neo4jlist

import (
	"context"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// extent is where the entities of a type are among all entities: their number, and the number in the last element id.
type extent struct {
	at          time.Time
	total, last int64
	seekable    bool // element ids have the form that windows require
}

// window is how many numbers contain a page if the entities are distributed evenly, plus a quarter.
func (e extent) window(limit int) int64 {
	if e.total == 0 {
		return minWindow
	}
	size := float64(limit) * 1.25 * float64(e.last+1) / float64(e.total)
	return max(minWindow, int64(min(size, 1<<40)))
}

// maxSeeks is how many seeks cost no more than a scan of the type.
func (e extent) maxSeeks() int64 { return min(max(e.total/scanFactor, 8*minWindow), maxSeeks) }

// extentAge is the maximum age of an extent from which a window is computed. At a type's end it is read again.
const extentAge = 5 * time.Second

// maxExtents bounds the cache of extents.
const maxExtents = 4096

// extentCache caches extents. It is no snapshot.Snapshot: the cache is bounded, and a page reads an extent within its own limits.
type extentCache struct {
	client *bolt.Client
	mu     sync.Mutex
	known  map[neo4jentity.TypeKey]extent
}

// extent is the extent of a type, at most age old.
func (c *extentCache) extent(ctx context.Context, k graph.Kind, name string, age time.Duration) (extent, error) {
	of := neo4jentity.TypeKey{Kind: k, Name: name}
	c.mu.Lock()
	known, found := c.known[of]
	c.mu.Unlock()
	began := time.Now()
	if found && began.Sub(known.at) < age {
		return known, nil
	}
	records, err := c.client.ReadRows(ctx, neo4jentity.StatementsOf[k].Extent.Text(cypher.Slots{"type": cypher.Quote(name)}), nil)
	if err != nil {
		return extent{}, err
	}
	e := extent{at: began, last: -1, seekable: true}
	for _, record := range records {
		e.total = bolt.Column[int64](record, "total")
		_, e.last, e.seekable = keyset.SplitElementID(bolt.Column[string](record, "last"))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxExtents {
		c.known = map[neo4jentity.TypeKey]extent{}
	}
	c.known[of] = e
	return e, nil
}
