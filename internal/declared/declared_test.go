package declared

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func declaration(schema string) graph.Declaration {
	return graph.Declaration{Kind: graph.NodeKind, Type: "Airport", Level: graph.LevelStrict, Schema: schema}
}

func rules(t *testing.T, schema string) *Rules {
	t.Helper()
	r, err := Compile(declaration(schema))
	require.NoError(t, err)
	return r
}

func TestSchemaValidatesPropertyTypes(t *testing.T) {
	day := graph.Date{Days: 19844} // 2024-05-01
	for name, c := range map[string]struct {
		schema      string // of the property x
		good        []graph.Value
		bad         []graph.Value
		wantMessage string
	}{
		"text": {`{"type": "string"}`, []graph.Value{"a", ""}, []graph.Value{int64(1), true, day}, "must be a text"},
		"integer is no float": {
			`{"type": "integer"}`, []graph.Value{int64(1), int64(math.MaxInt64)}, []graph.Value{1.0, 1.5, "1"}, "must be an integer",
		},
		"number is either":       {`{"type": "number"}`, []graph.Value{int64(1), 1.0}, []graph.Value{"1", math.NaN()}, "must be a number"},
		"either, said at length": {`{"type": ["integer", "number"]}`, []graph.Value{int64(1), 1.0}, []graph.Value{"1"}, "must be"},
		"float is no integer":    {`{"neo4jType": "Float"}`, []graph.Value{1.0, math.Inf(1)}, []graph.Value{int64(1)}, "must be of type Float"},
		"date": {
			`{"neo4jType": "Date"}`, []graph.Value{day}, []graph.Value{"2024-05-01", graph.LocalDateTime{}}, "must be of type Date",
		},
		"one of two types": {
			`{"neo4jType": ["Date", "LocalDateTime"]}`, []graph.Value{day, graph.LocalDateTime{}}, []graph.Value{graph.LocalTime{}}, "Date",
		},
		"zoned is offset as well": {
			`{"neo4jType": "ZonedDateTime"}`,
			[]graph.Value{graph.DateTime{}, graph.DateTime{Zone: "Europe/Berlin"}},
			[]graph.Value{graph.LocalDateTime{}},
			"ZonedDateTime",
		},
		"offset is not zoned": {
			`{"neo4jType": "OffsetDateTime"}`,
			[]graph.Value{graph.DateTime{}},
			[]graph.Value{graph.DateTime{Zone: "Europe/Berlin"}},
			"OffsetDateTime",
		},
		"point": {`{"neo4jType": "Point"}`, []graph.Value{graph.Point{SRID: 4326}}, []graph.Value{"POINT"}, "Point"},
		"list of dates": {
			`{"neo4jType": "List<Date>"}`, []graph.Value{[]graph.Value{day}, []graph.Value{}}, []graph.Value{day, []graph.Value{"a"}}, "List<Date>",
		},
		"list by its elements": {
			`{"type": "array", "items": {"type": "integer"}}`,
			[]graph.Value{[]graph.Value{int64(1)}},
			[]graph.Value{[]graph.Value{1.0}},
			"element 0 must be an integer",
		},
		"enumeration": {`{"enum": ["a", "b", 1]}`, []graph.Value{"a", int64(1)}, []graph.Value{"c"}, `must be "a" or "b" or 1`},
		"enumeration of dates": {
			`{"enum": [{"$type": "LocalDateTime", "_value": "2024-05-01T00:00"}]}`,
			[]graph.Value{graph.LocalDateTime{Seconds: 19844 * 86400}},
			[]graph.Value{graph.LocalDateTime{}},
			"2024-05-01T00:00:00",
		},
		"bounds of 64 bits, exact": {
			`{"type": "integer", "maximum": 9223372036854775806}`,
			[]graph.Value{int64(math.MaxInt64 - 1)},
			[]graph.Value{int64(math.MaxInt64)},
			"9223372036854775806 or less",
		},
		"equality of 64 bits": {
			`{"const": 9007199254740993}`,
			[]graph.Value{int64(9007199254740993)},
			[]graph.Value{int64(9007199254740992)},
			"must be 9007199254740993",
		},
		"length in characters": {
			`{"type": "string", "minLength": 3, "maxLength": 3}`, []graph.Value{"äöü"}, []graph.Value{"ab", "abcd"}, "3 characters",
		},
		"pattern": {`{"pattern": "^[A-Z]{3}$"}`, []graph.Value{"BER"}, []graph.Value{"ber"}, "must match the pattern"},
		"form": {
			`{"type": "string", "format": "email"}`, []graph.Value{"a@b.example"}, []graph.Value{"a"}, "in the form email",
		},
		"alternatives": {
			`{"anyOf": [{"type": "string"}, {"type": "integer"}]}`,
			[]graph.Value{"a", int64(1)},
			[]graph.Value{1.5},
			"must be a text, or must be an integer",
		},
		"nothing":                     {`false`, nil, []graph.Value{"a"}, "is not allowed"},
		"a reference to a definition": {`{"$ref": "#/$defs/code"}`, []graph.Value{"BER"}, []graph.Value{"ber"}, "pattern"},
		"infinity is over no bound":   {`{"maximum": 5}`, []graph.Value{math.Inf(1), 5.0}, []graph.Value{5.1}, "5 or less"},
	} {
		t.Run(name, func(t *testing.T) {
			r := rules(t, `{"properties": {"x": `+c.schema+`}, "$defs": {"code": {"pattern": "^[A-Z]+$"}}}`)
			for _, v := range c.good {
				require.Empty(t, r.Problems(graph.Properties{"x": v}, Ends{}), "%v", v)
			}
			for _, v := range c.bad {
				problems := r.Problems(graph.Properties{"x": v, "other": true}, Ends{})
				require.Len(t, problems, 1, "%v", v)
				require.Equal(t, "properties.x", problems[0].Field)
				require.Contains(t, problems[0].Message, c.wantMessage, "%v", v)
			}
		})
	}
}

