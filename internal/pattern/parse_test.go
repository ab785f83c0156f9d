package pattern_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/pattern"
	"graphrest/internal/typedjson"
)

func parse(t *testing.T, text string) (*pattern.Question, *fault.Error) {
	t.Helper()
	tree, f := typedjson.ParseTree("", text)
	if f != nil {
		return nil, f
	}
	return pattern.Parse("", tree, nil)
}

// TestMistakesAreNamedByTheirPlace has one mistake in each question.
func TestMistakesAreNamedByTheirPlace(t *testing.T) {
	for _, row := range []struct{ place, question string }{
		{"body", `[]`},
		{"match", `{}`},
		{"match", `{"match":[]}`},
		{"match", `{"match":{}}`},
		{"match", `{"match":[[{"type":"P"}]]}`},
		{"match", `{"match":[[{"as":"a","type":"P"}],[{"as":"a"}],[{"as":"a"}],[{"as":"a"}],[{"as":"a"}]]}`},
		{"match[0]", `{"match":[{}]}`},
		{"match[0]", `{"match":[[]]}`},
		{"match[0]", `{"match":[[{"as":"a","type":"P"},{}]]}`},
		{"match[0]", `{"match":[[{"as":"a"},{"as":"r","edge":"K"},{}]]}`},
		{"match[0]", `{"match":[[{"as":"a","type":"P"},{},{},{},{},{},{},{},{},{},{},{},{}]]}`},
		{"match[1]", `{"match":[[{"as":"a","type":"P"}],[{"as":"b","type":"P"}]]}`},
		{"match[0][1]", `{"match":[[{"as":"a","type":"P"},1,{}]]}`},
		{"match[0][0].As", `{"match":[[{"As":"a","as":"a","type":"P"}]]}`},
		{"match[0][0].edge", `{"match":[[{"as":"a","type":"P","edge":"K"}]]}`},
		{"match[0][0].as", `{"match":[[{"as":"A","type":"P"},{"as":"r"},{}]]}`},
		{"match[0][0].as", `{"match":[[{"as":1,"type":"P"},{"as":"r"},{}]]}`},
		{"match[0][0].type", `{"match":[[{"as":"a","type":""}]]}`},
		{"match[0][0].type", `{"match":[[{"as":"a","type":"_GraphrestUser"}]]}`},
		{"match[0][0].id", `{"match":[[{"as":"a","id":""}]]}`},
		{"match[0][0].id", `{"match":[[{"as":"a","id":[]}]]}`},
		{"match[0][0].id", `{"match":[[{"as":"a","id":{}}]]}`},
		{"match[0][0].id", `{"match":[[{"as":"a","id":[` + strings.Repeat(`"x",`, 1000) + `"x"]}]]}`},
		{"match[0][0].id[1]", `{"match":[[{"as":"a","id":["x",1]}]]}`},
		{"match[0][2].id[0]", `{"match":[[{"as":"a","id":["x"]},{},{"id":[""]}]]}`},
		{"match[0][0].filter", `{"match":[[{"as":"a","type":"P","filter":[]}]]}`},
		{"match[0][2].filter.rating", `{"match":[[{"as":"a","type":"P"},{},{"filter":{"rating":8}}]]}`},
		{"match[0][2].filter.rating", `{"match":[[{"as":"a","type":"P"},{},{"filter":{"rating":{}}}]]}`},
		{"match[0][2].filter.rating", `{"match":[[{"as":"a","type":"P"},{},{"filter":{"rating":{"above":8}}}]]}`},
		{"match[0][2].filter.rating", `{"match":[[{"as":"a","type":"P"},{},{"filter":{"rating":{"gt":null}}}]]}`},
		{"match[0][2].filter.rating", `{"match":[[{"as":"a","type":"P"},{},{"filter":{"rating":{"gt":[1]}}}]]}`},
		{"match[0][2].id", `{"match":[[{"as":"a","id":[` + strings.Repeat(`"x",`, 999) + `"x"]},{},{"id":["y"]}]]}`},
		{"match[0][0].any", `{"match":[[{"as":"a","type":"P","any":{}}]]}`},
		{"match[0][0].any", `{"match":[[{"as":"a","type":"P","any":[]}]]}`},
		{"match[0][0].any[1]", `{"match":[[{"as":"a","type":"P","any":[{"x":{"eq":1}},{}]}]]}`},
		{"match[0][1].any[0].x", `{"match":[[{"as":"a","type":"P"},{"any":[{"x":{"above":1}}]},{}]]}`},
		{"match[0][0].any", `{"match":[[{"as":"a","type":"P","any":[` + strings.Repeat(`{"x":{"eq":1}},`, 20) + `{"x":{"eq":1}}]}]]}`},
		{"match[0][1].filter.since", `{"match":[[{"as":"a","type":"P"},{"filter":{"since":{"contains":1}}},{}]]}`},
		{"match[0][1].filter.since", `{"match":[[{"as":"a","type":"P"},{"filter":{"since":{"eq":{"$param":"x"}}}},{}]]}`},
		{"match[0][1].direction", `{"match":[[{"as":"a","type":"P"},{"direction":"left"},{}]]}`},
		{"match[0][1].edge", `{"match":[[{"as":"a","type":"P"},{"edge":[]},{}]]}`},
		{"match[0][1].edge[1]", `{"match":[[{"as":"a","type":"P"},{"edge":["K",2]},{}]]}`},
		{"match[0][1].hops", `{"match":[[{"as":"a","type":"P"},{"hops":[0,2]},{}]]}`},
		{"match[0][1].hops", `{"match":[[{"as":"a","type":"P"},{"hops":[2,1]},{}]]}`},
		{"match[0][1].hops", `{"match":[[{"as":"a","type":"P"},{"hops":[1,4]},{}]]}`},
		{"match[0][1].hops", `{"match":[[{"as":"a","type":"P"},{"hops":[1,2.0]},{}]]}`},
		{"match[0][1].as", `{"match":[[{"as":"a","type":"P"},{"as":"r","hops":[1,2]},{}]]}`},
		{"match[0][1].as", `{"match":[[{"as":"a","type":"P"},{"as":"a"},{}]]}`},
		{"match[0][3].as", `{"match":[[{"as":"a","type":"P"},{"as":"r"},{},{"as":"r"},{}]]}`},
		{"without[0][1].as", `{"match":[[{"as":"a","type":"P"},{"as":"r"},{}]],"without":[[{"as":"a"},{"as":"r"},{}]]}`},
		{"without[0][2].as", `{"match":[[{"as":"a","type":"P"},{"as":"r"},{}]],"without":[[{"as":"a"},{},{"as":"r"}]]}`},
		{"without[1][1].as", `{"match":[[{"as":"a","type":"P"}]],"without":[[{"as":"a"},{},{"as":"x"}],[{"as":"a"},{"as":"x"},{}]]}`},
		{"without[0]", `{"match":[[{"as":"a","type":"P"}]],"without":[[{"type":"P"}]]}`},
		{"without[0]", `{"match":[[{"as":"a","type":"P"},{},{"as":"b"}]],"without":[[{"as":"b"},{},{}]]}`},
		{"columns[0]", `{"match":[[{"as":"a","type":"P"}]],"columns":["b"]}`},
		{"columns[0]", `{"match":[[{"as":"a","type":"P"}]],"columns":["a."]}`},
		{"columns[1]", `{"match":[[{"as":"a","type":"P"}]],"columns":["a.x",1]}`},
		{"columns[1]", `{"match":[[{"as":"a","type":"P"}]],"columns":["a.x","a.x"]}`},
		{"columns[0]", `{"match":[[{"as":"a","type":"P"}]],"without":[[{"as":"a"},{},{"as":"x"}]],"columns":["x"]}`},
		{"columns", `{"match":[[{"as":"a","type":"P"}]],"columns":["a"],"measures":[{"op":"count"}]}`},
		{"group_by[0]", `{"match":[[{"as":"a","type":"P"}]],"group_by":["b.x"]}`},
		{"measures[0]", `{"match":[[{"as":"a","type":"P"}]],"measures":["count"]}`},
		{"measures[0].op", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"median"}]}`},
		{"measures[0].of", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"sum"}]}`},
		{"measures[0].of", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"max","of":"a"}]}`},
		{"measures[0].of", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"count","of":"b"}]}`},
		{"measures[0].as", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"count","as":"The count"}]}`},
		{"measures[1]", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"count"},{"op":"count"}]}`},
		{"sort[1]", `{"match":[[{"as":"a","type":"P"}]],"sort":["a","-b"]}`},
		{"sort[1]", `{"match":[[{"as":"a","type":"P"}]],"sort":["a.x","-a.x"]}`},
		{"sort[0]", `{"match":[[{"as":"a","type":"P"}]],"group_by":["a.x"],"sort":["a.y"]}`},
		{"sort[0]", `{"match":[[{"as":"a","type":"P"}]],"measures":[{"op":"count","as":"n"}],"sort":["count"]}`},
		{"limit", `{"match":[[{"as":"a","type":"P"}]],"limit":0}`},
		{"limit", `{"match":[[{"as":"a","type":"P"}]],"limit":1001}`},
		{"limit", `{"match":[[{"as":"a","type":"P"}]],"limit":10.0}`},
		{"offset", `{"match":[[{"as":"a","type":"P"}]],"offset":10001}`},
		{"Limit", `{"match":[[{"as":"a","type":"P"}]],"Limit":1}`},
	} {
		t.Run(row.question, func(t *testing.T) {
			_, f := parse(t, row.question)
			require.NotNil(t, f)
			require.Equal(t, fault.Validation, f.Code)
			require.Len(t, f.Details, 1, f.Details)
			require.Equal(t, row.place, f.Details[0].Field)
		})
	}
}

