package neo4jschema

import (
	"context"
	"sync"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// indexCache caches which properties are indexed. It decides how a list is read, never its content. Its zero value is ready for use.
type indexCache struct {
	mu           sync.Mutex
	at           time.Time
	nodes, edges IndexedKeys
}

const maxIndexAge = 5 * time.Second

// IndexedKeys are the indexes on the entities of one kind that lists use, as of the last seconds.
func (s *IndexStore) IndexedKeys(ctx context.Context, k graph.Kind) (IndexedKeys, error) {
	if keys, fresh := s.cache.of(k); fresh {
		return keys, nil
	}
	began := time.Now()
	indexes, err := ReadIndexes(ctx, s.client)
	if err != nil && !bolt.IsForbidden(err) {
		return IndexedKeys{}, err
	}
	s.cache.put(began, indexes)
	keys, _ := s.cache.of(k)
	return keys, nil
}

// put sets the indexes as of a time.
func (c *indexCache) put(at time.Time, indexes []graph.Index) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !at.Before(c.at) {
		c.at, c.nodes, c.edges = at, keysOf(indexes, "node"), keysOf(indexes, "edge")
	}
}

// expire makes the next query read the indexes, because one was created or dropped.
func (c *indexCache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = time.Time{}
}

// ExpireIndexedKeys makes the next list read which properties are indexed.
func (s *IndexStore) ExpireIndexedKeys() { s.cache.expire() }

func (c *indexCache) of(k graph.Kind) (keys IndexedKeys, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k == graph.EdgeKind {
		return c.edges, time.Since(c.at) <= maxIndexAge
	}
	return c.nodes, time.Since(c.at) <= maxIndexAge
}

func keysOf(indexes []graph.Index, entity string) IndexedKeys {
	var keys IndexedKeys
	for _, i := range indexes {
		if i.Entity == entity && i.State == "ONLINE" && (i.Kind == "RANGE" || i.Kind == "TEXT") && len(i.Types) == 1 {
			keys.add(i.Kind, i.Types[0], i.Properties)
		}
	}
	return keys
}
