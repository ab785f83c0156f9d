package storetest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// captionCases are nodes with their captions, empty for null. The test of the web interface reads the same file.
func captionCases(t *testing.T) (all []graph.Properties, captions []string) {
	t.Helper()
	text, err := os.ReadFile("../graph/testdata/captions.json")
	require.NoError(t, err)
	var cases []struct {
		Properties map[string]any `json:"properties"`
		Caption    string         `json:"caption"`
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	for _, c := range cases {
		p := graph.Properties{}
		for name, value := range c.Properties {
			switch v := value.(type) {
			case float64:
				p[name] = v
				if whole := int64(v); float64(whole) == v {
					p[name] = whole
				}
			default:
				p[name] = v
			}
		}
		all, captions = append(all, p), append(captions, c.Caption)
	}
	return all, captions
}

func edgeEnds(t *testing.T, h Harness) {
	hub := h.node(t, "City", graph.Properties{"title": strings.Repeat("é", 200)})
	foreign := h.one(t, "CREATE (n {name: 'Foreign'}) RETURN elementId(n)", nil).(string)
	want := map[string]graph.Ends{} // by edge
	join := func(source string, end graph.End) {
		ends := graph.Ends{Source: end, Target: graph.End{Type: "City", Caption: strings.Repeat("é", 117) + "..."}}
		want[h.edge(t, "KNOWS", source, hub.ID, graph.Properties{"since": int64(len(want))}).ID] = ends
	}
	join(foreign, graph.End{Caption: "Foreign"})
	all, captions := captionCases(t)
	for i, p := range all {
		join(h.node(t, "Person", p).ID, graph.End{Type: "Person", Caption: captions[i]})
	}
	sorted, filtered := graph.Sort{{Property: "since"}}, graph.Filter{{Property: "since", Operator: "gte", Value: int64(0)}}
	for name, q := range map[string]graph.EdgeQuery{
		"all": {}, "of a type": {Type: "KNOWS"}, "filtered": {Type: "KNOWS", Filter: filtered}, "sorted": {Type: "KNOWS", Sort: sorted},
		"of a node": {Of: &graph.Around{NodeID: hub.ID, Direction: graph.Both}}, "of a node, sorted": {NodeID: hub.ID, Sort: sorted},
		"between": {SourceID: foreign, TargetID: hub.ID}, "between, sorted": {SourceID: foreign, TargetID: hub.ID, Sort: sorted},
	} {
		q.Ends = true
		got := h.endsOf(t, q)
		if q.SourceID == "" {
			require.Equal(t, want, got, name)
		} else {
			require.Len(t, got, 1, name)
		}
	}
	for id := range h.endsOf(t, graph.EdgeQuery{Type: "KNOWS"}) {
		e, err := h.Edges.EdgeWithEnds(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want[id], *e.Ends)
		e, err = h.Edges.Edge(t.Context(), id)
		require.NoError(t, err)
		require.Nil(t, e.Ends)
	}
}

// endsOf reads a list page by page and returns the ends of its edges. They are nil exactly if the query does not request them.
func (h Harness) endsOf(t *testing.T, q graph.EdgeQuery) map[string]graph.Ends {
	t.Helper()
	found := map[string]graph.Ends{}
	q.Limit = 7
	for {
		page, err := h.Edges.Edges(t.Context(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			require.Equal(t, q.Ends, e.Ends != nil)
			if found[e.ID] = (graph.Ends{}); q.Ends {
				found[e.ID] = *e.Ends
			}
		}
		if q.After = page.Next; q.After == nil {
			return found
		}
	}
}
