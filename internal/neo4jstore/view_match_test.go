package neo4jstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/answer"
	"graphrest/internal/graph"
	"graphrest/internal/pattern"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
	"graphrest/internal/typedjson"
)

// TestMatchesShowWhatAViewAllows compares the answers of generated questions over several hops with those of an evaluation by trying every
// node and edge that the view shows; one view in four shows everything.
func TestMatchesShowWhatAViewAllows(t *testing.T) {
	testmark.Long(t)
	compareMatches(t)
}

// TestQuestionsOverHopsAreAnswered is the daily part of TestMatchesShowWhatAViewAllows: the questions of few chains.
func TestQuestionsOverHopsAreAnswered(t *testing.T) {
	vg := newViewedGraph(t)
	for _, question := range dailyQuestions {
		for _, view := range []*rules.View{nil, dailyView(t)} {
			vg.view = view
			vg.compareMatch(rules.WithView(t.Context(), view), t, question)
		}
	}
}

// dailyView hides a property from some nodes, and nodes and edges by conditions.
func dailyView(t *testing.T) *rules.View {
	grants, f := rules.ParseGrants("grants", `[
		{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"gte":1}},"hidden":["owner"]},
		{"kind":"node","type":"Staff","actions":["read"]}, {"kind":"node","type":"City","actions":["read"]},
		{"kind":"edge","type":"*","actions":["read"],"where":{"level":{"lt":4}},"hidden":["note"]}]`)
	require.Nil(t, f)
	return rules.NewView(rules.User{Name: "ann"}, nil, []rules.Role{{Name: "r", Grants: grants}})
}

var dailyQuestions = []string{
	`{"match":[[{"as":"a","type":"Person"},{"as":"r","edge":"KNOWS"},{"as":"b"}]],"sort":["-a.level","r"]}`,
	`{"match":[[{"as":"a","type":"Person","filter":{"owner":{"exists":false}}},{"edge":["KNOWS","ROAD"],"direction":"both","hops":[1,3]},
		{"as":"b","type":"City"}]],"columns":["a.name","b","b.uuid"]}`,
	`{"match":[[{"as":"a","type":"Person"},{"as":"r"},{"as":"b"}],[{"as":"b"},{"direction":"in"},{"type":"Person"}]],
		"without":[[{"as":"a"},{"edge":"ROAD"},{"type":"City"}]],"columns":["r","a.owner","b.level"],"sort":["b.level","a.owner"]}`,
	`{"match":[[{"as":"a","type":"Staff"},{"as":"r"},{"as":"b"}]],"group_by":["b.level"],
		"measures":[{"op":"count"},{"op":"count","of":"a"},{"op":"sum","of":"a.level"},{"op":"mean","of":"r.level"},
		{"op":"min","of":"b.name"},{"op":"max","of":"b.level","as":"most"}],"sort":["-count","b.level"]}`,
	`{"match":[[{"as":"a","type":"Person"},{"edge":"KNOWS"},{"as":"b"}]],"group_by":["b","a.owner"],"measures":[{"op":"count"}],
		"sort":["-a.owner","b"]}`,
	`{"match":[[{"as":"a","type":"Person"},{"edge":"UNUSED"},{"as":"b"}]],"measures":[{"op":"count"}]}`,
	`{"match":[[{"as":"a","type":"Person"}]],"without":[[{"as":"a"},{"edge":"UNUSED"},{}],[{"as":"a"},{"edge":"ROAD"},{"type":"Unused"}]],
		"columns":["a.name"]}`,
	`{"match":[[{"as":"a","type":"Person","filter":{"level":{"gt":77}}}]],"measures":[{"op":"count"},{"op":"sum","of":"a.level"},
		{"op":"mean","of":"a.level"}]}`,
}

// variants is how often a drawn question is asked, each time with other literals, ids and limits. Planning takes nearly all of the time of
// a question, and the database plans a text once.
const variants = 10

func compareMatches(t *testing.T) {
	t.Helper()
	// planning waits for the processor too
	vg := newViewedGraphWith(t, func(c *settings) { c.client.QueryTimeout = 5 * time.Minute })
	asked, shapes := 0, 0
	checkRules(t, func(r *rapid.T) {
		if shapes++; shapes%25 == 1 { // the plans of hundreds of questions fill the heap of a test's database
			vg.db.Exec(t, "CALL db.clearQueryCaches()", nil)
		}
		vg.view = nil
		var view *rules.Role
		if rapid.IntRange(0, 3).Draw(r, "limited") > 0 {
			view = drawRole(r)
		}
		question := drawQuestion(r, sortedIDs(vg.nodes))
		for range variants {
			if view != nil {
				vg.view = viewOf(*view)
			}
			text, err := json.Marshal(question)
			require.NoError(r, err)
			if vg.compareMatch(rules.WithView(t.Context(), vg.view), r, string(text)) {
				asked++
			}
			varyQuestion(r, question, sortedIDs(vg.nodes))
			varyRole(r, view)
		}
	})
	t.Logf("%d questions were answered as by the oracle", asked)
}

