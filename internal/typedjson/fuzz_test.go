package typedjson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// stricterRules lists what this parser rejects although encoding/json accepts it. A rejection for any other reason is a bug.
var stricterRules = []string{
	"nested more than", "occurs more than once", "lone surrogate", "valid UTF-8", "too long",
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, ` {"a":[1,-0.5e+3,"\ud83d\ude00\u0000",{"b":true}],"c":{"a":false}} `, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"",
		`{"type":"T","properties":{"a":{"$type":"Date","_value":"2024-05-01"}}}`, strings.Repeat("[", 40), `[1,]`, `01`, `1.`, "\xEF\xBB\xBF1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var d document
		err := d.parse("v", text)
		details := d.problems
		if err != nil {
			details = err.Details
		}
		if valid := json.Valid([]byte(text)); valid != (len(details) == 0) {
			for _, detail := range details {
				if !valid || !containsAny(detail.Message, stricterRules) {
					t.Fatalf("%q: encoding/json says valid=%v, we say %v", text, valid, details)
				}
			}
			if !valid {
				t.Fatalf("%q: accepted, but encoding/json rejects it", text)
			}
		}
		if len(details) > 0 {
			return
		}
		var want any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		sameAsStandard(t, &d, 0, want)
	})
}

func containsAny(s string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// sameAsStandard compares a document with what encoding/json read from the same text.
func sameAsStandard(t *testing.T, d *document, i int, want any) {
	t.Helper()
	same := false
	switch want := want.(type) {
	case nil:
		same = d.tokens[i].kind == tokenNull
	case bool:
		same = d.tokens[i].kind == map[bool]tokenKind{true: tokenTrue, false: tokenFalse}[want]
	case string:
		same = d.tokens[i].kind == tokenString && d.text(i) == want
	case json.Number:
		same = d.tokens[i].kind == tokenNumber && d.text(i) == string(want)
	case []any:
		same = d.tokens[i].kind == tokenArray && int(d.tokens[i].end) == len(want)
		for n, e := range d.elements(i) {
			sameAsStandard(t, d, e, want[n])
		}
	case map[string]any:
		same = d.tokens[i].kind == tokenObject && int(d.tokens[i].end) == len(want)
		for key, e := range d.members(i) {
			v, ok := want[key]
			if !ok {
				t.Fatalf("%q: no member %q", d.src, key)
			}
			sameAsStandard(t, d, e, v)
		}
	}
	if !same {
		t.Fatalf("%q: token %d is %+v, encoding/json has %#v", d.src, i, d.tokens[i], want)
	}
}

// FuzzBody parses and encodes a body: no panic, and what is accepted can be stored and is read back unchanged.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"type":"T","source_id":"s","properties":{"a":1}}`,
		`{"type":"T","source_id":"s","properties":{"a":[{"$type":"Float","_value":"NaN"},1.5],"b":null}}`,
		`{"type":1}`, `[]`, `{"type":"T","source_id":"s","properties":{"a":{"$type":"Duration","_value":"P1Y2M-3DT1H1M1.1S"}}}`,
		`{"type":"T","source_id":"s","properties":{"p":{"$type":"Point","_value":"SRID=4979;POINT Z (1 2 3)"},"b":{"$type":"Base64",` +
			`"_value":"AAH/"}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		_, _, p, err := create(body)
		if err != nil {
			if err.Code != fault.Validation || len(err.Details) == 0 || len(err.Details) > fault.MaxDetails {
				t.Fatalf("%q: %v", body, err)
			}
			for _, d := range err.Details {
				if d.Field == "" || d.Message == "" || !utf8.ValidString(d.Field) {
					t.Fatalf("%q: detail %+v", body, d)
				}
			}
			return
		}
		text := AppendProperties(nil, p)
		back, faults := DecodeProperties("properties", text)
		if len(faults) > 0 || !graph.EqualProperties(p, back) {
			t.Fatalf("%q: %s reads back as %#v, %v", body, text, back, faults)
		}
	})
}

// fuzzText fuzzes one parser of a tag's text: what it accepts, it writes in a form that reads back as the same value.
func fuzzText(f *testing.F, tag string, parse func(string) (graph.Value, string), seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, reason := parse(text)
		if reason != "" {
			return
		}
		out := AppendValue(nil, v)
		var tagged struct {
			Type  string `json:"$type"`
			Value string `json:"_value"`
		}
		if err := json.Unmarshal(out, &tagged); err != nil || !strings.Contains(tag, tagged.Type) {
			t.Fatalf("%q: %s, %v", text, out, err)
		}
		back, reason := parse(tagged.Value)
		if reason != "" || !graph.EqualValues(v, back) {
			t.Fatalf("%q: %s reads back as %#v (%s), not %#v", text, out, back, reason, v)
		}
	})
}

func FuzzDate(f *testing.F) {
	fuzzText(f, tagDate, parseDate, "2024-05-01", "-0001-12-31", "+12345-02-28", "2023-02-29")
}

func FuzzLocalTime(f *testing.F) {
	fuzzText(f, tagLocalTime, parseLocalTime, "12:34", "12:34:56", "23:59:59.999999999")
}

func FuzzTime(f *testing.F) {
	fuzzText(f, tagTime, parseTime, "12:34Z", "12:34:56.5+01", "12:34:56-18:00", "00:00:00+01:00:30")
}

func FuzzLocalDateTime(f *testing.F) {
	fuzzText(f, tagLocalDateTime, parseLocalDateTime, "2024-05-01T12:34", "-999999999-01-01T00:00:00", "+999999999-12-31T23:59:59.999999999")
}

func FuzzOffsetDateTime(f *testing.F) {
	fuzzText(f, tagOffsetDateTime, parseOffsetDateTime, "2024-05-01T12:34Z", "-999999999-01-01T00:00:00-18:00",
		"2024-05-01T12:34:56.5+01:00:30")
}

func FuzzZonedDateTime(f *testing.F) {
	fuzzText(f, tagZonedDateTime, parseZonedDateTime, "2024-05-01T12:34[Europe/Berlin]", "2024-10-27T02:30:00+01:00[Europe/Berlin]",
		"2011-12-30T12:00:00[Pacific/Apia]", "+999999999-12-31T23:59:59[Asia/Kathmandu]", "2024-05-01T10:00:00Z[SystemV/AST4]")
}

func FuzzDuration(f *testing.F) {
	fuzzText(f, tagDuration, parseDuration, "P1Y2M3W4DT5H6M7.8S", "-P1DT-0.5S", "PT-9223372036854775808S", "P1.5W", "PT1.5H", "P-1Y+1M")
}

func FuzzPoint(f *testing.F) {
	fuzzText(f, tagPoint, parsePoint, "SRID=4326;POINT (1 2)", "SRID=9157;POINT Z (1e300 -0.0 NaN)", "SRID=7203; POINT( Infinity  -1 )")
}

func FuzzFloat(f *testing.F) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, 1e21, 1e-7, math.MaxFloat64, 5e-324, math.NaN(), math.Inf(-1)} {
		f.Add(math.Float64bits(x))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		want := math.Float64frombits(bits)
		text := string(AppendValue(nil, want))
		if got, err := ParseValue("v", text); err != nil || !graph.EqualValues(got, want) {
			t.Fatalf("%s reads back as %#v, %v", text, got, err)
		}
	})
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\x1f\"\\/", "\u2028", "😀", "\xff", "a\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := AppendString(nil, s)
		var got string
		want := toValid(s)
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%q: %s, %v", s, text, err)
		}
		if v, err := ParseValue("v", string(text)); err != nil || v != want {
			t.Fatalf("%q: we read %#v, %v", s, v, err)
		}
	})
}

// toValid replaces each invalid byte by U+FFFD, as ranging over a string does.
func toValid(s string) string { return string([]rune(s)) }
