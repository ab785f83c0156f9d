package graph_test

import (
	"regexp"
	"testing"

	"graphrest/internal/graph"
)

// Contents that would be equal if their parts were only concatenated must have different revisions.
func TestRevisionCoversTheWholeContent(t *testing.T) {
	props := func(kv ...string) graph.Properties {
		p := graph.Properties{}
		for i := 0; i < len(kv); i += 2 {
			p[kv[i]] = kv[i+1]
		}
		return p
	}
	nodes := map[string]graph.Node{
		"empty":              {},
		"id":                 {ID: "a"},
		"type":               {Type: "a"},
		"label":              {Labels: []string{"a"}},
		"type and label":     {Type: "a", Labels: []string{"a"}},
		"two labels":         {Labels: []string{"a", "b"}},
		"labels swapped":     {Labels: []string{"b", "a"}},
		"labels joined":      {Labels: []string{"ab"}},
		"empty label":        {Labels: []string{""}},
		"property":           {Properties: props("a", "b")},
		"key longer":         {Properties: props("ab", "")},
		"value longer":       {Properties: props("", "ab")},
		"two properties":     {Properties: props("a", "b", "c", "d")},
		"values swapped":     {Properties: props("a", "d", "c", "b")},
		"list":               {Properties: graph.Properties{"a": []graph.Value{"b"}}},
		"list of two":        {Properties: graph.Properties{"a": []graph.Value{"b", "c"}}},
		"list and property":  {Properties: graph.Properties{"a": []graph.Value{"b"}, "c": "d"}},
		"outside the set":    {Properties: graph.Properties{"a": struct{ A int }{1}}},
		"outside, otherwise": {Properties: graph.Properties{"a": struct{ A int }{2}}},
	}
	form := regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)
	seen := map[graph.Revision]string{}
	for name, n := range nodes {
		r := n.Revision()
		if before, ok := seen[r]; ok || !form.MatchString(string(r)) {
			t.Errorf("%s: %q, also that of %q", name, r, before)
		}
		if again := n.Revision(); again != r {
			t.Errorf("%s: %q and then %q", name, r, again)
		}
		seen[r] = name
	}
	for name, e := range map[string]graph.Edge{
		"empty edge": {}, "edge id": {ID: "a"}, "edge type": {Type: "a"}, "source": {SourceID: "a"}, "target": {TargetID: "a"},
		"both": {SourceID: "a", TargetID: "b"}, "turned": {SourceID: "b", TargetID: "a"}, "edge property": {Properties: props("a", "b")},
	} {
		r := e.Revision()
		if before, ok := seen[r]; ok || !form.MatchString(string(r)) {
			t.Errorf("%s: %q, also that of %q", name, r, before)
		}
		seen[r] = name
	}
}

func person() graph.Node {
	return graph.Node{
		ID: "0190f3a0-7c3e-7abc-8def-0123456789ab", Type: "Person", Labels: []string{"Person"},
		Properties: graph.Properties{
			"name": "Ann Smith", "born": int64(1960), "height": 1.75, "active": true, "tags": []graph.Value{"a", "b"},
			"since": graph.Date{Days: 19844}, "seen": graph.DateTime{Seconds: 1714557600, Zone: "Europe/Berlin"},
		},
	}
}

// Every answer about one entity contains its revision, so computing it must allocate no more than the text itself.
func TestRevisionAllocatesItsTextOnly(t *testing.T) {
	n := person()
	if allocs := testing.AllocsPerRun(200, func() { _ = n.Revision() }); allocs > 1 {
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkNodeRevision(b *testing.B) {
	n := person()
	b.ReportAllocs()
	for b.Loop() {
		_ = n.Revision()
	}
}

func BenchmarkCheckProperties(b *testing.B) {
	n := person()
	b.ReportAllocs()
	for b.Loop() {
		graph.CheckProperties("properties", n.Properties, graph.DefaultLimits, false)
	}
}
