package typedjson

import (
	"fmt"
	"testing"

	"graphrest/internal/graph"
)

func hundredNodes() []graph.Node {
	nodes := make([]graph.Node, 100)
	for i := range nodes {
		nodes[i] = graph.Node{
			ID: fmt.Sprintf("0190f3a0-7c3e-7abc-8def-%012d", i), Type: "Person", Labels: []string{"Person"},
			Properties: graph.Properties{
				"name": fmt.Sprintf("Ann Smith %d", i), "born": int64(1960 + i), "height": 1.75, "active": true,
				"tags": []graph.Value{"a", "b"}, "since": graph.Date{Days: 19844},
				"seen": graph.DateTime{Seconds: 1714557600, Zone: "Europe/Berlin"},
			},
		}
	}
	return nodes
}

func BenchmarkAppend100Nodes(b *testing.B) {
	nodes := hundredNodes()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for i := range nodes {
			buf = AppendNode(buf, &nodes[i])
		}
	}
	b.SetBytes(int64(len(buf)))
}

// A list of nodes is the hottest answer: into a buffer that is large enough it must cost no allocation at all.
func TestAppendNodeDoesNotAllocate(t *testing.T) {
	nodes := hundredNodes()
	buf := make([]byte, 0, 1<<16)
	if n := testing.AllocsPerRun(100, func() {
		buf = buf[:0]
		for i := range nodes {
			buf = AppendNode(buf, &nodes[i])
		}
	}); n > 0 {
		t.Errorf("%v allocations for 100 nodes", n)
	}
}

func BenchmarkParseCreate(b *testing.B) {
	body := []byte(
		`{"type":"Person","source_id":"s","properties":{"name":"Ann Smith","born":1960,"height":1.75,"active":true,"tags":["a","b"]}}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		o, f := ParseObject(body)
		if f != nil {
			b.Fatal(f)
		}
		o.String("type")
		o.String("source_id")
		o.NewProperties("properties", true, graph.DefaultLimits)
		if f := o.Finish(); f != nil {
			b.Fatal(f)
		}
	}
}