func TestDefaultsOfAQuestion(t *testing.T) {
	q, f := parse(t, `{"match":[[{"as":"p","type":"Person"},{"as":"r","edge":"ACTED_IN"},{"as":"f","type":"Film"}],
		[{"as":"f"},{"edge":["A","B","A"]},{}]]}`)
	require.Nil(t, f)
	require.Equal(t, []pattern.Name{
		{Text: "p", Kind: graph.NodeKind}, {Text: "r", Kind: graph.EdgeKind}, {Text: "f", Kind: graph.NodeKind},
	}, q.Names)
	require.Equal(t, []string{"p", "r", "f"}, q.ColumnNames())
	require.Equal(t, []graph.TypeName{"A", "B"}, q.Match[1].Hops[0].Types)
	require.True(t, q.Match[0].Hops[0].IsOne())
	require.Equal(t, graph.Out, q.Match[0].Hops[0].Direction)
	require.Equal(t, 100, q.Limit)
	require.False(t, q.Grouped)
}

func TestColumnsOfGroups(t *testing.T) {
	q, f := parse(t, `{"match":[[{"as":"f","type":"Film"}]],"group_by":["f.year.of"],
		"measures":[{"op":"count"},{"op":"count","of":"f"},{"op":"sum","of":"f.rating"},{"op":"mean","of":"f.rating","as":"m"}],
		"sort":["-m","f.year.of"]}`)
	require.Nil(t, f)
	require.Equal(t, []string{"f.year.of", "count", "count(f)", "sum(f.rating)", "m"}, q.ColumnNames())
	require.Equal(t, "year.of", q.GroupBy[0].Property)
	require.Equal(t, []pattern.SortKey{{Column: 4, Descending: true}, {Column: 0}}, q.Sort)
}

