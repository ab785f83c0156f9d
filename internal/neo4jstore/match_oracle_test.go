package neo4jstore_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphrest/internal/answer"
	"graphrest/internal/graph"
	"graphrest/internal/pattern"
)

// matchOracle answers questions over several hops by trying every node and edge that a view shows.
type matchOracle struct {
	nodes map[string]graph.Node // what is shown of the visible ones
	edges map[string]graph.Edge
	out   map[string][]string // the edges of a node
	in    map[string][]string
}

func newMatchOracle(vg *viewedGraph) *matchOracle {
	o := &matchOracle{nodes: map[string]graph.Node{}, edges: map[string]graph.Edge{}, out: map[string][]string{}, in: map[string][]string{}}
	for id := range vg.nodes {
		if n, seen := vg.node(id); seen {
			o.nodes[id] = n
		}
	}
	for id := range vg.edges {
		if e, seen := vg.edge(id); seen {
			o.edges[id] = e
			o.out[e.SourceID] = append(o.out[e.SourceID], id)
			o.in[e.TargetID] = append(o.in[e.TargetID], id)
		}
	}
	return o
}

// binding is the ids of nodes and edges by name.
type binding map[string]string

// bindings are the rows of a question.
func (o *matchOracle) bindings(q *pattern.Question) []binding {
	rows := []binding{{}}
	for _, chain := range q.Match {
		distinct := map[string]binding{}
		for _, row := range rows {
			o.walk(chain, row, func(found binding) bool {
				distinct[fmt.Sprint(found)] = found
				return true
			})
		}
		rows = slices.Collect(maps.Values(distinct))
	}
	return slices.DeleteFunc(rows, func(row binding) bool {
		return slices.ContainsFunc(q.Without, func(chain pattern.Chain) bool {
			exists := false
			o.walk(chain, row, func(binding) bool {
				exists = true
				return false
			})
			return exists
		})
	})
}

// walk passes each way to bind the names of a chain, besides those that are bound, to each, until it returns false.
func (o *matchOracle) walk(chain pattern.Chain, bound binding, each func(binding) bool) {
	w := &chainWalk{o: o, chain: chain, used: map[string]bool{}, each: each}
	for id := range o.nodes {
		if !w.node(0, id, bound) {
			return
		}
	}
}

type chainWalk struct {
	o     *matchOracle
	chain pattern.Chain
	used  map[string]bool // edges
	each  func(binding) bool
}

// node binds a node of the chain and goes on; false to stop.
func (w *chainWalk) node(i int, id string, bound binding) bool {
	n, shown := w.chain.Nodes[i], w.o.nodes[id]
	if at, isBound := bound[n.As]; n.As != "" && isBound && at != id {
		return true
	}
	if n.Type != "" && !slices.Contains(shown.Labels, string(n.Type)) || n.ID != "" && n.ID != id ||
		n.IDs != nil && !slices.Contains(n.IDs, id) || !meetsAll(n.Filter, shown.Properties) {
		return true
	}
	if n.As != "" {
		bound = maps.Clone(bound)
		bound[n.As] = id
	}
	if i == len(w.chain.Hops) {
		return w.each(bound)
	}
	return w.hop(i, id, 0, bound)
}

// hop follows a hop of which steps edges were followed.
func (w *chainWalk) hop(i int, from string, steps int, bound binding) bool {
	h := w.chain.Hops[i]
	if steps >= h.Min && !w.node(i+1, from, bound) {
		return false
	}
	if steps == h.Max {
		return true
	}
	follow := func(id, to string) bool {
		e := w.o.edges[id]
		if w.used[id] || len(h.Types) > 0 && !slices.Contains(h.Types, graph.TypeName(e.Type)) || !meetsAll(h.Filter, e.Properties) {
			return true
		}
		now := bound
		if h.As != "" {
			now = maps.Clone(bound)
			now[h.As] = id
		}
		w.used[id] = true
		defer delete(w.used, id)
		return w.hop(i, to, steps+1, now)
	}
	if h.Direction != graph.In {
		for _, id := range w.o.out[from] {
			if !follow(id, w.o.edges[id].TargetID) {
				return false
			}
		}
	}
	if h.Direction != graph.Out {
		for _, id := range w.o.in[from] {
			loop := w.o.edges[id].SourceID == from && h.Direction == graph.Both // followed already
			if !loop && !follow(id, w.o.edges[id].SourceID) {
				return false
			}
		}
	}
	return true
}

func meetsAll(f graph.Filter, p graph.Properties) bool {
	return !slices.ContainsFunc(f, func(c graph.Condition) bool { return !c.IsMetBy(p[c.Property]) })
}

// value is what a reference stands for in a row.
func (o *matchOracle) value(ref pattern.Ref, row binding) answer.Cell {
	id := row[ref.Text]
	switch {
	case ref.Property == "" && ref.Kind == graph.NodeKind:
		return answer.NodeID(id)
	case ref.Property == "":
		return answer.EdgeID(id)
	case ref.Kind == graph.NodeKind:
		return o.nodes[id].Properties[ref.Property]
	default:
		return o.edges[id].Properties[ref.Property]
	}
}

