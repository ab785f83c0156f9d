package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func parse(name, text string) (graph.Condition, *fault.Error) {
	return graph.ParseCondition("field", name, text, typedjson.Literals{})
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		property   string
		operator   graph.Operator
		value      graph.Value
	}{
		{"filter[born]", "1960", "born", graph.Equal, int64(1960)},
		{"filter[any[1]]", "1960", "any[1]", graph.Equal, int64(1960)},
		{"filter[any[2][born][lt]", "1960", "any[2][born", graph.Less, int64(1960)},
		{"filter[born][gte]", "1960.0", "born", graph.GreaterEqual, 1960.0},
		{"filter[born][lt]", "-1e3", "born", graph.Less, -1000.0},
		{"filter[code][eq:string]", "007", "code", graph.Equal, "007"},
		{"filter[code]", "007", "code", graph.Equal, "007"},
		{"filter[code][eq:integer]", "7", "code", graph.Equal, int64(7)},
		{"filter[n][eq:float]", "7", "n", graph.Equal, 7.0},
		{"filter[n][eq:string]", "", "n", graph.Equal, ""},
		{"filter[n]", "", "n", graph.Equal, ""},
		{"filter[ok]", "true", "ok", graph.Equal, true},
		{"filter[ok][ne:boolean]", "false", "ok", graph.NotEqual, false},
		{"filter[ok][eq:string]", "true", "ok", graph.Equal, "true"},
		{"filter[x][eq:string]", "null", "x", graph.Equal, "null"},
		{"filter[x]", `"1960"`, "x", graph.Equal, "1960"},
		{"filter[day][gt]", `{"$type":"Date","_value":"1970-01-02"}`, "day", graph.Greater, graph.Date{Days: 1}},
		{"filter[day][gt:date]", "1970-01-02", "day", graph.Greater, graph.Date{Days: 1}},
		{"filter[at][lt:datetime]", "1970-01-01T01:00:00+01:00", "at", graph.Less, graph.DateTime{Offset: 3600}},
		{"filter[at][lt:datetime]", "1970-01-01T01:00:00+01:00[Europe/Paris]", "at", graph.Less, graph.DateTime{Zone: "Europe/Paris"}},
		{"filter[at][eq:duration]", "P1M", "at", graph.Equal, graph.Duration{Months: 1}},
		{"filter[b][eq:base64]", "AQ==", "b", graph.Equal, graph.Bytes{1}},
		{"filter[at][eq:point]", "SRID=7203;POINT (1 2)", "at", graph.Equal, graph.Point{SRID: 7203, X: 1, Y: 2}},
		{"filter[tags]", `["a","b"]`, "tags", graph.Equal, []graph.Value{"a", "b"}},
		{"filter[tags][has]", "a", "tags", graph.Has, "a"},
		{"filter[n][in]", "1,x,2.5", "n", graph.OneOf, []graph.Value{int64(1), "x", 2.5}},
		{"filter[n][in:string]", "1,2", "n", graph.OneOf, []graph.Value{"1", "2"}},
		{"filter[n][nin]", `["a,b",1,true]`, "n", graph.NoneOf, []graph.Value{"a,b", int64(1), true}},
		{"filter[n][in:date]", `["1970-01-01"]`, "n", graph.OneOf, []graph.Value{graph.Date{}}},
		{"filter[n][in]", `{"$type":"Date","_value":"1970-01-01"}`, "n", graph.OneOf, []graph.Value{graph.Date{}}},
		{"filter[n][exists]", "false", "n", graph.Exists, false},
		{"filter[n][contains]", "19", "n", graph.Contains, "19"},
		{"filter[n][icontains:string]", "[x", "n", graph.ContainsFold, "[x"},
		{"filter[n][starts_with]", `{"`, "n", graph.StartsWith, `{"`},
		{"filter[n][ends_with]", "", "n", graph.EndsWith, ""},
		{"filter[a b.c$`][gt]", "1", "a b.c$`", graph.Greater, int64(1)},
		{"filter[a][eq][eq]", "1", "a][eq", graph.Equal, int64(1)},
		{"filter[[x]]", "1", "[x]", graph.Equal, int64(1)},
	} {
		t.Run(c.name+"="+c.text, func(t *testing.T) {
			got, f := parse(c.name, c.text)
			require.Nil(t, f)
			require.Equal(t, graph.Condition{Property: c.property, Operator: c.operator, Value: c.value, Field: "field"}, got)
		})
	}
}

