package typedjson

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
)

func TestEveryValueReadsBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := graphgen.Value().Draw(t, "value")
		text := AppendValue(nil, want)
		if !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		got, f := ParseValue("value", string(text))
		if f != nil {
			t.Fatalf("%s: %v", text, f)
		}
		if !graph.EqualValues(want, got) {
			t.Fatalf("%s: got %#v, want %#v", text, got, want)
		}
	})
}

func TestPropertiesReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := graphgen.Properties().Draw(t, "properties")
		text := AppendProperties(nil, want)
		got, faults := DecodeProperties("properties", text)
		if len(faults) > 0 {
			t.Fatalf("%s: %v", text, faults)
		}
		if !graph.EqualProperties(want, got) {
			t.Fatalf("%s: got %#v, want %#v", text, got, want)
		}
	})
}

// A whole answer, sent back as the body of an update, is the same content: what a client does that reads, edits and
// writes. encoding/json, the reader most clients resemble, must agree on the strings.
func TestNodeAnswersAreValidJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := graph.Node{
			ID: graphgen.Text().Draw(t, "id"), Properties: graphgen.Properties().Draw(t, "properties"),
			Labels: rapid.SliceOfN(rapid.Map(graphgen.TypeName(), func(n graph.TypeName) string { return string(n) }), 0, 3).Draw(t, "labels"),
		}
		if len(n.Labels) > 0 {
			n.Type = n.Labels[0]
		}
		text := AppendNode(nil, &n)
		var read struct {
			ID         string                     `json:"id"`
			Type       *string                    `json:"type"`
			Labels     []string                   `json:"labels"`
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if read.ID != n.ID || read.Labels == nil || len(read.Labels) != len(n.Labels) || len(read.Properties) != len(n.Properties) {
			t.Fatalf("%s read as %+v", text, read)
		}
		if (read.Type == nil) != (n.Type == "") || read.Type != nil && *read.Type != n.Type {
			t.Fatalf("%s: type %v", text, read.Type)
		}
		for key, v := range n.Properties {
			raw, ok := read.Properties[key]
			if !ok {
				t.Fatalf("%s has no %q", text, key)
			}
			back, f := ParseValue("value", string(raw))
			if f != nil || !graph.EqualValues(v, back) {
				t.Fatalf("%s: %v, %#v", raw, f, back)
			}
		}
	})
}

// Points that this Neo4j refuses but an older one may hold are still written and scanned without loss.
func TestPointsWithoutNumbersReadBack(t *testing.T) {
	for _, p := range []graph.Point{
		{SRID: 7203, X: math.NaN(), Y: math.Inf(1)},
		{SRID: 9157, X: 1, Y: math.Inf(-1), Z: math.NaN()},
		{SRID: 4979, X: math.Copysign(0, -1), Y: 5e-324, Z: 1e300},
	} {
		text := string(appendPoint(nil, p))
		got, reason := parsePoint(text)
		if reason != "" || !graph.EqualValues(p, got) {
			t.Errorf("%s: got %v, %s", text, got, reason)
		}
	}
}