// testingT is a test, generated or not.
type testingT interface {
	require.TestingT
	Helper()
}

// compareMatch asks a question page by page and compares the answer with that of the oracle; false for an invalid question.
func (vg *viewedGraph) compareMatch(ctx context.Context, t testingT, text string) (asked bool) {
	t.Helper()
	tree, f := typedjson.ParseTree("", text)
	require.Nil(t, f, text)
	q, f := pattern.Parse("", tree, nil)
	if f != nil { // the drawn chains may lack what anchors them
		require.Contains(t, f.Details[0].Message, "a type or an id", text)
		return false
	}
	oracle := newMatchOracle(vg)
	want, ordered := oracle.answer(q)
	q.Limit = max(q.Limit, len(want)/maxPages)
	var got []answer.Row
	for {
		page, err := vg.store.Matches.Match(ctx, q)
		require.NoError(t, err, "%s %s", text, chainOf(err))
		requireEntities(t, oracle, page, text)
		got = append(got, page.Rows...)
		require.LessOrEqual(t, len(page.Rows), q.Limit, text)
		if !page.Meta.Page.HasMore || q.Offset+q.Limit > pattern.MaxOffset {
			break
		}
		q.Offset += q.Limit
	}
	wanted, found := rowTexts(want, q), rowTexts(got, q)
	if !ordered {
		slices.Sort(wanted)
		slices.Sort(found)
	}
	require.Equal(t, wanted, found, text)
	return true
}

// maxPages bounds how many pages of an answer are read, for time.
const maxPages = 10

// rowTexts are the rows as text. In groups, numbers of different types may be one value.
func rowTexts(rows []answer.Row, q *pattern.Question) []string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			if j < len(q.GroupBy) {
				texts[i] += groupText(cell) + " | "
				continue
			}
			if m := j - len(q.GroupBy); q.Grouped && (q.Measures[m].Op == pattern.Min || q.Measures[m].Op == pattern.Max) {
				texts[i] += groupText(cell) + " | "
				continue
			}
			texts[i] += fmt.Sprintf("%T %v | ", cell, cell)
		}
	}
	return texts
}

// requireEntities requires that an answer has exactly the nodes and edges of its cells, as the view shows them.
func requireEntities(t testingT, o *matchOracle, a *answer.Answer, text string) {
	t.Helper()
	nodes, edges := map[string]graph.Node{}, map[string]graph.Edge{}
	for _, row := range a.Rows {
		for _, cell := range row {
			switch id := cell.(type) {
			case answer.NodeID:
				nodes[string(id)] = o.nodes[string(id)]
			case answer.EdgeID:
				edges[string(id)] = o.edges[string(id)]
			}
		}
	}
	require.Len(t, a.Nodes, len(nodes), text)
	require.Len(t, a.Edges, len(edges), text)
	for _, n := range a.Nodes {
		require.Equal(t, nodes[n.ID], n, text)
	}
	for _, e := range a.Edges {
		require.Equal(t, edges[e.ID], e, text)
	}
}

type object = map[string]any

// drawQuestion draws a question of which every chain begins with a named node that has a type or an id.
func drawQuestion(r *rapid.T, ids []string) object {
	d := &questionDrawer{r: r, ids: ids}
	q := object{"match": d.chains("match", 1, 2)}
	if rapid.IntRange(0, 2).Draw(r, "without") == 0 {
		d.without = true
		q["without"] = d.chains("without", 1, 2)
	}
	refs := func(label string, most int) []string {
		var list []string
		for range rapid.IntRange(1, most).Draw(r, label) {
			if ref := d.ref(); !slices.Contains(list, ref) {
				list = append(list, ref)
			}
		}
		return list
	}
	switch rapid.IntRange(0, 3).Draw(r, "answered") {
	case 0:
	case 1:
		q["columns"] = refs("columns", 4)
	case 2:
		q["group_by"] = refs("groups", 2)
		q["measures"] = d.measures()
	default:
		q["measures"] = d.measures()
	}
	d.sort(q)
	if rapid.Bool().Draw(r, "limited page") {
		q["limit"] = rapid.SampledFrom([]int{7, 50, 1000}).Draw(r, "limit")
	} else {
		q["limit"] = 1000
	}
	return q
}

type questionDrawer struct {
	r       *rapid.T
	ids     []string
	names   []string // of nodes
	edges   []string
	without bool
	own     int
}

func (d *questionDrawer) chains(label string, least, most int) []any {
	var chains []any
	for range rapid.IntRange(least, most).Draw(d.r, label) {
		chains = append(chains, d.chain())
	}
	return chains
}

