package queryguard

import (
	"crypto/rand"
	"slices"
	"strings"

	"graphrest/cypher"
)

// Seal is what hides internal data: the reserved labels and relationship types that no entity of a result, and none on the way to it, may
// have.
type Seal struct {
	labels, types []string // in byte order; at least one each
	suffix        string   // of the names that the seal adds to a query; a client cannot know it
	foreign       bool     // a reserved label is in use that is none of the gateway's own, which stand beside no others
}

// NewSeal creates a seal of the reserved names in use and of the gateway's own, which may come into use at any time.
func NewSeal(labels, types []string) Seal {
	own := cypher.OwnLabels()
	return Seal{
		labels: withOwn(labels, own), types: withOwn(types, cypher.OwnTypes()), suffix: processSuffix,
		foreign: slices.ContainsFunc(labels, func(label string) bool { return !slices.Contains(own, label) }),
	}
}

func withOwn(names, own []string) []string {
	all := slices.Sorted(slices.Values(slices.Concat(names, own)))
	return slices.Compact(all)
}

// processSuffix makes the names that a seal adds unpredictable.
var processSuffix = strings.ToLower(rand.Text()[:8])

// exclude is a label expression that none of some names meets.
func exclude(names []string) string {
	parts := make([]string, 0, len(names))
	for _, name := range names {
		parts = append(parts, "!"+quote(name))
	}
	return strings.Join(parts, "&")
}

func (s Seal) node() string         { return exclude(s.labels) }
func (s Seal) relationship() string { return exclude(s.types) }

// path is the name of a path that the query does not name, element that of each of its entities.
func (s Seal) path() string    { return "gr_path_" + s.suffix }
func (s Seal) element() string { return "gr_each_" + s.suffix }

// onPath is the condition that no node of a path, and no relationship if their types are not named, is internal.
func (s Seal) onPath(path string, typed bool) string {
	each := s.element()
	condition := "all(" + each + " IN nodes(" + path + ") WHERE " + each + ":" + s.node() + ")"
	if !typed {
		condition += " AND all(" + each + " IN relationships(" + path + ") WHERE " + each + ":" + s.relationship() + ")"
	}
	return condition
}

// onHit is the condition that a node or relationship of an index is not internal.
func (s Seal) onHit(variable, kind string) string {
	if kind == "node" {
		return variable + ":" + s.node()
	}
	ends := "[startNode(" + variable + "), endNode(" + variable + ")]"
	return variable + ":" + s.relationship() + " AND all(" + s.element() + " IN " + ends + " WHERE " + s.element() + ":" + s.node() + ")"
}

// edit replaces the bytes from start to end of a text.
type edit struct {
	start, end int
	text       string
}

// apply makes edits. Of two at one place the one that was made first stands first.
func apply(source string, edits []edit) string {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int { return a.start - b.start })
	var made strings.Builder
	at := 0
	for _, e := range sorted {
		made.WriteString(source[at:e.start])
		made.WriteString(e.text)
		at = e.end
	}
	made.WriteString(source[at:])
	return made.String()
}
