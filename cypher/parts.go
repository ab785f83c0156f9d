package cypher

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// parts are the fragments that statements include as {{>name}}, by name. A comment in the file, or the README of its folder, describes
// each.
var parts = map[string]string{
	"audit":                "audit/audit.part",
	"internal_labels":      "graph/internal_labels.part",
	"visible_node":         "graph/visible_node.part",
	"visible_labels":       "graph/visible_labels.part",
	"visible_type":         "graph/visible_type.part",
	"visible_edge":         "graph/visible_edge.part",
	"visible_scanned_edge": "graph/visible_scanned_edge.part",
	"edge_end_ids":         "graph/edge_end_ids.part",
	"internal_end":         "graph/internal_end.part",
	"source_and_target":    "graph/source_and_target.part",
	"sorted_page":          "graph/sorted_page.part",
	"around_page":          "graph/around_page.part",
	"scanned_edges":        "graph/scanned_edges.part",
	"indexed_edges":        "graph/indexed_edges.part",
	"scanned_nodes":        "graph/scanned_nodes.part",
	"indexed_nodes":        "graph/indexed_nodes.part",
	"found_nodes":          "graph/found_nodes.part",
	"found_edges":          "graph/found_edges.part",
	"node_change":          "journal/node_change.part",
	"edge_change":          "journal/edge_change.part",
	"removed_edges":        "journal/removed_edges.part",
	"record_bytes":         "journal/record_bytes.part",
	"own_record":           "journal/own_record.part",
}

var partPattern = regexp.MustCompile(`\{\{(?:>([a-z_]+)(?: ([^{}]+))?|variable)\}\}`)

// includeParts replaces each {{>name}} by the text of the part, and in the text of {{>name x}} each {{variable}} by x, a variable or an
// expression. Parts may include others. included are all of them as they are written, without the braces. An unknown name panics.
func includeParts(text string) (expanded string, included []string) { return expand(text, "") }

func expand(text, variable string) (expanded string, included []string) {
	expanded = partPattern.ReplaceAllStringFunc(text, func(found string) string {
		names := partPattern.FindStringSubmatch(found)
		if names[1] == "" {
			return cmp.Or(variable, found)
		}
		raw, err := files.ReadFile(parts[names[1]])
		if err != nil {
			panic(fmt.Sprintf("cypher: %s: %v", found, err))
		}
		text, inner := expand(withoutComments(string(raw)), names[2])
		included = append(append(included, strings.Trim(found, "{>}")), inner...)
		return text
	})
	return expanded, included
}

func withoutComments(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "//") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
