package mcp

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"
)

// finish returns a document within the size of the call. What does not fit is cut, and meta.cut says what and how to go on.
func (c *toolCall) finish(d document) document {
	if jsonSize(d) <= c.maxBytes {
		return d
	}
	if data, is := d.Data.(map[string]any); is {
		_, isTable := data["rows"]
		if _, isGraph := data["nodes"].([]any); isGraph && !isTable {
			return c.cutGraph(d, data)
		}
	}
	return c.shorten(d)
}

// list asks for a list. As long as its page does not fit, it asks again for as many as fit, at least one, so that the cursor leads to the
// next one.
func (c *toolCall) list(ctx context.Context, r Request) (document, error) {
	for asked := 0; ; {
		d, err := c.ask(ctx, r)
		if err != nil {
			return d, err
		}
		all := asList(d.Data)
		if asked = max(asked, len(all)); len(all) < asked {
			d.set("cut", map[string]any{
				"shown": len(all), "of": asked, "why": "the answer would be larger than max_bytes",
				"go_on": "call again with cursor = meta.page.next_cursor; or select properties with fields, or set max_bytes",
			})
		}
		fits := max(c.countFitting(document{Meta: d.Meta}, all), 1)
		if fits >= len(all) {
			return c.finish(d), nil
		}
		r.Query = maps.Clone(r.Query)
		r.Query.Set("limit", strconv.Itoa(fits))
	}
}

// reserved is what meta.cut may take.
const reserved = 400

// countFitting returns how many of the first elements fit into the answer beside the rest of it.
func (c *toolCall) countFitting(rest document, all []any) int {
	left := c.maxBytes - jsonSize(rest)
	if jsonSize(all) <= left {
		return len(all)
	}
	left -= reserved
	for i, element := range all {
		if left -= jsonSize(element) + 1; left < 0 {
			return i
		}
	}
	return len(all)
}

// cutGraph leaves out the properties of a graph and, if that is not enough, its last nodes with their edges and paths.
func (c *toolCall) cutGraph(d document, data map[string]any) document {
	nodes, edges, paths := asList(data["nodes"]), asList(data["edges"]), asList(data["paths"])
	cut := map[string]any{"properties": "left out", "go_on": "call get_node for the properties of one; or ask for less: edge_type, " +
		"node_type, depth, limit; list_edges with node_id reads all edges of a node, page by page; or set max_bytes"}
	for _, entities := range [][]any{nodes, edges} {
		for _, entity := range entities {
			if fields, is := entity.(map[string]any); is {
				delete(fields, "properties")
			}
		}
	}
	d.set("cut", cut)
	if jsonSize(d) <= c.maxBytes {
		return d
	}
	fits := sort.Search(len(nodes), func(n int) bool {
		return jsonSize(graphOf(data, nodes[:n+1], edges, paths)) > c.maxBytes-reserved-jsonSize(d.Meta)
	})
	cut["nodes"] = map[string]any{"shown": fits, "of": len(nodes)}
	kept := graphOf(data, nodes[:fits], edges, paths)
	cut["edges"] = map[string]any{"shown": len(asList(kept["edges"])), "of": len(edges)}
	kept["truncated"] = true
	d.Data = kept
	return d
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

// graphOf is a graph with the first nodes only, the edges between them, and the paths through them.
func graphOf(data map[string]any, nodes, edges, paths []any) map[string]any {
	graph := maps.Clone(data)
	known := map[any]bool{}
	for _, node := range nodes {
		if fields, is := node.(map[string]any); is {
			known[fields["id"]] = true
		}
	}
	between, through := []any{}, []any{}
	for _, edge := range edges {
		if fields, is := edge.(map[string]any); is && known[fields["source_id"]] && known[fields["target_id"]] {
			between = append(between, edge)
			known[fields["id"]] = true
		}
	}
	for _, path := range paths {
		if !slices.ContainsFunc(asList(path), func(id any) bool { return !known[id] }) {
			through = append(through, path)
		}
	}
	graph["nodes"], graph["edges"] = nodes, between
	if _, given := data["paths"]; given {
		graph["paths"] = through
	}
	return graph
}

// shorten cuts the longest texts and lists of an answer until it fits. How to go on to what follows stays in meta.cut.
func (c *toolCall) shorten(d document) document {
	cut, given := d.Meta["cut"].(map[string]any)
	if !given {
		cut = map[string]any{"go_on": "set max_bytes to read more of it"}
	}
	cut["shortened"] = "long texts end in …, and long lists in how many elements were left out"
	d.set("cut", cut)
	whole := d.Data
	for _, most := range []int{1000, 250, 60, 15, 3} {
		if d.Data = shortenValue(whole, most); jsonSize(d) <= c.maxBytes {
			return d
		}
	}
	var omitted any = map[string]any{"$omitted": "larger than max_bytes"}
	if _, isList := whole.([]any); isList {
		omitted = []any{omitted}
	}
	d.Data = omitted
	return d
}

// shortenValue returns a value with texts cut to a number of bytes, and lists and objects to a fifth as many members, at least three.
func shortenValue(value any, most int) any {
	members := max(most/5, 3)
	switch v := value.(type) {
	case string:
		return shortenText(v, most)
	case []any:
		kept := v
		if len(v) > members+1 {
			kept = v[:members]
		}
		short := make([]any, len(kept), len(kept)+1)
		for i := range kept {
			short[i] = shortenValue(kept[i], most)
		}
		if left := len(v) - len(kept); left > 0 {
			short = append(short, map[string]any{"$omitted": strconv.Itoa(left) + " elements"})
		}
		return short
	case map[string]any:
		text, isText := v["_value"].(string)
		switch {
		case isText && len(v) == 2 && v["$type"] != nil && len(text) > most+60: // a cut one would be another value
			return map[string]any{"$type": v["$type"], "$omitted": strconv.Itoa(len(text)) + " bytes"}
		case isText && len(v) == 2 && v["$type"] != nil, len(v) == 1 && v["$omitted"] != nil:
			return v
		}
		return shortenObject(v, most, members)
	}
	return value
}

// shortenText cuts a text to a number of bytes.
func shortenText(text string, most int) string {
	if len(text) <= most+3 {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// identifying members are never left out or shortened.
var identifying = []string{"id", "type", "labels", "source_id", "target_id"}

func shortenObject(v map[string]any, most, members int) any {
	kept := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch {
		case slices.Contains(identifying, name):
			kept[name] = v[name]
		case len(kept) < members+len(identifying):
			kept[name] = shortenValue(v[name], most)
		}
	}
	if left := len(v) - len(kept); left > 0 {
		kept["$omitted"] = strconv.Itoa(left) + " members"
	}
	return kept
}
