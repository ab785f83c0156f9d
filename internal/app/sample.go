package app

import (
	"context"
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/sample"
)

// sampleBatch is the number of lines in one write of the sample.
const sampleBatch = 1000

// LoadSample creates the missing part of the sample graph and returns the number of nodes and edges created. The gateway
// must be ready.
func (a *App) LoadSample(ctx context.Context) (created int, err error) {
	lines, err := sample.Lines()
	if err != nil {
		return 0, err
	}
	into := a.stores.graph.Bulk.Import(graph.OnConflictSkip)
	for batch := range slices.Chunk(lines, sampleBatch) {
		results, err := into.Write(ctx, batch)
		if err != nil {
			return created, err
		}
		for _, r := range results {
			switch {
			case r.Fault != nil:
				return created, r.Fault
			case r.Done == graph.BulkCreated:
				created++
			}
		}
	}
	return created, nil
}
