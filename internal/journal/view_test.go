package journal_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// rights show an entity without some properties, or not at all.
type rights struct {
	visible bool
	hidden  []string
}

func (r rights) Granted() bool          { return r.visible }
func (r rights) Hides(name string) bool { return !r.visible || slices.Contains(r.hidden, name) }

func (r rights) Project(p graph.Properties) graph.Properties {
	shown := graph.Properties{}
	for key, value := range p {
		if !r.Hides(key) {
			shown[key] = value
		}
	}
	return shown
}

// openView shows entities that are open, without secret, and with it if they are of level 1.
func openView(_ graph.Kind, s *journal.State) journal.Rights {
	r := rights{visible: s.Properties["open"] == true}
	if s.Properties["level"] != int64(1) {
		r.hidden = []string{"secret"}
	}
	return r
}

func update(image, set graph.Properties) journal.Record {
	return journal.Record{ID: "1", Action: journal.Update, Kind: graph.NodeKind, Image: journal.State{ID: "a", Properties: image}, Set: set}
}

func TestChangesInAView(t *testing.T) {
	seen := graph.Properties{"open": true, "n": int64(1), "secret": "x"}
	hidden := graph.Properties{"n": int64(1), "secret": "x"}
	for name, test := range map[string]struct {
		image, set graph.Properties
		want       string // the sides; empty if the change is left out
	}{
		"a shown property": {
			seen, graph.Properties{"n": int64(2), "secret": "y"}, `"before":{"properties":{"n":1}},"after":{"properties":{"n":2}}`,
		},
		"a hidden one only": {seen, graph.Properties{"secret": "y"}, ""},
		"outside":           {hidden, graph.Properties{"n": int64(2)}, ""},
		"what leaves":       {seen, graph.Properties{"open": nil, "new": "z"}, `"before":{"properties":{"open":true}},"after":null`},
		"what comes":        {hidden, graph.Properties{"open": true, "n": nil}, `"before":null,"after":{"properties":{"open":true}}`},
		"a property that becomes shown": {
			seen,
			graph.Properties{"level": int64(1), "secret": "y"},
			`"before":{"properties":{"level":null,"secret":null}},"after":{"properties":{"level":1,"secret":"y"}}`,
		},
		"a set value that was there": {
			seen, graph.Properties{"level": int64(1), "secret": "x"}, `"before":{"properties":{"level":null}},"after":{"properties":{"level":1}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := update(test.image, test.set)
			shown, visible := r.In(openView)
			require.Equal(t, test.want != "", visible)
			if visible {
				require.Contains(t, string(journal.AppendChange(nil, &shown)), test.want+`,"cause"`)
			}
			require.Nil(t, r.Previous, "the record itself is as it was")
			require.Equal(t, test.set, r.Set)
		})
	}
}

// A gap is one of what is visible.
func TestGapsInAView(t *testing.T) {
	for name, test := range map[string]struct {
		found graph.Properties
		gap   bool
	}{
		"of a shown property": {graph.Properties{"open": true, "n": int64(5)}, true},
		"of a hidden one":     {graph.Properties{"open": true, "secret": "y"}, false},
		"none":                {graph.Properties{"open": true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			state := journal.State{Properties: graph.Properties{"open": true}}
			previous := journal.Record{Action: journal.Create, Kind: graph.NodeKind, Image: state}
			r := update(test.found, graph.Properties{"n": int64(9)})
			r.Previous = &previous
			shown, visible := r.In(openView)
			require.True(t, visible)
			require.Equal(t, test.gap, shown.HasGap())
		})
	}
}
