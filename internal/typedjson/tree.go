package typedjson

import (
	"maps"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// A tree is any JSON document, such as a JSON Schema: nil, bool, int64, float64, string, []any and map[string]any. As in property
// values, a number written with a fraction or an exponent is a float64, and every other one an int64.

// ParseTree parses the text of any JSON value. The fault names paths below the field, which is empty for a whole body.
func ParseTree(field, text string) (any, *fault.Error) {
	var d document
	if f := d.parse(field, text); f != nil {
		return nil, f
	}
	details := d.problems
	tree := d.tree(0, field, &details)
	if len(details) > 0 {
		return nil, fault.New(fault.Validation, "Invalid input", details[:min(len(details), fault.MaxDetails)]...)
	}
	return tree, nil
}

// Tree reads a member of any type; given is false if it is absent or null.
func (o *Object) Tree(name string) (tree any, given bool) {
	i, given := o.given(name)
	if !given {
		return nil, false
	}
	return o.tree(i, name, &o.details), true
}

// tree decodes a token and all its content, and reports problems.
func (d *document) tree(i int, path string, faults *[]fault.Detail) any {
	switch d.tokens[i].kind {
	case tokenTrue:
		return true
	case tokenFalse:
		return false
	case tokenString:
		return strings.Clone(d.text(i))
	case tokenNumber:
		v, reason := d.number(i)
		if reason != "" {
			addDetail(faults, path, reason)
		}
		return v
	case tokenArray:
		list := make([]any, 0, d.tokens[i].end)
		for n, e := range d.elements(i) {
			list = append(list, d.tree(e, elementPath(path, n), faults))
		}
		return list
	case tokenObject:
		members := make(map[string]any, d.tokens[i].end)
		for key, value := range d.members(i) {
			members[strings.Clone(key)] = d.tree(value, graph.FieldPath(path, key), faults)
		}
		return members
	}
	return nil
}

// AppendTree appends a tree's JSON, the members of each object in byte order. A float keeps its fraction.
func AppendTree(dst []byte, tree any) []byte {
	switch tree := tree.(type) {
	case []any:
		dst = append(dst, '[')
		for i, e := range tree {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendTree(dst, e)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for i, key := range slices.Sorted(maps.Keys(tree)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, key), ':')
			dst = AppendTree(dst, tree[key])
		}
		return append(dst, '}')
	}
	return AppendValue(dst, tree)
}