func TestANodeIsOneOfSeveral(t *testing.T) {
	q, f := parse(t, `{"match":[[{"as":"a","id":["x","y","x"]},{},{"as":"b"}],[{"as":"a"},{},{}]]}`)
	require.Nil(t, f)
	require.Equal(t, []string{"x", "y", "x"}, q.Match[0].Nodes[0].IDs)
	require.True(t, q.Match[0].Nodes[0].IsIdentified())
	require.False(t, q.Match[0].Nodes[1].IsIdentified())
}

func TestNamesOfWithoutAreItsOwn(t *testing.T) {
	_, f := parse(t, `{"match":[[{"as":"a","type":"P"}]],
		"without":[[{"as":"a"},{},{"as":"x","type":"Q"}],[{"as":"a"},{},{"as":"x","type":"R"}]]}`)
	require.Nil(t, f)
}

// FuzzParse shows that no text is a reason to panic.
func FuzzParse(f *testing.F) {
	f.Add(`{"match":[[{"as":"a","type":"P"},{"hops":[1,2]},{"filter":{"x":{"in":[1]}}}]],"without":[],"sort":["-a.x"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		tree, problem := typedjson.ParseTree("", text)
		if problem != nil {
			return
		}
		q, problem := pattern.Parse("", tree, nil)
		require.True(t, (q == nil) != (problem == nil))
	})
}
