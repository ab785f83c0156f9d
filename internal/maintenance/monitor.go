package maintenance

import (
	"context"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/snapshot"
)

const (
	// diagnosisAge is how long a diagnosis is shown before another one is made, whatever the number of requests.
	diagnosisAge = time.Minute
	// diagnosisPause is the time between a diagnosis that failed and the next: short, so that the error ends soon after its cause.
	diagnosisPause = 10 * time.Second
)

// Monitor is a graph.Monitor.
type Monitor struct {
	counts    *neo4jschema.Counts
	diagnosis *snapshot.Snapshot[graph.Diagnosis]
}

var _ graph.Monitor = (*Monitor)(nil)

// NewMonitor creates the monitor of a database with these counts.
func NewMonitor(store *Store, counts *neo4jschema.Counts) *Monitor {
	options := bolt.SnapshotOptions(nil) // nobody waits for a diagnosis at the end: it only reads, no longer than one statement may
	options.FailurePause = func() time.Duration { return diagnosisPause }
	return &Monitor{counts: counts, diagnosis: snapshot.New(func(ctx context.Context) (*graph.Diagnosis, error) {
		ctx, cancel := store.client.WithQueryTimeout(ctx)
		defer cancel()
		d, err := store.CheckServer(ctx)
		return &d, err
	}, options)}
}

// Diagnosis is what the last check found: see graph.Monitor.
func (m *Monitor) Diagnosis(ctx context.Context) (graph.Diagnosis, error) {
	d, err := m.diagnosis.Fresh(ctx, diagnosisAge)
	if err != nil {
		return graph.Diagnosis{}, bolt.Translate(err)
	}
	return *d, nil
}

// Size is that of the count store: see graph.Monitor.
func (m *Monitor) Size(ctx context.Context) (graph.Size, error) {
	counts, err := m.counts.Current(ctx)
	if err != nil {
		return graph.Size{}, bolt.Translate(err)
	}
	return graph.Size{Nodes: counts.AllNodes, Edges: counts.AllEdges}, nil
}
