package neo4jstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
)

// BenchmarkNodeRead reads single nodes of 20 managed types by id, from the id cache and not, alone and 32 at a time, coalesced and
// uncoalesced.
//
//	go run ./cmd/neo4jrun -- go test ./internal/neo4jstore -run '^$' -bench NodeRead
func BenchmarkNodeRead(b *testing.B) {
	first, db := open(b, nil)
	ids := createManagedNodes(b, first, 20, 500)
	for _, uncoalesced := range []bool{false, true} {
		fresh := func() *neo4jstore.Store {
			return openPrepared(b, db, func(c *settings) { c.Uncoalesced = uncoalesced })
		}
		for _, callers := range []int{1, 32} {
			name := fmt.Sprintf("callers=%d/coalesced=%t", callers, !uncoalesced)
			b.Run(name+"/remembered", func(b *testing.B) {
				s := fresh()
				fillIDCache(b, s, ids)
				readAll(b, s, ids, callers)
			})
			b.Run(name+"/by id", func(b *testing.B) {
				readAll(b, fresh(), ids, callers) // at most len(ids) reads miss the cache
			})
		}
	}
}

func createManagedNodes(b *testing.B, s *neo4jstore.Store, types, each int) []string {
	b.Helper()
	ids := make([]string, types*each)
	var next atomic.Int64
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(ids) {
					return
				}
				created, err := s.CreateNode(context.Background(), graph.NewNode{
					Type: graph.TypeName(fmt.Sprintf("Bench%d", i%types)), Properties: graph.Properties{"name": fmt.Sprint(i), "n": int64(i), "f": 0.5},
				})
				require.NoError(b, err)
				ids[i] = created.Entity.ID
			}
		})
	}
	group.Wait()
	rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids
}

// fillIDCache reads every node once.
func fillIDCache(b *testing.B, s *neo4jstore.Store, ids []string) {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				_, err := s.Node(context.Background(), ids[i])
				require.NoError(b, err)
			}
		})
	}
	group.Wait()
}

func readAll(b *testing.B, s *neo4jstore.Store, ids []string, callers int) {
	b.Helper()
	_, err := s.Node(context.Background(), ids[0])
	require.NoError(b, err)
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				if _, err := s.Node(context.Background(), ids[i%len(ids)]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "reads/s")
}
