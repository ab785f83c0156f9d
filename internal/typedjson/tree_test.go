package typedjson

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTreeRoundTrip(t *testing.T) {
	for name, c := range map[string]struct{ text, again string }{
		"numbers":     {`[1, 1.0, 1e3, -9223372036854775808]`, `[1,1.0,1000.0,-9223372036854775808]`},
		"objects":     {`{"b": {"x": [true, false, null]}, "a": "\u00e9"}`, `{"a":"é","b":{"x":[true,false,null]}}`},
		"not objects": {`"text"`, `"text"`},
	} {
		t.Run(name, func(t *testing.T) {
			tree, f := ParseTree("schema", c.text)
			require.Nil(t, f)
			require.Equal(t, c.again, string(AppendTree(nil, tree)))
		})
	}
}

func TestTreeProblemsNameTheirPath(t *testing.T) {
	for name, c := range map[string]struct{ text, field string }{
		"too large an integer": {`{"a": {"b": [1, 9223372036854775808]}}`, "schema.a.b[1]"},
		"too large a float":    {`{"minimum": 1e999}`, "schema.minimum"},
		"a member twice":       {`{"a": 1, "a": 2}`, "schema.a"},
	} {
		t.Run(name, func(t *testing.T) {
			_, f := ParseTree("schema", c.text)
			require.NotNil(t, f)
			require.Equal(t, c.field, f.Details[0].Field)
		})
	}
}

func TestTreeMember(t *testing.T) {
	o, f := ParseObject([]byte(`{"schema": {"type": "object"}, "none": null}`))
	require.Nil(t, f)
	tree, given := o.Tree("schema")
	require.True(t, given)
	require.Equal(t, map[string]any{"type": "object"}, tree)
	_, given = o.Tree("none")
	require.False(t, given)
	require.Nil(t, o.Finish())
}
