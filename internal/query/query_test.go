package query

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/answer"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func parse(t *testing.T, body string) (Definition, *fault.Error) {
	t.Helper()
	o, f := typedjson.ParseObject([]byte(body))
	require.Nil(t, f)
	d := ParseDefinition(o, NewDefinition(), time.Minute)
	return d, o.Finish()
}

func compiled(t *testing.T, parameters string) *Query {
	t.Helper()
	d, f := parse(t, `{"name":"q","cypher":"RETURN 1","parameters":`+parameters+`}`)
	require.Nil(t, f)
	q, err := Compile(d)
	require.NoError(t, err)
	return q
}

// TestDefinitionsAreStoredAsSaved: what is loaded is what was saved.
func TestDefinitionsAreStoredAsSaved(t *testing.T) {
	const text = `{"name":"a_b2","description":"d","cypher":"RETURN $x","parameters":{` +
		`"a":{"enum":[1,2],"description":"one","choices":"names"},` +
		`"b":{"neo4jType":"Date","default":{"$type":"Date","_value":"2024-05-01"}},"c":{"from":"$user.attributes.x"},"d":{"default":null}},` +
		`"timeout":"1.5s","max_rows":7,"max_bytes":9,"cache_seconds":3,"allow":["all_nodes_scan"]}`
	q, err := Load(text)
	require.NoError(t, err)
	require.Equal(t, text, string(append(AppendDefinition([]byte{'{'}, &q.Definition), '}')))
	require.Equal(t, `{"a":{"enum":[1,2],"description":"one","choices":"names"},`+
		`"b":{"neo4jType":"Date","default":{"$type":"Date","_value":"2024-05-01"}},`+
		`"d":{"default":null}}`, string(AppendParameters(nil, q)), "what the caller fills stands in no schema")
}

func TestTimeouts(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`2`: 2 * time.Second, `"2s"`: 2 * time.Second, `"250ms"`: 250 * time.Millisecond, `60`: time.Minute,
	} {
		d, f := parse(t, `{"timeout":`+text+`}`)
		require.Nil(t, f, text)
		require.Equal(t, want, d.Timeout)
	}
	for _, text := range []string{`61`, `0`, `-1`, `"x"`, `2.0`, `"61s"`, `9223372036854775807`, `true`} {
		_, f := parse(t, `{"timeout":`+text+`}`)
		require.NotNil(t, f, text)
		require.Equal(t, "timeout", f.Details[0].Field)
	}
}

func TestParametersRefused(t *testing.T) {
	for field, parameters := range map[string]string{
		"parameters.a":         `{"a":{"type":"strin"}}`,
		"parameters.a.default": `{"a":{"type":"integer","default":"x"}}`,
		"parameters.a.choices": `{"a":{"choices":"No"}}`,
		"parameters.a.from":    `{"a":{"from":"$user.username","default":1}}`,
		"parameters.format":    `{"format":{}}`,
		"parameters":           `[]`,
	} {
		d, f := parse(t, `{"name":"q","cypher":"RETURN 1","parameters":`+parameters+`}`)
		if f == nil {
			_, err := Compile(d)
			f = fault.As(err)
		}
		require.NotNil(t, f, parameters)
		require.Contains(t, f.Details[0].Field, field)
	}
}

// TestPatternsThatNoRunCanAnswer: a condition that no value of its parameter's type fits is refused when the query is saved; the value of
// one of any type is refused at the run, and names the parameter.
func TestPatternsThatNoRunCanAnswer(t *testing.T) {
	const text, list = "its value must be a text", "its value must be an array"
	const order, element = "its value must be a number, a text, a boolean or a time", "its value must be what a list can hold"
	const oneValue = `{"type":"integer"} {"type":"string"} {"neo4jType":"Date"} {"from":"$user.id"}`
	const notText = `{"type":"integer"} {"type":"number"} {"type":"boolean"} {"type":"array"} {"neo4jType":"Date"} {"neo4jType":"Duration"} ` +
		`{"neo4jType":"Point"} {"neo4jType":"List<String>"} {"enum":[1,2]} {"type":["integer","null"]}`
	const anyType = ` {} {"from":"$user.attributes.x"} {"type":"object"}`
	for operator, types := range map[string]struct{ refused, message, accepted string }{
		"contains":    {notText, text, `{"type":"string"} {"type":["string","integer"]} {"enum":["a"]} {"from":"$user.username"}` + anyType},
		"icontains":   {notText, text, `{"type":"string"} {"neo4jType":["String","Integer"]}` + anyType},
		"starts_with": {notText, text, `{"neo4jType":"String"}` + anyType},
		"ends_with":   {notText, text, `{"type":"string"}` + anyType},
		"in":          {oneValue, list, `{"type":"array"} {"neo4jType":"List"}` + anyType},
		"nin":         {`{"type":"string"}`, list, `{"neo4jType":"List<Date>"}`},
		"has":         {`{"type":"array"} {"neo4jType":"Base64"}`, element, `{"type":"string"} {"neo4jType":"Date"}`},
		"exists":      {`{"type":"string"}`, "its value must be true or false", `{"type":"boolean"}`},
		"lt":          {`{"type":"array"} {"neo4jType":"Duration"}`, order, `{"type":"number"} {"neo4jType":"Time"}`},
		"eq":          {``, "", `{"type":"array"} {"type":"null"} {"neo4jType":"Point"}` + anyType},
	} {
		save := func(schema string) error {
			d, f := parse(t, `{"name":"q","pattern":{"match":[[{"as":"a","type":"T","filter":{"v":{"`+operator+`":{"$param":"ex"}}}}]]},`+
				`"parameters":{"ex":`+schema+`}}`)
			require.Nil(t, f)
			q, err := Compile(d)
			require.NoError(t, err, "what is stored stays readable")
			return q.checkPatternTypes()
		}
		for _, schema := range strings.Fields(types.refused) {
			f := fault.As(save(schema))
			require.NotNil(t, f, "%s %s", operator, schema)
			require.Equal(t, "pattern.match[0][0].filter.v", f.Details[0].Field)
			require.Contains(t, f.Details[0].Message, operator+": the parameter ex has the wrong type: "+types.message, schema)
		}
		for _, schema := range strings.Fields(types.accepted) {
			require.NoError(t, save(schema), "%s %s", operator, schema)
		}
	}
}