func TestAConditionOfAnAlternative(t *testing.T) {
	c, f := parse("any[2][any[1]][lt]", "1960")
	require.Nil(t, f)
	require.Equal(t, graph.Condition{Property: "any[1]", Operator: graph.Less, Value: int64(1960), Any: 2, Field: "field"}, c)
}

func TestConditionsRefused(t *testing.T) {
	const (
		operators = "must have one of the operators eq, ne,"
		order     = "must be a number, a text, a boolean or a time: nothing else has an order"
	)
	for _, c := range []struct{ parameter, value, message string }{
		{"filter[", "1", "must be written filter[property][operator]"},
		{"filter[]", "1", "must name a property"},
		{"filter[a", "1", "must be written filter[property][operator]"},
		{"filter[a]b", "1", "must be written filter[property][operator]"},
		{"filter[][eq]", "1", "must name a property"},
		{"filter[a\x00]", "1", "must not contain a NUL character"},
		{"filter[" + strings.Repeat("a", 1025) + "]", "1", "must name a property by at most 1024 bytes"},
		{"filter[a][]", "1", operators},
		{"filter[a][like]", "1", operators},
		{"filter[a][EQ]", "1", operators},
		{"filter[a][eq:]", "1", "must name a type behind the colon"},
		{"filter[a][eq:text]", "1", "must name one of the types string, integer, float, boolean,"},
		{"filter[a][eq:integer]", "1.5", "an Integer must be written in decimal digits"},
		{"filter[a][eq:integer]", "x", "an Integer must be written in decimal digits"},
		{"filter[a][eq:boolean]", "1", "a Boolean must be true or false"},
		{"filter[a][eq:date]", "yesterday", "must be a date such as"},
		{"filter[a][eq:datetime]", "2024-01-01T00:00:00", "must have an offset such as"},
		{"filter[a]", "9223372036854775808", "an integer must be between -9223372036854775808"},
		{"filter[a]", "1e400", "is too large for a 64-bit float"},
		{"any[1][a]", "null", "null is no value"},
		{"any[0][a]", "1", "with the number of the alternative from 1 to 20"},
		{"any[21][a]", "1", "with the number of the alternative from 1 to 20"},
		{"any[1][a", "1", "with the number of the alternative from 1 to 20"},
		{"any[1]", "1", "with the number of the alternative from 1 to 20"},
		{"any[1][]", "1", "must name a property"},
		{"any[a][eq]", "1", "with the number of the alternative from 1 to 20"},
		{"filter[a]", "null", "null is no value"},
		{"filter[a]", "{}", "must not be an object, except a typed value"},
		{"filter[a]", `{"$type":"Date","_value":"x"}`, "must be a date such as"},
		{"filter[a]", `[1,"a"]`, "a list must hold values of one type only"},
		{"filter[a]", "[1", "is truncated: expected a comma"},
		{"filter[a]", `"open`, "is truncated: a string does not end"},
		{"filter[a][gt]", "[1]", order},
		{"filter[a][gt:duration]", "P1M", order},
		{"filter[a][gt:point]", "SRID=7203;POINT (1 2)", order},
		{"filter[a][gt:base64]", "AQ==", order},
		{"filter[a][has]", "[1]", "must be what a list can hold"},
		{"filter[a][has:base64]", "AQ==", "must be what a list can hold"},
		{"filter[a][in]", "", "must be comma-separated values, or a JSON array"},
		{"filter[a][in]", "1,", "must be comma-separated values, or a JSON array"},
		{"filter[a][in]", "[]", "must have at least one value"},
		{"filter[a][in]", "[null]", "must not be null"},
		{"filter[a][in:integer]", "1,x", "an Integer must be written in decimal digits"},
		{"filter[a][in:integer]", "[1]", "must be a string, which is read as integer"},
		{"filter[a][in]", strings.Repeat("1,", 1000) + "1", "must have at most 1000 values"},
		{"filter[a][exists]", "yes", "must be true or false"},
		{"filter[a][exists:string]", "true", "must be true or false"},
		{"filter[a][contains:integer]", "1", "is about text only"},
	} {
		t.Run(c.parameter+"="+c.value, func(t *testing.T) {
			_, f := parse(c.parameter, c.value)
			require.NotNil(t, f)
			require.Equal(t, fault.Validation, f.Code)
			require.Regexp(t, `^field(\[\d\])?$`, f.Details[0].Field)
			require.Contains(t, f.Details[0].Message, c.message)
		})
	}
	require.Nil(t, graph.CheckFilter(make(graph.Filter, graph.MaxConditions)))
	tooMany := make(graph.Filter, graph.MaxConditions+1)
	require.Equal(t, "filter", graph.CheckFilter(tooMany).Details[0].Field)
	tooMany[0].Any = 1
	require.Equal(t, "any", graph.CheckFilter(tooMany).Details[0].Field)
}

