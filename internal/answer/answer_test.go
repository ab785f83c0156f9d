package answer

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func cellOf(c Cell) string { return string(AppendCell(nil, c)) }

func TestCells(t *testing.T) {
	for want, c := range map[string]Cell{
		`null`:                                   nil,
		`2.0`:                                    2.0,
		`[1,null,"x"]`:                           []Cell{int64(1), nil, "x"},
		`{"$node":"a"}`:                          NodeID("a"),
		`{"$edge":"\""}`:                         EdgeID(`"`),
		`{"$path":["a","r","b"]}`:                Path{"a", "r", "b"},
		`{"$type":"Float","_value":"NaN"}`:       math.NaN(),
		`{"$type":"Date","_value":"1970-01-02"}`: graph.Date{Days: 1},
		`{"$type":"Unsupported","_value":"VECTOR(3, FLOAT32)"}`:     Unsupported("VECTOR(3, FLOAT32)"),
		`{"a":{"$node":"n"},"b":[]}`:                                Map{"b": []Cell{}, "a": NodeID("n")},
		`{"$type":"Map","_value":{"$node":"forged"}}`:               Map{"$node": "forged"},
		`{"m":{"$type":"Map","_value":{"$type":"x","_value":"y"}}}`: Map{"m": Map{"$type": "x", "_value": "y"}},
	} {
		require.Equal(t, want, cellOf(c))
		require.True(t, json.Valid([]byte(want)))
	}
}

func TestTypesOfColumns(t *testing.T) {
	b := NewBuilder([]string{"a", "b"}, Limits{Rows: 10, Bytes: 1 << 20})
	require.True(t, b.Add(Row{int64(1), []Cell{NodeID("n")}}, nil, nil))
	require.True(t, b.Add(Row{nil, []Cell{int64(1), "x"}}, nil, nil))
	require.True(t, b.Add(Row{"x", nil}, nil, nil))
	require.Equal(t, []Column{{"a", []string{"Integer", "String"}}, {"b", []string{"List", "List<Node>"}}}, b.Answer().Columns)
}

func TestLimits(t *testing.T) {
	b := NewBuilder([]string{"a"}, Limits{Rows: 2, Bytes: 1 << 20})
	require.True(t, b.Add(Row{int64(1)}, nil, nil))
	require.True(t, b.Add(Row{int64(2)}, nil, nil))
	require.Equal(t, Whole, b.Answer().Meta.Truncated, "as many rows as allowed")
	require.False(t, b.Add(Row{int64(3)}, nil, nil))
	require.Equal(t, RowLimit, b.Answer().Meta.Truncated)
	require.Len(t, b.Answer().Rows, 2)

	large := strings.Repeat("x", 100)
	b = NewBuilder([]string{"a"}, Limits{Rows: 10, Bytes: 150})
	require.True(t, b.Add(Row{large}, nil, nil))
	require.False(t, b.Add(Row{large}, nil, nil))
	require.False(t, b.Add(Row{int64(1)}, nil, nil), "no later row is added")
	require.Equal(t, ByteLimit, b.Answer().Meta.Truncated)
	require.Len(t, b.Answer().Rows, 1)

	b = NewBuilder([]string{"a"}, Limits{Rows: 10, Bytes: 1, MinRows: 1})
	require.True(t, b.Add(Row{large}, nil, nil))
	require.False(t, b.Add(Row{large}, nil, nil))

	b = NewBuilder([]string{"a"}, Limits{Rows: 10, Bytes: 150})
	n := graph.Node{ID: "n", Labels: []string{}, Properties: graph.Properties{"x": large}}
	require.False(t, b.Add(Row{NodeID("n")}, []graph.Node{n}, nil), "the bytes of nodes count")
}

func TestEntitiesStandOnce(t *testing.T) {
	b := NewBuilder([]string{"a"}, Limits{Rows: 10, Bytes: 1 << 20})
	n, e := []graph.Node{{ID: "n", Labels: []string{}}, {ID: "n", Labels: []string{}}}, []graph.Edge{{ID: "e"}}
	require.True(t, b.Add(Row{NodeID("n")}, n, e))
	require.True(t, b.Add(Row{NodeID("n")}, n, e))
	a := b.Answer()
	require.Len(t, a.Nodes, 1)
	require.Len(t, a.Edges, 1)
	require.Equal(t, `{"columns":[{"name":"a","types":["Node"]}],"rows":[[{"$node":"n"}],[{"$node":"n"}]],`+
		`"nodes":[{"id":"n","type":null,"labels":[],"properties":{}}],`+
		`"edges":[{"id":"e","type":"","source_id":"","target_id":"","properties":{}}]}`, string(AppendData(nil, a)))
}

func TestMetaOfAnAnswer(t *testing.T) {
	require.Equal(t, `,"elapsed_ms":1.5`, string(AppendMeta(nil, &Meta{Elapsed: 1500 * time.Microsecond})))
	require.Equal(t, `,"truncated":"bytes","elapsed_ms":0,"version":3,"page":{"limit":10,"offset":5,"has_more":true}`,
		string(AppendMeta(nil, &Meta{Truncated: ByteLimit, Version: 3, Page: &Page{Limit: 10, Offset: 5, HasMore: true}})))
}

func TestLinesAndRecords(t *testing.T) {
	columns := []Column{{Name: "a"}, {Name: "b,c"}}
	row := Row{NodeID("n"), []Cell{"x", nil}}
	require.Equal(t, "{\"a\":{\"$node\":\"n\"},\"b,c\":[\"x\",null]}\n", string(AppendLine(nil, columns, row)))
	require.Equal(t, "a,\"b,c\"\n", string(AppendHeader(nil, columns)))
	for _, each := range []struct {
		row  Row
		want string
	}{
		{Row{"a\"b", int64(9007199254740993)}, "\"a\"\"b\",9007199254740993\n"},
		{Row{nil, ""}, ",\"\"\n"},
		{Row{nil}, "\"\"\n"},
		{Row{graph.Date{Days: 0}, 2.0}, "1970-01-01,2.0\n"},
		{Row{true, math.Inf(-1)}, "true,-Infinity\n"},
		{Row{Path{"a"}, NodeID("n")}, "\"{\"\"$path\"\":[\"\"a\"\"]}\",n\n"},
		{Row{"two\nlines", " x"}, "\"two\nlines\",\" x\"\n"},
	} {
		written := string(AppendRecord(nil, each.row))
		require.Equal(t, each.want, written)
		read, err := csv.NewReader(strings.NewReader(written)).ReadAll()
		require.NoError(t, err)
		require.Len(t, read, 1)
		require.Len(t, read[0], len(each.row))
	}
}
