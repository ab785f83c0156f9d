package typedjson

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// create parses a body as POST /api/edges does.
func create(body string) (typ, source string, p graph.Properties, f *fault.Error) {
	o, f := ParseObject([]byte(body))
	if f != nil {
		return "", "", nil, f
	}
	typ, source = o.String("type"), o.String("source_id")
	p = o.NewProperties("properties", false, graph.DefaultLimits)
	return typ, source, p, o.Finish()
}

func TestObjectOfACreate(t *testing.T) {
	typ, source, p, f := create(` {"properties":{"a":1,"gone":null,"l":["x"]}, "ty\u0070e":"T","source_id":"s"} `)
	want := graph.Properties{"a": int64(1), "l": []graph.Value{"x"}}
	if f != nil || typ != "T" || source != "s" || !graph.EqualProperties(p, want) {
		t.Errorf("got %q, %q, %#v, %v", typ, source, p, f)
	}
	if _, _, p, f := create(`{"type":"T","source_id":"s"}`); f != nil || p == nil || len(p) != 0 {
		t.Errorf("without properties: got %#v, %v", p, f)
	}
}

func TestObjectRejects(t *testing.T) {
	const ok = `"type":"T","source_id":"s"`
	deep := strings.Repeat(`[`, 31) + strings.Repeat(`]`, 31)
	for _, c := range []struct {
		name, body string
		fields     []string
	}{
		{"nothing", ``, []string{"body"}},
		{"spaces", "  \n", []string{"body"}},
		{"no object", `[]`, []string{"body"}},
		{"null", `null`, []string{"body"}},
		{"byte order mark", "\xEF\xBB\xBF{" + ok + `}`, []string{"body"}},
		{"text behind", `{` + ok + `} x`, []string{"body"}},
		{"second document", `{` + ok + `}{}`, []string{"body"}},
		{"comma behind", `{` + ok + `,}`, []string{"body"}},
		{"comma in front", `{,` + ok + `}`, []string{"body"}},
		{"comma in a list", `{` + ok + `,"properties":{"a":[1,]}}`, []string{"properties.a[1]"}},
		{"no comma", `{"type":"T" "source_id":"s"}`, []string{"type"}},
		{"comment", `{/**/` + ok + `}`, []string{"body"}},
		{"single quotes", `{'type':'T'}`, []string{"body"}},
		{"bare member", `{type:"T"}`, []string{"body"}},
		{"no colon", `{"type" "T"}`, []string{"type"}},
		{"cut off in a string", `{"type":"T`, []string{"type"}},
		{"cut off in a list", `{` + ok + `,"properties":{"a":[1`, []string{"properties.a[1]"}},
		{"cut off behind a colon", `{"type":`, []string{"type"}},
		{"cut off in an escape", `{"type":"\u00`, []string{"type"}},
		{"unknown escape", `{"type":"\x"}`, []string{"type"}},
		{"tab in a string", "{\"type\":\"a\tb\"}", []string{"type"}},
		{"NUL in the text", "{\x00}", []string{"body"}},
		{"form feed between", "{\f}", []string{"body"}},
		{"words", `{"type":True}`, []string{"type"}},
		{"members missing", `{}`, []string{"type", "source_id"}},
		{"members null", `{"type":null,"source_id":null}`, []string{"type", "source_id"}},
		{"members of another kind", `{"type":1,"source_id":["s"]}`, []string{"type", "source_id"}},
		{"unknown member", `{` + ok + `,"Type":"T","":1}`, []string{"Type", "body"}},
		{"member twice", `{` + ok + `,"type":"T"}`, []string{"type"}},
		{"member twice, escaped", `{` + ok + `,"\u0074ype":"T"}`, []string{"type"}},
		{"key twice", `{` + ok + `,"properties":{"a":1,"b":2,"a":1}}`, []string{"properties.a"}},
		{"key many times", `{` + ok + `,"properties":{"a":1` + strings.Repeat(`,"a":1`, 50) + `}}`, []string{"properties.a"}},
		{
			"key twice, deeper", `{` + ok + `,"properties":{"a":[{"$type":"Date","$type":"Date","_value":"2024-05-01"}]}}`,
			[]string{"properties.a[0].$type"},
		},
		{"properties null", `{` + ok + `,"properties":null}`, []string{"properties"}},
		{"properties a list", `{` + ok + `,"properties":[]}`, []string{"properties"}},
		{"empty key", `{` + ok + `,"properties":{"":1}}`, []string{"properties."}},
		{"NUL in a key", `{` + ok + `,"properties":{"a\u0000b":1}}`, []string{"properties.a\x00b"}},
		{"lone surrogate", `{` + ok + `,"properties":{"a":"\ud800"}}`, []string{"properties.a"}},
		{"lone low surrogate", `{` + ok + `,"properties":{"a":["x","\udc00y"]}}`, []string{"properties.a[1]"}},
		{"surrogates swapped", `{` + ok + `,"properties":{"a":"\udc00\ud800"}}`, []string{"properties.a"}},
		{"surrogate then letter", `{` + ok + `,"properties":{"a":"\ud800\u0041"}}`, []string{"properties.a"}},
		{"lone surrogate in a key", `{` + ok + `,"properties":{"a\ud800":1}}`, []string{"properties.a\uFFFD"}},
		{"invalid UTF-8", `{` + ok + `,"properties":{"a":"` + "\xff" + `"}}`, []string{"properties.a"}},
		{"invalid UTF-8 in a key", `{` + ok + `,"properties":{"` + "\xff" + `":1}}`, []string{"properties.\uFFFD"}},
		{"overlong UTF-8", `{` + ok + `,"properties":{"a":"` + "\xc0\x80" + `"}}`, []string{"properties.a"}},
		{"surrogate in UTF-8", `{` + ok + `,"properties":{"a":"` + "\xed\xa0\x80" + `"}}`, []string{"properties.a"}},
		{"too deep", `{` + ok + `,"properties":` + `[` + deep + `]}`, []string{"properties[0]" + strings.Repeat("[0]", 30)}},
		{"too many properties", `{` + ok + `,"properties":{` + numbered(257) + `}}`, []string{"properties"}},
		{
			"long key", `{` + ok + `,"properties":{"` + strings.Repeat("k", 256) + `":1}}`,
			[]string{"properties." + strings.Repeat("k", 255) + "…"},
		},
		{
			"all mistakes at once",
			`{"type":1,"x":1,"properties":{"a":{},"b":[null,[1],{}],"c":9223372036854775808,"d":[1,"a"],"a":1,"e":"\ud800"}}`,
			[]string{
				"properties.e", "properties.a", "type", "source_id", "properties.a", "properties.b[0]", "properties.b[1]", "properties.b[2]",
				"properties.c", "properties.d", "x",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, _, f := create(c.body)
			if f == nil {
				t.Fatalf("accepted %s", c.body)
			}
			fields := []string{}
			for _, d := range f.Details {
				fields = append(fields, d.Field)
			}
			if f.Code != fault.Validation || !slices.Equal(fields, c.fields) {
				t.Errorf("got %v", f)
			}
		})
	}
}