func TestValuesOfURLsAreReadByTheirTypes(t *testing.T) {
	q := compiled(t, `{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"d":{"neo4jType":"Date"},`+
		`"l":{"neo4jType":"List<Integer>"},"t":{"type":"array","items":{"type":"string"}},"o":{"type":["string","null"],"default":null}}`)
	got, err := q.bind(Caller{}, Given{Texts: map[string]string{
		"s": "12", "i": "9007199254740993", "n": "1.5", "b": "true", "d": "2024-05-01", "l": "1,2", "t": "1,x",
	}})
	require.NoError(t, err)
	require.Equal(t, map[string]graph.Value{
		"s": "12", "i": int64(9007199254740993), "n": 1.5, "b": true, "d": graph.Date{Days: 19844}, "l": []graph.Value{int64(1), int64(2)},
		"t": []graph.Value{"1", "x"}, "o": nil,
	}, got)
	q = compiled(t, `{"i":{"type":"array","items":{"type":"integer"}},"n":{"type":"array","items":{"type":"number"}},`+
		`"b":{"type":"array","items":{"type":"boolean"}},"e":{"type":"array","items":{"type":"integer"}}}`)
	got, err = q.bind(Caller{}, Given{Texts: map[string]string{"i": "[1,2]", "n": "[1,2.5]", "b": "[true]", "e": "[]"}})
	require.NoError(t, err)
	require.Equal(t, map[string]graph.Value{
		"i": []graph.Value{int64(1), int64(2)}, "n": []graph.Value{int64(1), 2.5}, "b": []graph.Value{true}, "e": []graph.Value{},
	}, got)
	q = compiled(t, `{"i":{"type":"integer"}}`)
	_, err = q.bind(Caller{}, Given{Texts: map[string]string{"i": "1.5"}})
	require.Equal(t, "i", fault.As(err).Details[0].Field)
}

// TestNull: null is a value where the schema names it, otherwise it counts as not given.
func TestNull(t *testing.T) {
	q := compiled(t, `{"a":{"type":["integer","null"],"default":1},"b":{"type":["string","null"]},"c":{"type":"integer","default":3}}`)
	null := graph.Properties{"a": nil, "b": nil, "c": nil}
	got, err := q.bind(Caller{}, Given{Values: null})
	require.NoError(t, err)
	require.Equal(t, map[string]graph.Value{"a": nil, "b": nil, "c": int64(3)}, got)
	_, err = q.bind(Caller{}, Given{Values: graph.Properties{}})
	require.Equal(t, "parameters.b", fault.As(err).Details[0].Field, "required")
	_, err = compiled(t, `{"d":{"type":"integer"}}`).bind(Caller{}, Given{Values: graph.Properties{"d": nil}})
	require.Equal(t, "parameters.d", fault.As(err).Details[0].Field, "null is none of its values")
}

func TestWhatTheCallerFills(t *testing.T) {
	q := compiled(t, `{"u":{"from":"$user.username"},"i":{"from":"$user.id"},"a":{"from":"$user.attributes.a"},`+
		`"none":{"from":"$user.attributes.b"}}`)
	c := Caller{UserID: "id", Username: "ann", Attributes: graph.Properties{"a": int64(1)}}
	got, err := q.bind(c, Given{})
	require.NoError(t, err)
	require.Equal(t, map[string]graph.Value{"u": "ann", "i": "id", "a": int64(1), "none": nil}, got)
	_, err = q.bind(c, Given{Values: map[string]graph.Value{"u": "root"}})
	require.Equal(t, "parameters.u", fault.As(err).Details[0].Field)
}

// TestCachedAnswers: an equal call of the same version has the cached answer until it expires, another call has its own.
func TestCachedAnswers(t *testing.T) {
	now := time.Unix(1000, 0)
	s := NewService(nil, nil, nil, nil)
	s.cache = newCache(func() time.Time { return now })
	q := compiled(t, `{}`)
	q.CacheSeconds = 10
	runs, fromCache := 0, 0
	caller := Caller{Began: func() { fromCache++ }} // the engine calls it for the others
	run := func(q *Query, values map[string]graph.Value) {
		_, err := s.cached(caller, q, values, func() (*answer.Answer, error) {
			runs++
			return answer.NewBuilder(nil, answer.Limits{}).Answer(), nil
		})
		require.NoError(t, err)
	}
	run(q, map[string]graph.Value{"a": int64(1)})
	run(q, map[string]graph.Value{"a": int64(1)})
	require.Equal(t, 1, runs)
	require.Equal(t, 1, fromCache, "a run that the audit has")
	run(q, map[string]graph.Value{"a": 1.0})
	require.Equal(t, 2, runs, "an integer is not a float")
	next := *q
	next.Version++
	run(&next, map[string]graph.Value{"a": int64(1)})
	require.Equal(t, 3, runs, "another version")
	now = now.Add(10 * time.Second)
	run(q, map[string]graph.Value{"a": int64(1)})
	require.Equal(t, 4, runs, "expired")
	for i := range 2 * maxCached {
		run(q, map[string]graph.Value{"a": int64(i), "b": math.Pi})
	}
	require.LessOrEqual(t, len(s.cache.known), maxCached)
}