// answer is the whole answer in its order; ordered is false if the question leaves it open.
func (o *matchOracle) answer(q *pattern.Question) (rows []answer.Row, ordered bool) {
	found := o.bindings(q)
	var keys [][]orderedKey
	if q.Grouped {
		rows, keys = o.groups(q, found)
	} else {
		for _, row := range found {
			cells := make(answer.Row, len(q.Columns))
			for i, ref := range q.Columns {
				cells[i] = o.value(ref, row)
			}
			var key []orderedKey
			for _, k := range q.Sort {
				key = append(key, orderedKey{o.value(k.Ref, row), k.Descending})
			}
			for _, name := range q.Names {
				key = append(key, orderedKey{o.value(pattern.Ref{Name: name}, row), false})
			}
			rows, keys = append(rows, cells), append(keys, key)
		}
	}
	if len(q.Sort) == 0 {
		return rows, false
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		for i, key := range keys[a] {
			if c := compareKeys(key, keys[b][i]); c != 0 {
				return c
			}
		}
		return 0
	})
	sorted := make([]answer.Row, len(rows))
	for i, at := range order {
		sorted[i] = rows[at]
	}
	return sorted, true
}

type orderedKey struct {
	value      answer.Cell
	descending bool
}

func compareKeys(a, b orderedKey) int {
	if aNull, bNull := a.value == nil, b.value == nil; aNull || bNull {
		return cmp.Compare(boolean(aNull), boolean(bNull))
	}
	aID, aIsEntity := idOfCell(a.value)
	bID, _ := idOfCell(b.value)
	own := func(id string) int {
		return boolean(!graph.IsElementID(graph.NodeKind, id) && !graph.IsElementID(graph.EdgeKind, id))
	}
	if aIsEntity && own(aID) != own(bID) {
		return own(bID) - own(aID) // those without their own ids are last, in either direction
	}
	c := compareCells(a.value, b.value)
	if a.descending {
		return -c
	}
	return c
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func idOfCell(c answer.Cell) (id string, isEntity bool) {
	switch c := c.(type) {
	case answer.NodeID:
		return string(c), true
	case answer.EdgeID:
		return string(c), true
	}
	return "", false
}

// compareCells compares values in Neo4j's order: lists, texts, booleans, numbers.
func compareCells(a, b answer.Cell) int {
	if id, isEntity := idOfCell(a); isEntity {
		other, _ := idOfCell(b)
		return compareIDs(id, other)
	}
	if c := cmp.Compare(rankOf(a), rankOf(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case bool:
		return boolean(a) - boolean(b.(bool))
	case []any:
		list := b.([]any)
		for i := range min(len(a), len(list)) {
			if c := compareCells(a[i], list[i]); c != 0 {
				return c
			}
		}
		return len(a) - len(list)
	}
	x, _ := numeric(a)
	y, _ := numeric(b)
	return cmp.Compare(x, y)
}

func compareIDs(a, b string) int {
	number := func(id string) (int64, bool) {
		if !graph.IsElementID(graph.NodeKind, id) && !graph.IsElementID(graph.EdgeKind, id) {
			return 0, false
		}
		n, err := strconv.ParseInt(id[strings.LastIndexByte(id, ':')+1:], 10, 64)
		return n, err == nil
	}
	x, isElement := number(a)
	if y, both := number(b); isElement && both {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

func rankOf(v answer.Cell) int {
	switch v.(type) {
	case []any:
		return 0
	case string:
		return 1
	case bool:
		return 2
	default:
		return 3
	}
}

// groups are the groups of rows, with the keys of their order.
func (o *matchOracle) groups(q *pattern.Question, found []binding) (rows []answer.Row, keys [][]orderedKey) {
	members := map[string][]binding{}
	for _, row := range found {
		var key strings.Builder
		for _, ref := range q.GroupBy {
			fmt.Fprintf(&key, "%q", groupText(o.value(ref, row)))
		}
		members[key.String()] = append(members[key.String()], row)
	}
	if len(q.GroupBy) == 0 && len(members) == 0 {
		members[""] = nil
	}
	for _, group := range members {
		var row answer.Row
		for _, ref := range q.GroupBy {
			row = append(row, o.value(ref, group[0]))
		}
		for _, m := range q.Measures {
			row = append(row, o.measure(m, group))
		}
		var key []orderedKey
		for _, k := range q.Sort {
			key = append(key, orderedKey{row[k.Column], k.Descending})
		}
		for _, cell := range row[:len(q.GroupBy)] {
			key = append(key, orderedKey{cell, false})
		}
		rows, keys = append(rows, row), append(keys, key)
	}
	return rows, keys
}

func (o *matchOracle) measure(m pattern.Measure, group []binding) answer.Cell {
	if m.Of == nil {
		return int64(len(group))
	}
	distinct := map[string]bool{}
	var least, most answer.Cell
	integers, total, numbers := int64(0), 0.0, 0
	isFloat := false
	for _, row := range group {
		v := o.value(*m.Of, row)
		if v == nil {
			continue
		}
		distinct[groupText(v)] = true
		if least == nil || compareCells(v, least) < 0 {
			least = v
		}
		if most == nil || compareCells(v, most) > 0 {
			most = v
		}
		if n, isNumber := numeric(v); isNumber {
			numbers, total = numbers+1, total+n
			whole, isInteger := v.(int64)
			integers, isFloat = integers+whole, isFloat || !isInteger
		}
	}
	switch m.Op {
	case pattern.Count:
		return int64(len(distinct))
	case pattern.Min:
		return least
	case pattern.Max:
		return most
	case pattern.Mean:
		if numbers == 0 {
			return nil
		}
		return total / float64(numbers)
	default:
		if isFloat {
			return total
		}
		return integers
	}
}

// groupText is the same text for values of one group.
func groupText(v answer.Cell) string {
	if n, isNumber := numeric(v); isNumber {
		return fmt.Sprintf("number %v", n)
	}
	if list, isList := v.([]any); isList {
		texts := make([]string, len(list))
		for i, e := range list {
			texts[i] = groupText(e)
		}
		return fmt.Sprintf("list %q", texts)
	}
	return fmt.Sprintf("%T %v", v, v)
}