func numbered(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = `"k` + strconv.Itoa(i) + `":1`
	}
	return strings.Join(members, ",")
}

func TestObjectReportsAtMostTwentyProblems(t *testing.T) {
	list := strings.TrimSuffix(strings.Repeat("null,", 100000), ",")
	for name, body := range map[string]string{
		"values":     `{"type":"T","source_id":"s","properties":{"a":[` + list + `]}}`,
		"duplicates": `{"type":"T","source_id":"s","properties":{` + numbered(1000) + `,` + numbered(1000) + `}}`,
		"unknown":    `{"type":"T","source_id":"s",` + numbered(1000) + `}`,
		"surrogates": `{"type":"T","source_id":"s","properties":{"a":["` + strings.Repeat(`\ud800","`, 1000) + `"]}}`,
	} {
		if _, _, _, f := create(body); f == nil || len(f.Details) != fault.MaxDetails {
			t.Errorf("%s: got %v", name, f)
		}
	}
}

func TestObjectDepthOf32IsAllowed(t *testing.T) {
	// The map as a whole is refused later, as a list of lists; the parser itself takes 32 levels.
	var d document
	if f := d.parse("", strings.Repeat("[", 32)+strings.Repeat("]", 32)); f != nil {
		t.Error(f)
	}
	if f := d.parse("", strings.Repeat("[", 33)+strings.Repeat("]", 33)); f == nil {
		t.Error("33 levels accepted")
	}
}