func TestEveryInvalidPropertyIsReportedOnce(t *testing.T) {
	r := rules(t, `{"properties": {"code": {"type": "string", "pattern": "^[A-Z]+$", "maxLength": 3}, "opened": {"neo4jType": "Date"}},
		"required": ["code", "name"], "additionalProperties": false, "dependentRequired": {"opened": ["by"]}}`)
	require.Equal(t, []fault.Detail{
		{Field: "properties.by", Message: "is required where opened is given"},
		{Field: "properties.code", Message: "must have 3 characters or fewer; must match the pattern ^[A-Z]+$"},
		{Field: "properties.extra", Message: "is not a declared property of Airport"},
		{Field: "properties.name", Message: "is required"},
		{Field: "properties.opened", Message: `must be of type Date, such as {"$type":"Date","_value":"2024-05-01"}`},
	}, r.Problems(graph.Properties{"code": "abcd", "extra": true, "opened": "today"}, Ends{}))
}

func TestInvalidDeclarationsAreRejected(t *testing.T) {
	deep := `{"$defs": {`
	for i := range 30 {
		deep += fmt.Sprintf(`"a%d": {"allOf": [{"$ref": "#/$defs/a%d"}, {"$ref": "#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	deep += `"a30": {}}, "$ref": "#/$defs/a0"}`
	for name, c := range map[string]struct{ schema, field string }{
		"no JSON":                     {`{`, "schema"},
		"no object":                   {`true`, "schema"},
		"unknown keyword":             {`{"properties": {"x": {"patern": true}}}`, "schema.properties.x.patern"},
		"keyword with a wrong value":  {`{"properties": {"x": {"minLength": "3"}}}`, "schema.properties.x.minLength"},
		"type of another world":       {`{"properties": {"x": {"type": "date"}}}`, "schema.properties.x.type"},
		"unknown type of Neo4j":       {`{"properties": {"x": {"neo4jType": "date"}}}`, "schema.properties.x.neo4jType"},
		"list of unknown types":       {`{"properties": {"x": {"neo4jType": ["Date", 1]}}}`, "schema.properties.x.neo4jType"},
		"unknown form":                {`{"properties": {"x": {"format": "e-mail"}}}`, "schema.properties.x.format"},
		"reference to elsewhere":      {`{"$ref": "https://json-schema.org/draft/2020-12/schema"}`, "schema.$ref"},
		"reference to a file":         {`{"$ref": "file:///etc/passwd"}`, "schema.$ref"},
		"reference to nothing":        {`{"$ref": "#/$defs/x"}`, "schema.$ref"},
		"reference to itself":         {`{"properties": {"x": {"$ref": "#"}}}`, "schema.properties.x.$ref"},
		"references that double":      {deep, "schema"},
		"no regular expression":       {`{"properties": {"x": {"pattern": "("}}}`, "schema.properties.x.pattern"},
		"no RE2":                      {`{"properties": {"x": {"pattern": "(?=a)"}}}`, "schema.properties.x.pattern"},
		"value that is none":          {`{"properties": {"x": {"enum": [{"$type": "Date", "_value": "today"}]}}}`, "schema.properties.x.enum[0]"},
		"another draft":               {`{"$schema": "http://json-schema.org/draft-07/schema#"}`, "schema.$schema"},
		"too large":                   {`{"description": "` + strings.Repeat("a", MaxSchema) + `"}`, "schema"},
		"a number beyond all numbers": {`{"minimum": 1e999999}`, "schema.minimum"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(declaration(c.schema))
			require.Error(t, err)
			f := fault.As(err)
			require.Equal(t, fault.Validation, f.Code)
			require.Equal(t, c.field, f.Details[0].Field, f.Error())
		})
	}
}

func TestRulesBesidesTheSchemaAreValidated(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*graph.Declaration)
		field  string
	}{
		"no level":   {func(d *graph.Declaration) { d.Level = "loose" }, "level"},
		"empty key":  {func(d *graph.Declaration) { d.Unique = [][]string{{}} }, "unique[0]"},
		"empty name": {func(d *graph.Declaration) { d.Unique = [][]string{{"a"}, {""}} }, "unique[1]."},
		"too long a name": {
			func(d *graph.Declaration) { d.Unique = [][]string{{strings.Repeat("a", 256)}} }, "unique[0]." + strings.Repeat("a", 255) + "…",
		},
		"a property twice": {func(d *graph.Declaration) { d.Unique = [][]string{{"a", "a"}} }, "unique[0]"},
		"a key twice":      {func(d *graph.Declaration) { d.Unique = [][]string{{"a", "b"}, {"b", "a"}} }, "unique[1]"},
		"ends of a node":   {func(d *graph.Declaration) { d.SourceTypes = []graph.TypeName{"A"} }, "source_types"},
		"too many end types": {func(d *graph.Declaration) {
			d.Kind, d.TargetTypes = graph.EdgeKind, make([]graph.TypeName, maxEndTypes+1)
		}, "target_types"},
	} {
		t.Run(name, func(t *testing.T) {
			d := declaration(`{}`)
			c.change(&d)
			_, err := Compile(d)
			require.Error(t, err)
			require.Equal(t, c.field, fault.As(err).Details[0].Field)
		})
	}
}

func TestLevelsDefineWhichWritesAreValidated(t *testing.T) {
	good, bad := graph.Properties{"code": "BER"}, graph.Properties{"code": int64(1)}
	for level, want := range map[graph.DeclarationLevel]struct{ create, spoil, leaveBad bool }{
		graph.LevelNone: {false, false, false}, graph.LevelNew: {true, false, false},
		graph.LevelModerate: {true, true, false}, graph.LevelStrict: {true, true, true},
	} {
		t.Run(string(level), func(t *testing.T) {
			d := declaration(`{"properties": {"code": {"type": "string"}}}`)
			d.Level = level
			r, err := Compile(d)
			require.NoError(t, err)
			types := NewTypes([]*Rules{r}, false)
			labels := []string{"Legacy", "Airport"}
			worse := graph.Properties{"code": int64(2)}
			require.Equal(t, want.create, types.ValidateNewNode(labels, bad) != nil)
			require.Equal(t, want.spoil, types.ValidateChange(graph.NodeKind, labels, good, bad, Ends{}) != nil)
			require.Equal(t, want.leaveBad, types.ValidateChange(graph.NodeKind, labels, bad, worse, Ends{}) != nil)
			require.NoError(t, types.ValidateNewNode(labels, good))
			require.NoError(t, types.ValidateChange(graph.NodeKind, labels, bad, good, Ends{}))
			require.NoError(t, types.ValidateChange(graph.NodeKind, labels, bad, bad, Ends{}), "what changes nothing")
			require.NoError(t, types.ValidateNewNode([]string{"Other"}, bad))
			require.Equal(t, "Airport", types.NodeType(labels))
			require.Equal(t, want.spoil, len(types.CheckedOnChange(graph.NodeKind)) == 1)
		})
	}
}

func TestEndsAndUndeclaredTypes(t *testing.T) {
	d := graph.Declaration{
		Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelNew, Schema: `{"required": ["km"]}`,
		SourceTypes: []graph.TypeName{"Airport", "Station"}, TargetTypes: []graph.TypeName{"Airport"},
	}
	r, err := Compile(d)
	require.NoError(t, err)
	types := NewTypes([]*Rules{r}, true)
	require.True(t, types.NeedsEnds("ROUTE"))
	require.NoError(t, types.ValidateNewEdge("ROUTE", graph.Properties{"km": int64(1)}, Ends{[]string{"Old", "Station"}, []string{"Airport"}}))
	err = types.ValidateNewEdge("ROUTE", nil, Ends{[]string{"Person"}, []string{"Station"}})
	require.Equal(t, []fault.Detail{
		{Field: "source_id", Message: "must be a node of type Airport or Station"},
		{Field: "target_id", Message: "must be a node of type Airport"},
		{Field: "properties.km", Message: "is required"},
	}, fault.As(err).Details)
	for _, err := range []error{
		types.ValidateNewEdge("OTHER", nil, Ends{}), types.ValidateNewNode([]string{"Airport"}, nil), types.ValidateNewNode(nil, nil),
	} {
		require.Equal(t, fault.Validation, fault.CodeOf(err))
		require.Equal(t, "type", fault.As(err).Details[0].Field)
	}
}

func TestUnreadableDeclarationRejectsEverything(t *testing.T) {
	types := NewTypes([]*Rules{LoadStored(declaration(`{"fromTheFuture": 1}`))}, false)
	require.Error(t, types.ValidateNewNode([]string{"Airport"}, nil))
	require.Error(t, types.ValidateChange(graph.NodeKind, []string{"Airport"}, nil, graph.Properties{"a": true}, Ends{}))
}

func TestNilTypesAcceptEverything(t *testing.T) {
	var types *Types
	require.NoError(t, types.ValidateNewNode(nil, nil))
	require.NoError(t, types.ValidateNewEdge("R", nil, Ends{}))
	require.NoError(t, types.ValidateChange(graph.EdgeKind, []string{"R"}, nil, graph.Properties{"a": true}, Ends{}))
	require.Equal(t, "A", types.NodeType([]string{"A", "B"}))
	require.Empty(t, types.CheckedOnChange(graph.NodeKind))
}
