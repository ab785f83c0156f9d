package benchlarge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"graphrest/internal/bench"
)

// mostStarts is the maximum number of gateways that are started for a question about a start.
const mostStarts = 5

// starts asks newly started gateways their first question. The result does not include the time of the start itself.
func (r *run) starts(ctx context.Context) error {
	if err := r.setIndex(ctx, ""); err != nil {
		return err
	}
	path := nodesOf + r.facts["largest"]
	for _, q := range []question{
		{Name: "first page, first answer after the gateway's start", Path: path, Goal: goal{FirstRatio: 3}},
		{Name: "schema, first answer after the gateway's start", Path: schemaPath, Goal: goal{FirstMilliseconds: 1000}},
	} {
		if !r.asked(q.Name) {
			continue
		}
		answer, err := r.start(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		r.table.compareWithGoal(q, answer)
		r.table.Answers = append(r.table.Answers, *answer)
		r.progress("%s", answer)
	}
	return nil
}

// start contains the median of the first answers of newly started gateways, and the median of further answers of the same gateways.
func (r *run) start(ctx context.Context, q question) (*Answer, error) {
	a := &Answer{Question: q.Name, Cypher: notMeasured, CypherFirst: notMeasured, Ratio: notMeasured}
	var first, later []float64
	for range min(mostStarts, r.Limits.Rounds) {
		g, err := r.startGateway(ctx, r.at.URI)
		if err != nil {
			return nil, err
		}
		times, err := r.timesOf(ctx, g, q.Path)
		g.Stop()
		if err != nil {
			a.Failure = err.Error()
			return a, ctx.Err()
		}
		first, later = append(first, times[0]), append(later, times[1:]...)
	}
	a.Rounds = len(later)
	a.Gateway, a.GatewayFirst = bench.Number(bench.Median(later)), bench.Number(bench.Median(first))
	a.Ratio = bench.Number(bench.Ratio(float64(a.GatewayFirst), float64(a.Gateway)))
	return a, nil
}

func (r *run) timesOf(ctx context.Context, g *gateway, path string) ([]float64, error) {
	const requests = 6
	var times []float64
	for range requests {
		var one answers
		one.time(ctx, r.Limits, func(ctx context.Context) (int, error) {
			status, answer, err := g.read(ctx, path)
			if err == nil && status != http.StatusOK {
				err = statusError(status, answer)
			}
			return 0, err
		})
		if one.failure != "" {
			return nil, fmt.Errorf("%s", one.failure)
		}
		times = append(times, one.times...)
	}
	return times, nil
}

// awaitSchema waits until both gateways know whether the benchmark's index exists, which they detect within seconds.
func (r *run) awaitSchema(ctx context.Context, there bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, g := range []*gateway{r.gateway, r.recorded} {
		for {
			known, err := knowsIndex(ctx, g)
			if err == nil && known == there {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("the gateway does not notice an index: %w", ctx.Err())
			case <-time.After(200 * time.Millisecond):
			}
		}
	}
	return nil
}

func knowsIndex(ctx context.Context, g *gateway) (bool, error) {
	status, answer, err := g.read(ctx, schemaPath)
	if err != nil || status != http.StatusOK {
		return false, fmt.Errorf("status %d %w", status, err)
	}
	var schema struct {
		Data struct {
			Indexes []struct {
				Name string `json:"name"`
			} `json:"indexes"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &schema); err != nil {
		return false, err
	}
	return slices.ContainsFunc(schema.Data.Indexes, func(i struct {
		Name string `json:"name"`
	},
	) bool {
		return i.Name == "bench_large"
	}), nil
}
