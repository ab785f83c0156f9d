package neo4jentity

import (
	"hash/maphash"
	"strconv"
	"strings"
	"sync"

	"graphrest/internal/graph"
)

// IsElementID reports whether an id has the form of an element id of that kind.
func IsElementID(k kind, id string) bool { return graph.IsElementID(k, id) }

const (
	idCacheShards = 16
	// idsPerShard bounds each of a shard's two generations: 2 x 16 x 8,192 ids, about 10 MB each for nodes and edges.
	idsPerShard = 8192
)

// idCache maps ids to element ids. An entry may be stale at any time, because element ids are reused: the user of a result verifies that
// the entity still has the id. It stores a hash of the id and the number of the element id; two ids with the same hash are detected in the
// same way. When it is full, the oldest half is dropped.
type idCache struct {
	seed   maphash.Seed
	shards *[idCacheShards]idCacheShard
	prefix *elementPrefix
}

type idCacheShard struct {
	mu         sync.Mutex
	young, old map[uint64]uint64
}

// elementPrefix is the common prefix of the element ids of a database and kind. It changes when another database is restored.
type elementPrefix struct {
	mu   sync.RWMutex
	text string
}

func newIDCache() idCache {
	return idCache{seed: maphash.MakeSeed(), shards: new([idCacheShards]idCacheShard), prefix: new(elementPrefix)}
}

func (c idCache) shard(id string) (*idCacheShard, uint64) {
	hash := maphash.String(c.seed, id)
	return &c.shards[hash%idCacheShards], hash
}

func (c idCache) get(id string) (element string, found bool) {
	shard, hash := c.shard(id)
	shard.mu.Lock()
	number, found := shard.young[hash]
	if !found {
		if number, found = shard.old[hash]; found {
			shard.put(hash, number)
		}
	}
	shard.mu.Unlock()
	if !found {
		return "", false
	}
	c.prefix.mu.RLock()
	defer c.prefix.mu.RUnlock()
	return c.prefix.text + strconv.FormatUint(number, 10), c.prefix.text != ""
}

// Put remembers the element id of an id by which a look-up finds no other entity: see ManagedTypes.IsOnly.
func (c idCache) Put(id, element string) {
	cut := strings.LastIndexByte(element, ':') + 1
	number, err := strconv.ParseUint(element[cut:], 10, 64)
	if err != nil || id == element {
		return
	}
	c.setPrefix(element[:cut])
	shard, hash := c.shard(id)
	shard.mu.Lock()
	shard.put(hash, number)
	shard.mu.Unlock()
}

func (s *idCacheShard) put(hash, number uint64) {
	if s.young == nil || len(s.young) >= idsPerShard {
		s.old, s.young = s.young, make(map[uint64]uint64, idsPerShard/4)
	}
	s.young[hash] = number
}

// setPrefix sets the prefix. A changed prefix invalidates all entries.
func (c idCache) setPrefix(prefix string) {
	c.prefix.mu.RLock()
	same := c.prefix.text == prefix
	c.prefix.mu.RUnlock()
	if same {
		return
	}
	c.prefix.mu.Lock()
	c.prefix.text = prefix
	c.prefix.mu.Unlock()
	for i := range c.shards {
		c.shards[i].mu.Lock()
		c.shards[i].young, c.shards[i].old = nil, nil
		c.shards[i].mu.Unlock()
	}
}

// Drop forgets an id.
func (c idCache) Drop(id string) {
	shard, hash := c.shard(id)
	shard.mu.Lock()
	delete(shard.young, hash)
	delete(shard.old, hash)
	shard.mu.Unlock()
}
