package telemetry

import (
	"context"
	"testing"
	"time"
)

// BenchmarkReports measures the cost of the metrics of one request that forms a batch alone; a whole request takes 100 us or more.
func BenchmarkReports(b *testing.B) {
	m := NewMetrics("x")
	ctx := context.Background()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			began := time.Now()
			m.Arrived()
			m.Counted(true, nil)
			m.Batch("node reads", 1, time.Millisecond, 1)
			m.Statement(ctx, "nodes_by_id", "MATCH ...", began, "")
			m.Done("node reads", 1, time.Millisecond)
			m.Answered("GET", "/api/nodes/:node_id", 200, "", time.Millisecond)
		}
	})
}