func TestObjectOfAnUpdate(t *testing.T) {
	limits := graph.Limits{List: 2, String: 3, Keys: 4, Key: 5}
	o, f := ParseObject([]byte(`{"properties":{"a":null,"toolong":1,"l":[1,2,3],"s":"long"}}`))
	if f != nil {
		t.Fatal(f)
	}
	p, unchanged := o.ChangedProperties("properties", limits)
	if f := o.Finish(); f != nil {
		t.Fatal(f)
	}
	want := graph.Properties{"a": nil, "toolong": int64(1), "l": []graph.Value{int64(1), int64(2), int64(3)}, "s": "long"}
	if !graph.EqualProperties(p, want) || !slices.Equal(unchanged, []string{"l", "s", "toolong"}) {
		t.Errorf("got %#v, %v", p, unchanged)
	}
	o, _ = ParseObject([]byte(`{}`))
	if o.ChangedProperties("properties", limits); o.Finish() == nil {
		t.Error("an update without properties is accepted")
	}
}

func TestObjectOfAUser(t *testing.T) {
	type user struct {
		Name, Password       string
		Permissions          []string
		HasPassword, HasList bool
		Admin, HasAdmin      bool
		Limit                int64
		HasLimit, NoLimit    bool
	}
	read := func(body string) (u user, f *fault.Error) {
		o, f := ParseObject([]byte(body))
		if f != nil {
			return u, f
		}
		u.Name = o.String("username")
		u.Password, u.HasPassword = o.OptionalString("password")
		u.Permissions, u.HasList = o.OptionalStrings("permissions")
		u.Admin, u.HasAdmin = o.OptionalBool("admin")
		u.Limit, u.HasLimit = o.OptionalInteger("rate_limit")
		u.NoLimit = o.Null("rate_limit")
		return u, o.Finish()
	}
	for body, want := range map[string]user{
		`{"username":"u"}`: {Name: "u"},
		`{"username":"u","password":null,"permissions":null,"admin":null,"rate_limit":null}`: {Name: "u", NoLimit: true},
		`{"username":"u","password":"","permissions":[],"admin":false,"rate_limit":0}`: {
			Name: "u", HasPassword: true, Permissions: []string{}, HasList: true, HasAdmin: true, HasLimit: true,
		},
		`{"username":"u","password":"p\n","permissions":["read","\u0065dit"],"admin":true,"rate_limit":1000}`: {
			Name: "u", Password: "p\n", HasPassword: true, Permissions: []string{"read", "edit"}, HasList: true, Admin: true, HasAdmin: true,
			Limit: 1000, HasLimit: true,
		},
	} {
		if got, f := read(body); f != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", body, got, f)
		}
	}
	_, f := read(`{"username":{},"password":1,"permissions":["a",1,null],"admin":"true","rate_limit":1.0,"extra":1}`)
	fields := []string{}
	for _, d := range f.Details {
		fields = append(fields, d.Field)
	}
	if want := []string{
		"username", "password", "permissions[1]", "permissions[2]", "admin", "rate_limit", "extra",
	}; !slices.Equal(fields, want) {
		t.Errorf("got %v", f)
	}
	if _, f := read(`{"username":"u","rate_limit":9223372036854775808}`); f == nil {
		t.Error("an integer of 2^63 is accepted")
	}
}

// What a getter returns may outlive the request, so it must not share the body's memory: the body is changed here.
func TestValuesDoNotShareTheBody(t *testing.T) {
	body := []byte(`{"type":"Type","properties":{"key":"value"}}`)
	o, f := ParseObject(body)
	if f != nil {
		t.Fatal(f)
	}
	clear(body)
	typ, p := o.String("type"), o.NewProperties("properties", true, graph.DefaultLimits)
	if f := o.Finish(); f != nil || typ != "Type" || p["key"] != "value" {
		t.Errorf("got %q, %v, %v", typ, p, f)
	}
}