func (d *questionDrawer) chain() []any {
	first := d.node()
	if len(d.names) > 0 && (d.without || first["as"] == nil || !slices.Contains(d.names, first["as"].(string))) {
		first["as"] = rapid.SampledFrom(d.names).Draw(d.r, "shared")
	} else if first["as"] == nil {
		first["as"] = "a"
	}
	d.named(first)
	if len(d.names) == 1 && first["type"] == nil && first["id"] == nil && !d.without {
		first["type"] = "Person"
	}
	chain := []any{first}
	for range rapid.SampledFrom([]int{0, 1, 1, 1, 2, 2, 3}).Draw(d.r, "hops") {
		chain = append(chain, d.hop())
		n := d.node()
		d.named(n)
		chain = append(chain, n)
	}
	return chain
}

func (d *questionDrawer) named(n object) {
	if name, has := n["as"].(string); has && !d.without && !slices.Contains(d.names, name) {
		d.names = append(d.names, name)
	}
}

func (d *questionDrawer) node() object {
	n := object{}
	if rapid.IntRange(0, 2).Draw(d.r, "named") > 0 {
		n["as"] = rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(d.r, "name")
	}
	if rapid.Bool().Draw(d.r, "typed") {
		n["type"] = rapid.SampledFrom([]string{"Person", "Person", "Staff", "City", "Unused"}).Draw(d.r, "type")
	}
	if rapid.IntRange(0, 11).Draw(d.r, "identified") == 0 {
		n["id"] = rapid.SampledFrom(d.ids).Draw(d.r, "id")
	} else if rapid.IntRange(0, 7).Draw(d.r, "one of several") == 0 {
		n["id"] = rapid.SliceOfN(rapid.SampledFrom(append(d.ids, "no such node")), 1, 8).Draw(d.r, "ids")
	}
	d.filter(n)
	return n
}

func (d *questionDrawer) filter(of object) {
	if rapid.IntRange(0, 2).Draw(d.r, "filtered") > 0 {
		return
	}
	of["filter"] = rapid.SampledFrom([]object{
		{"level": object{"gte": 1}},
		{"level": object{"lt": 3, "gt": 0}},
		{"level": object{"in": []any{1, "x", json.Number("2.0")}}},
		{"owner": object{"exists": false}},
		{"owner": object{"eq": "ann"}},
		{"owner": object{"ne": "bob"}},
		{"name": object{"contains": "1"}},
		{"absent": object{"exists": false}},
		{"uuid": object{"exists": true}},
		{"tags": object{"has": "a"}},
		{"note": object{"icontains": "R1"}},
	}).Draw(d.r, "filter")
}

func (d *questionDrawer) hop() object {
	h := object{}
	if typ := rapid.SampledFrom([]any{nil, "KNOWS", "ROAD", []any{"KNOWS", "ROAD"}, "UNUSED"}).Draw(d.r, "edge"); typ != nil {
		h["edge"] = typ
	}
	if direction := rapid.SampledFrom([]string{"", "in", "both", "out"}).Draw(d.r, "direction"); direction != "" {
		h["direction"] = direction
	}
	switch rapid.IntRange(0, 3).Draw(d.r, "form") {
	case 0:
		name := fmt.Sprintf("e%d", d.own)
		d.own++
		h["as"] = name
		if !d.without {
			d.edges = append(d.edges, name)
		}
	case 1:
		h["hops"] = rapid.SampledFrom([]any{[]int{1, 1}, []int{1, 2}, []int{2, 2}, []int{1, 3}}).Draw(d.r, "steps")
	}
	d.filter(h)
	return h
}

func (d *questionDrawer) ref() string {
	name := rapid.SampledFrom(slices.Concat(d.names, d.edges)).Draw(d.r, "of")
	return name + rapid.SampledFrom([]string{"", ".level", ".owner", ".name", ".tags", ".uuid", ".absent", ".note"}).Draw(d.r, "value")
}

func (d *questionDrawer) measures() []any {
	measures := []any{object{"op": "count"}}
	for i := range rapid.IntRange(0, 3).Draw(d.r, "measures") {
		m := object{"op": rapid.SampledFrom([]string{"count", "sum", "mean", "min", "max"}).Draw(d.r, "op"), "as": fmt.Sprintf("m%d", i)}
		of := d.ref()
		for m["op"] != "count" && !slices.Contains([]byte(of), '.') {
			of += ".level"
		}
		m["of"] = of
		measures = append(measures, m)
	}
	return measures
}

func (d *questionDrawer) sort(q object) {
	columns, grouped := []string{}, q["measures"] != nil
	if groups, has := q["group_by"].([]string); has {
		columns = append(columns, groups...)
	}
	if grouped {
		columns = append(columns, "count")
	}
	var keys []string
	for range rapid.IntRange(0, 2).Draw(d.r, "sort") {
		var key string
		if grouped {
			key = rapid.SampledFrom(columns).Draw(d.r, "column")
		} else {
			key = d.ref()
		}
		if !slices.Contains(keys, key) && !slices.Contains(keys, "-"+key) {
			keys = append(keys, rapid.SampledFrom([]string{"", "-"}).Draw(d.r, "order")+key)
		}
	}
	if len(keys) > 0 {
		q["sort"] = keys
	}
}
