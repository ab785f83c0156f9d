package telemetry

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"graphrest/internal/coalesce"
	"graphrest/internal/testmark"
)

func recorded(t *testing.T, ratio float64) (*Traces, *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	traces := newTraces(TraceOptions{Service: "graphrest", Ratio: ratio, Database: "neo4j"}, sdk.WithSyncer(spans))
	return traces, spans
}

// Two requests that share a batch: each has a separate span for its time in the queue, the batch and its statement are in the
// trace of the first, and the batch links to the second.
func TestABatchIsPartOfTheTracesItServes(t *testing.T) {
	testmark.Concurrent(t)
	traces, spans := recorded(t, 1)
	group := coalesce.New(coalesce.Options[int]{Name: "node reads", Lanes: 1, Tracer: traces},
		func(ctx context.Context, all []int) []coalesce.Outcome[int] {
			traces.Statement(ctx, "nodes_by_id", "MATCH (n {uuid: $id}) RETURN n", time.Now(), "")
			return make([]coalesce.Outcome[int], len(all))
		})
	defer group.Close()
	request := httptest.NewRequest("GET", "/api/nodes/1", nil)
	ctx, id, end := traces.Begin(request, "/api/nodes/:node_id", "r1")
	_, err := group.Do(ctx, 1)
	require.NoError(t, err)
	end(200)
	found := spans.GetSpans()
	byName := map[string]tracetest.SpanStub{}
	for _, s := range found {
		require.Equal(t, id, s.SpanContext.TraceID().String(), s.Name)
		byName[s.Name] = s
	}
	root := byName["GET /api/nodes/:node_id"]
	require.Len(t, byName, 4)
	require.Equal(t, root.SpanContext.SpanID(), byName["queue node reads"].Parent.SpanID())
	require.Equal(t, root.SpanContext.SpanID(), byName["batch node reads"].Parent.SpanID())
	require.Equal(t, byName["batch node reads"].SpanContext.SpanID(), byName["cypher nodes_by_id"].Parent.SpanID())

	spans.Reset()
	first, _, _ := traces.Begin(request, "", "a")
	second, _, _ := traces.Begin(request, "", "b")
	_, done := traces.Batch(context.Background(), "node reads",
		[]coalesce.Caller{{Context: context.Background()}, {Context: first}, {Context: second}})
	done()
	batch := spans.GetSpans()[2]
	require.Equal(t, trace.SpanContextFromContext(first).TraceID(), batch.SpanContext.TraceID())
	require.Len(t, batch.Links, 1)
	require.Equal(t, trace.SpanContextFromContext(second).SpanID(), batch.Links[0].SpanContext.SpanID())
}

func TestACallersTraceGoesOnAndItsDecisionCounts(t *testing.T) {
	testmark.Concurrent(t)
	traces, spans := recorded(t, 0)
	request := httptest.NewRequest("GET", "/", nil)
	_, _, end := traces.Begin(request, "/", "r")
	end(200)
	require.Empty(t, spans.GetSpans(), "a ratio of 0 records no spans")

	request.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	_, id, end := traces.Begin(request, "/", "r")
	end(503)
	require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", id)
	require.Len(t, spans.GetSpans(), 1)
	require.Equal(t, "00f067aa0ba902b7", spans.GetSpans()[0].Parent.SpanID().String())
}