func TestSorts(t *testing.T) {
	for text, want := range map[string]graph.Sort{
		"-born,name":     {{Property: "born", Descending: true}, {Property: "name"}},
		"--x,+-y,++z":    {{Property: "-x", Descending: true}, {Property: "-y"}, {Property: "+z"}},
		`["a,b","-c\""]`: {{Property: "a,b"}, {Property: `c"`, Descending: true}},
	} {
		got, f := graph.ParseSort("sort", text)
		require.Nil(t, f, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "-", "+", "a,", "a,-a", "a,a", "[1]", "[]", "[", "a,b,c,d,e", "a\x00"} {
		_, f := graph.ParseSort("sort", text)
		require.NotNil(t, f, text)
		require.Equal(t, "sort", f.Details[0].Field)
	}
}

func TestFingerprintsOfQueries(t *testing.T) {
	condition := func(v graph.Value) graph.Filter {
		return graph.Filter{{Property: "a", Operator: graph.Equal, Value: v}}
	}
	seen := map[string]int{}
	for i, print := range []string{
		graph.Fingerprint(nil, nil), graph.Fingerprint(condition(int64(1)), nil), graph.Fingerprint(condition(1.0), nil),
		graph.Fingerprint(condition("1"), nil),
		graph.Fingerprint(condition(graph.Date{Days: 1}), nil), graph.Fingerprint(condition([]graph.Value{int64(1)}), nil),
		graph.Fingerprint(nil, graph.Sort{{Property: "a"}}), graph.Fingerprint(nil, graph.Sort{{Property: "a", Descending: true}}),
		graph.Fingerprint(nil, graph.Sort{{Property: "a true\nb"}}),
	} {
		before, twice := seen[print]
		require.False(t, twice, "%d and %d", before, i)
		seen[print] = i
	}
}

func TestFingerprintsDoNotDependOnTheOrderOfConditions(t *testing.T) {
	a, b := graph.Condition{Property: "a", Operator: graph.Equal, Value: 1.0},
		graph.Condition{Property: "b", Operator: graph.Exists, Value: true}
	require.Equal(t, graph.Fingerprint(graph.Filter{a, b}, nil), graph.Fingerprint(graph.Filter{b, a}, nil))
}

// FuzzCondition checks that no text causes a panic and that the literal of an accepted condition fits its operator.
func FuzzCondition(f *testing.F) {
	f.Add("filter[a][in:date]", "2024-01-01,x")
	f.Add("filter[a][eq]", `{"$type":"Point","_value":"SRID=7203;POINT (1 2)"}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		c, problem := parse(name, text)
		if problem != nil {
			if len(problem.Details) == 0 {
				t.Fatal("a fault without a detail")
			}
			return
		}
		list, isList := c.Value.([]graph.Value)
		switch c.Operator {
		case graph.OneOf, graph.NoneOf:
			if !isList || len(list) == 0 {
				t.Fatalf("%#v", c)
			}
			for _, v := range list {
				if f := graph.CheckValue("v", v); f != nil {
					t.Fatal(f)
				}
			}
		case graph.Contains, graph.ContainsFold, graph.StartsWith, graph.EndsWith:
			if c.Value != text {
				t.Fatalf("%#v", c)
			}
		default:
			if f := graph.CheckValue("v", c.Value); f != nil {
				t.Fatal(name, text, f)
			}
		}
	})
}
