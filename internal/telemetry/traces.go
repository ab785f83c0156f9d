package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"graphrest/internal/coalesce"
)

// TraceOptions configure the export of traces.
type TraceOptions struct {
	Endpoint string  // base address of an OTLP collector over HTTP; traces go to its /v1/traces
	Service  string  // service.name
	Ratio    float64 // share of the traces begun here that are recorded, 0 to 1; a caller's own sampling decision wins
	Version  string  // service.version
	Database string  // name of the Neo4j database, for db.namespace
	Log      *slog.Logger
}

// Traces creates spans: one for each request, one for its time in a queue, one for each batch and each Cypher statement.
// A batch that serves several requests belongs to the trace of the first sampled one and is linked to the others.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	header   propagation.TraceContext
	database string
}

// NewTraces creates a tracer that exports its spans to a collector in the background, in batches. An unavailable
// collector loses spans but never fails a request.
func NewTraces(ctx context.Context, o TraceOptions) (*Traces, error) {
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.Endpoint+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	return newTraces(o, sdk.WithBatcher(&failureLogger{SpanExporter: exporter, log: o.Log})), nil
}

func newTraces(o TraceOptions, export sdk.TracerProviderOption) *Traces {
	provider := sdk.NewTracerProvider(export,
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Ratio))),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", o.Service), attribute.String("service.version", o.Version))))
	return &Traces{provider: provider, tracer: provider.Tracer("graphrest"), database: o.Database}
}

// Close exports the remaining spans, until the context ends.
func (t *Traces) Close(ctx context.Context) error {
	return errors.Join(t.provider.ForceFlush(ctx), t.provider.Shutdown(ctx))
}

// failureLogger logs the first of a series of failed exports and the first success after it.
type failureLogger struct {
	sdk.SpanExporter
	log  *slog.Logger
	lost bool // exports are sequential
}

func (e *failureLogger) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !e.lost:
		e.log.Warn("traces cannot be sent and are lost until the collector answers", "error", err.Error())
	case err == nil && e.lost:
		e.log.Info("traces are sent again")
	}
	e.lost = err != nil
	return nil // already logged; the SDK would write it to its own log
}

// Begin starts the span of a request. It returns the new context of the request, the id of its trace, and a function to
// call at its end.
func (t *Traces) Begin(r *http.Request, route, requestID string) (ctx context.Context, traceID string, end func(status int)) {
	ctx = t.header.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	name := route
	if name == "" {
		name = "none"
	}
	method := knownMethod(r.Method)
	ctx, span := t.tracer.Start(ctx, method+" "+name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", name),
		attribute.String("graphrest.request_id", requestID)))
	return ctx, span.SpanContext().TraceID().String(), func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Batch starts the span of a batch and records a span with the queue time of each of its calls.
func (t *Traces) Batch(ctx context.Context, group string, callers []coalesce.Caller) (context.Context, func()) {
	now := time.Now()
	var parent trace.SpanContext
	var links []trace.Link
	for _, c := range callers {
		of := trace.SpanContextFromContext(c.Context)
		if !of.IsSampled() {
			continue
		}
		_, waited := t.tracer.Start(c.Context, "queue "+group, trace.WithTimestamp(c.Arrived))
		waited.End(trace.WithTimestamp(now))
		if !parent.IsValid() {
			parent = of
			continue
		}
		links = append(links, trace.Link{SpanContext: of})
	}
	if !parent.IsValid() {
		return ctx, func() {}
	}
	ctx, span := t.tracer.Start(trace.ContextWithSpanContext(ctx, parent), "batch "+group, trace.WithLinks(links...),
		trace.WithTimestamp(now), trace.WithAttributes(attribute.Int("graphrest.batch.size", len(callers))))
	return ctx, func() { span.End() }
}

// Statement creates the span of a statement that has ended. Its text contains parameters, never their values. The
// attributes are those of OpenTelemetry's semantic conventions for databases.
func (t *Traces) Statement(ctx context.Context, name, text string, began time.Time, failure string) {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return // background statements have no trace
	}
	_, span := t.tracer.Start(ctx, "cypher "+name, trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(began), trace.WithAttributes(
		attribute.String("db.system.name", "neo4j"), attribute.String("db.namespace", t.database),
		attribute.String("db.operation.name", name), attribute.String("db.query.text", text)))
	if failure != "" {
		span.SetAttributes(attribute.String("db.response.status_code", failure))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}
