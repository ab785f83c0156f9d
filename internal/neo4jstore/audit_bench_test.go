package neo4jstore_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/graph"
)

// BenchmarkAuditedWrites creates and updates nodes without the audit, with it, and with the journal as well. Compare the results within one
// run, with several counts:
//
//	go run ./cmd/neo4jrun -- go test ./internal/neo4jstore -run '^$' -bench AuditedWrites -benchtime 4000x -count 5
func BenchmarkAuditedWrites(b *testing.B) {
	_, db := open(b, nil)
	for _, callers := range []int{1, 64} {
		for _, records := range []struct {
			name    string
			audit   audit.Mode
			journal bool
		}{{"off", audit.Off, false}, {"audit", audit.All, false}, {"journal", audit.All, true}} {
			s := openPrepared(b, db, func(c *settings) { c.audit.Mode, c.Journal = records.audit, records.journal })
			ids := createManagedNodes(b, s, 1, 4000)
			for name, write := range map[string]func(i int) error{
				"create": func(i int) error {
					_, err := s.CreateNode(actor("ann"),
						graph.NewNode{Type: "Bench0", Properties: graph.Properties{"name": fmt.Sprint(i), "n": int64(i), "f": 0.5}})
					return err
				},
				"update": func(i int) error {
					_, err := s.UpdateNode(actor("ann"), ids[i%len(ids)], graph.Change{Properties: graph.Properties{"n": int64(i)}})
					return err
				},
			} {
				b.Run(fmt.Sprintf("callers=%d/%s/records=%s", callers, name, records.name), func(b *testing.B) { writeAll(b, callers, write) })
			}
		}
	}
}

// writeAll distributes b.N writes over callers.
func writeAll(b *testing.B, callers int, write func(i int) error) {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
				if err := write(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	require.False(b, b.Failed())
}
