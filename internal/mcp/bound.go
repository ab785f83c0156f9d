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
	switch data := d.Data.(type) {
	case map[string]any:
		_, isTable := data["rows"]
		if _, isGraph := data["nodes"].([]any); isGraph && !isTable {
			return c.cutGraph(d, data)
		}
	case []any:
		return c.cutList(d, data, "a lower limit")
	}
	return c.shorten(d)
}

// list asks for a list. If its page does not fit, it asks once more for as many as fit, so that the cursor leads to the next one.
func (c *toolCall) list(ctx context.Context, r Request) (document, error) {
	d, err := c.ask(ctx, r)
	if err != nil {
		return d, err
	}
	all := asList(d.Data)
	if fits := c.countFitting(d, all); fits < len(all) && fits > 0 {
		asked := len(all)
		r.Query = maps.Clone(r.Query)
		r.Query.Set("limit", strconv.Itoa(fits))
		if d, err = c.ask(ctx, r); err != nil {
			return d, err
		}
		d.set("cut", map[string]any{
			"shown": fits, "of": asked, "why": "the answer would be larger than max_bytes",
			"go_on": "call again with cursor = meta.page.next_cursor; or select properties with fields, or set max_bytes",
		})
	}
	return c.finish(d), nil
}

// reserved is what meta.cut may take.
const reserved = 400

// countFitting returns how many of the first elements fit into the answer.
func (c *toolCall) countFitting(d document, all []any) int {
	left := c.maxBytes - jsonSize(document{Meta: d.Meta}) - reserved
	if jsonSize(all) <= left+reserved {
		return len(all)
	}
	for i, element := range all {
		if left -= jsonSize(element) + 1; left < 0 {
			return i
		}
	}
	return len(all)
}

// cutList keeps the first elements that fit, at least one, shortened.
func (c *toolCall) cutList(d document, all []any, advice string) document {
	fits := c.countFitting(d, all)
	if fits > 0 {
		d.Data = all[:fits]
		d.set("cut", map[string]any{"shown": fits, "of": len(all), "go_on": "call again with " + advice + ", or set max_bytes"})
		return d
	}
	d.Data = all[:min(1, len(all))]
	return c.shorten(d)
}

// cutGraph leaves out the properties of a graph and, if that is not enough, its last nodes with their edges and paths.
func (c *toolCall) cutGraph(d document, data map[string]any) document {
	nodes, edges, paths := asList(data["nodes"]), asList(data["edges"]), asList(data["paths"])
	cut := map[string]any{"properties": "left out", "go_on": "call get_node for the properties of one; or ask for less: edge_type, " +
		"node_type, depth, limit; or set max_bytes"}
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

// shorten cuts the longest texts and lists of an answer until it fits.
func (c *toolCall) shorten(d document) document {
	count := 0
	d.set("cut", map[string]any{
		"shortened": "long texts end in …, and long lists in how many elements were left out",
		"go_on":     "set max_bytes to read more of it",
	})
	for _, most := range []int{1000, 250, 60, 15, 3} {
		if d.Data = shortenValue(d.Data, most, &count); jsonSize(d) <= c.maxBytes {
			return d
		}
	}
	d.Data = map[string]any{"$omitted": "larger than max_bytes"}
	return d
}

// shortenValue cuts texts to a number of bytes, and lists and objects to a fifth as many members, at least three.
func shortenValue(value any, most int, count *int) any {
	members := max(most/5, 3)
	switch v := value.(type) {
	case string:
		if len(v) > most+3 {
			*count++
			end := most
			for end > 0 && !utf8.RuneStart(v[end]) {
				end--
			}
			return v[:end] + "…"
		}
	case []any:
		left := len(v) - members
		if left > 1 {
			*count++
			v = append(slices.Clone(v[:members]), map[string]any{"$omitted": strconv.Itoa(left) + " elements"})
		}
		for i := range v {
			v[i] = shortenValue(v[i], most, count)
		}
		return v
	case map[string]any:
		if v["$type"] != nil || v["$omitted"] != nil {
			return v
		}
		return shortenObject(v, most, members, count)
	}
	return value
}

// identifying members are never left out or shortened.
var identifying = []string{"id", "type", "labels", "source_id", "target_id"}

func shortenObject(v map[string]any, most, members int, count *int) any {
	kept := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch {
		case slices.Contains(identifying, name):
			kept[name] = v[name]
		case len(kept) < members+len(identifying):
			kept[name] = shortenValue(v[name], most, count)
		}
	}
	if left := len(v) - len(kept); left > 0 {
		*count++
		kept["$omitted"] = strconv.Itoa(left) + " members"
	}
	return kept
}
