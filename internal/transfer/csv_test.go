package transfer

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func TestCSV(t *testing.T) {
	for _, test := range []struct {
		name, csv string
		types     []string
		want      string
	}{
		{
			"nodes", "code:ID(Airport),name,elevation:int,:LABEL,opened:date,:IGNORE\n" +
				"ARN,\"Arlanda, Stockholm\",42,Airport;Hub,1962-04-01,x\nXXX,,,Airport,,\n", nil,
			`{"kind":"node","ref":"7:AirportARN","labels":["Airport","Hub"],"properties":{"code":"ARN","name":"Arlanda, Stockholm",` +
				`"elevation":42,"opened":{"$type":"Date","_value":"1962-04-01"}}}
{"kind":"node","ref":"7:AirportXXX","labels":["Airport"],"properties":{"code":"XXX"}}
`,
		},
		{
			"edges with a type for all", ":START_ID(Airport),:END_ID(Airport),km:float\nARN,XXX,12\n",
			[]string{"ROUTE"},
			`{"kind":"edge","source_ref":"7:AirportARN","target_ref":"7:AirportXXX","type":"ROUTE","properties":{"km":12.0}}` + "\n",
		},
		{
			"edges with a column", ":START_ID,:TYPE,:END_ID\na,KNOWS,b\n", nil,
			`{"kind":"edge","source_ref":"0:a","target_ref":"0:b","type":"KNOWS","properties":{}}` + "\n",
		},
		{
			"every type", "\ufeffa:boolean,b:double,c:string[],d:int[],e:datetime,f:datetime,g:time,h:localtime," +
				"i:localdatetime,j:duration,k:point,l:point,m:float\n" +
				"true,1e300,x;y,1;2,2024-05-01T12:00:00[Europe/Berlin],2024-05-01T12:00:00,12:00,12:00:01," +
				"2024-05-01T12:00:00,P1Y2M,\"{longitude:13.4, latitude:52}\",\"{x:1,y:2,z:3.5}\",NaN\n",
			[]string{"T"},
			`{"kind":"node","labels":["T"],"properties":{"a":true,"b":1e+300,"c":["x","y"],"d":[1,2],` +
				`"e":{"$type":"ZonedDateTime","_value":"2024-05-01T12:00:00[Europe/Berlin]"},` +
				`"f":{"$type":"OffsetDateTime","_value":"2024-05-01T12:00:00Z"},"g":{"$type":"Time","_value":"12:00Z"},` +
				`"h":{"$type":"LocalTime","_value":"12:00:01"},` +
				`"i":{"$type":"LocalDateTime","_value":"2024-05-01T12:00:00"},"j":{"$type":"Duration","_value":"P1Y2M"},` +
				`"k":{"$type":"Point","_value":"SRID=4326;POINT (13.4 52)"},` +
				`"l":{"$type":"Point","_value":"SRID=9157;POINT Z (1 2 3.5)"},"m":{"$type":"Float","_value":"NaN"}}}` + "\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			require.NoError(t, (&CSV{Types: test.types, Quote: '"', Reject: func(n int64, err error) {
				require.NoError(t, err, "record %d", n)
			}}).WriteLines(strings.NewReader(test.csv), &out))
			require.Equal(t, test.want, out.String())
			for line := range strings.Lines(out.String()) {
				o, f := typedjson.ParseObject([]byte(line))
				require.Nil(t, f)
				o.NewProperties("properties", true, graph.DefaultLimits)
				for _, name := range []string{"kind", "ref", "labels", "type", "source_ref", "target_ref"} {
					o.Null(name)
				}
				require.Nil(t, o.Finish(), "the gateway takes every value")
			}
		})
	}
}

// convert converts a file. It returns the lines, and what was wrong with a record or the file.
func convert(o CSV, csv string) (lines string, rejected map[int64]string, err error) {
	rejected = map[int64]string{}
	o.Reject = func(n int64, err error) { rejected[n] = err.Error() }
	if o.Quote == 0 {
		o.Quote = '"'
	}
	var out strings.Builder
	err = o.WriteLines(strings.NewReader(csv), &out)
	return out.String(), rejected, err
}

func TestCSVWithTwoByteOrderMarks(t *testing.T) {
	lines, _, err := convert(CSV{Types: []string{"T"}}, "\ufeff\ufeffa\nx\n")
	require.NoError(t, err)
	require.Contains(t, lines, `"properties":{"a":"x"}`)
}

func TestCSVColumnBelowAnEmptyHeader(t *testing.T) {
	lines, rejected, err := convert(CSV{Types: []string{"T"}}, "a,b, \n1,2,\n3,4,lost\n5,6,\"\"\n")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(lines, `"kind"`))
	require.Equal(t, map[int64]string{2: "has a value in column 3, whose header is empty; name it, or :IGNORE"}, rejected)
}

func TestCSVHeaderErrors(t *testing.T) {
	for csv, wantMessage := range map[string]string{
		"":                                    "empty",
		"a:nonsense\n":                        `"nonsense" is not a type`,
		":START_ID,x\n":                       ":END_ID",
		":START_ID,:END_ID\n":                 "column :TYPE",
		":ID,:TYPE\n":                         "no column :TYPE",
		"x:LABEL\n":                           "takes no name",
		":\n":                                 "names no property",
		":int\n":                              "names no property",
		"a,a:int\n":                           `two columns are the property "a"`,
		":ID,x:ID\n":                          "columns :ID",
		":START_ID,:END_ID,:TYPE,:LABEL\n":    "no columns :ID and :LABEL",
		"a:datetime{timezone:Mars?}\n":        `"a:datetime{timezone:Mars?}": the timezone is "Mars?"`,
		"a:datetime{zone:UTC}\n":              `"a:datetime{zone:UTC}": the option zone is not known`,
		"a:time{timezone:Europe/Stockholm}\n": "must be an offset",
		"a:datetime{timezone:Nowhere/Zone}\n": `"Nowhere/Zone"; it must be a name of the IANA time zone database such as Europe/Stockholm`,
		"a:datetime{timezone:EST}\n":          "IANA", // the database does not know it
		"a:datetime[]{timezone:+25:00}\n":     `the timezone is "+25:00"`,
		"a:datetime{timezone:}\n":             "the option timezone has no value",
		"\"a:datetime{timezone:Z,crs:WGS-84}\"\n": "the option crs is not known",
		"\"a:datetime{timezone:Z,timezone:Z}\"\n": "the option timezone is given twice",
		"a:date{timezone:Z}\n":                    "the option timezone is not known; there are none here",
		"a:time{timezone:+25:00}\n":               "must be an offset",
		"a:int{format:x}\n":                       "the option format is not known",
		"a:point{crs:EPSG}\n":                     `the crs is "EPSG"`,
		"a:point{crs}\n":                          "key:value",
		"a:point{crs:''}\n":                       "the option crs has no value",
		"\"a:point{crs:WGS-84,srid:7203}\"\n":     "name different systems",
		"a:point{srid:1}\n":                       `the srid is "1"`,
		"a:point{height:x}\n":                     `height is "x", not a number`,
		"\"a:point{x:1,latitude:2}\"\n":           "cannot be given together",
		"\"a:point{crs:cartesian,height:0}\"\n":   "belong to WGS-84",
		"a:int(Space)\n":                          "take the name of a space",
		":ID()\n":                                 "the name of the space is missing",
		":ID(A){label:Person}\n":                  "incremental import",
		":ID{id-type:uuid}\n":                     "must be string, int or long",
		":LABEL{x:1}\n":                           "the option x is not known",
		":ID[]\n":                                 "takes no []",
		"a:int[][]\n":                             "does not have the format",
		"a:int{x:1\n":                             "does not have the format",
	} {
		_, _, err := convert(CSV{}, csv)
		require.ErrorContains(t, err, wantMessage, csv)
	}
	_, _, err := convert(CSV{Types: []string{"A", "B"}}, ":START_ID,:END_ID,:TYPE\n")
	require.ErrorContains(t, err, "one type")
}

// A record that cannot be converted has an empty line, and the others are converted.
func TestCSVRecordsFailApart(t *testing.T) {
	for csv, wantMessage := range map[string]string{
		"a:int\n1\nx\n2\n":                                                     "a: \"x\" is not a 64-bit integer",
		"a:int\n1\n9223372036854775808\n2\n":                                   "64-bit",
		"a:boolean\ntrue\nperhaps\nfalse\n":                                    "neither true nor false",
		"a:point\n\"{x:1,y:2}\"\n{x:1}\n\"{x:0,y:0}\"":                         "y is \"\", not a number",
		"a:point\n\"{x:1,y:2}\"\n\"{x:1,y:2,q:3}\"\n\"{x:0,y:0}\"":             "the option q is not known",
		"a:point{crs:WGS-84}\n\"{x:1,y:2}\"\nx\n\"{x:0,y:0}\"":                 "is not a point",
		"a:point{crs:WGS-84}\n\"{x:1,y:2}\"\n\"{x:1,y:2,z:3}\"\n\"{x:0,y:0}\"": "does not have",
		"a,b\n1,2\n1\n3,4\n":                                                   "has 1 fields, and the header has 2",
		"a,b\n1,2\n1,\"x\"y\n3,4\n":                                            "quotes inside it must be doubled",
		"a,b\n1,2\n\"x\"y,2\n3,4\n":                                            "quotes inside it must be doubled",
		"a:float\n1\nabc\n2\n":                                                 "is not a number",
		"a:char\nä\nab\nb\n":                                                   "is not one character",
		"a:byte[]\n1;-128\n128\n0\n":                                           "from -128 to 127",
		"a:json\n1\n{\n2\n":                                                    "is not JSON",
		"a\nx\n\xe9\ny\n":                                                      "not in UTF-8",
		":START_ID,:END_ID,:TYPE\na,b,c\n,b,c\na,b,c":                          ":START_ID is empty",
		":START_ID,:END_ID,:TYPE\na,b,c\na,b,\na,b,c":                          ":TYPE is empty",
		":ID{id-type:int}\n1\nx\n2\n":                                          "64-bit",
	} {
		lines, rejected, err := convert(CSV{}, csv)
		require.NoError(t, err, csv)
		require.Len(t, rejected, 1, csv)
		require.Contains(t, rejected[2], wantMessage, csv)
		parts := strings.Split(lines, "\n")
		require.Len(t, parts, 4, csv)
		require.Empty(t, parts[1], csv)
		require.NotEmpty(t, parts[0])
		require.NotEmpty(t, parts[2])
	}
}

func TestCSVValues(t *testing.T) {
	for _, test := range []struct{ name, header, cell, want string }{
		{
			"a zone of the header", "a:datetime{timezone:Europe/Stockholm}", "2024-05-01T12:00",
			`{"$type":"ZonedDateTime","_value":"2024-05-01T12:00[Europe/Stockholm]"}`,
		},
		{
			"a zone in the array form", "a:datetime[]{timezone:+0200}", "2024-05-01T12:00",
			`[{"$type":"OffsetDateTime","_value":"2024-05-01T12:00+02:00"}]`,
		},
		{
			"an offset goes before the header's zone", "a:datetime{timezone:Europe/Stockholm}", "2010-01-03T15:10:31.499+0000",
			`{"$type":"OffsetDateTime","_value":"2010-01-03T15:10:31.499+00:00"}`,
		},
		{"an offset of the header for a time", "a:time{timezone:-05:30}", "12:00", `{"$type":"Time","_value":"12:00-05:30"}`},
		{"a time with an offset as LDBC writes it", "a:time", "12:00-0530", `{"$type":"Time","_value":"12:00-05:30"}`},
		{"a local date-time", "a:localdatetime", "2024-05-01T12:00", `{"$type":"LocalDateTime","_value":"2024-05-01T12:00"}`},
		{"a system of the header", "p:point{crs:WGS-84}", "{x:13.4,y:52.5}", `{"$type":"Point","_value":"SRID=4326;POINT (13.4 52.5)"}`},
		{"a system of the header with quotes", "p:point{crs: 'wgs-84-3D'}", "{x:1,y:2,height:3,z:3}", ""},
		{"a default of the header", "p:point{height:7}", "{longitude:1,latitude:2}", `{"$type":"Point","_value":"SRID=4979;POINT Z (1 2 7)"}`},
		{"a system of the value", "p:point{crs:WGS-84}", "{x:1,y:2,crs:cartesian}", `{"$type":"Point","_value":"SRID=7203;POINT (1 2)"}`},
		{
			"a flat system of the value", "p:point{crs:WGS-84-3D,height:0}", "{x:1,y:2,crs:cartesian}",
			`{"$type":"Point","_value":"SRID=7203;POINT (1 2)"}`,
		},
		{
			"an axis of the header in a system of the value", "p:point{crs:cartesian-3D,z:7}", "{x:1,y:2,srid:4979}",
			`{"$type":"Point","_value":"SRID=4979;POINT Z (1 2 7)"}`,
		},
		{"a number of the value", "p:point{crs:WGS-84}", "{x:1,y:2,srid:7203}", `{"$type":"Point","_value":"SRID=7203;POINT (1 2)"}`},
		{"a point with an srid", "p:point", "{x:1,y:-Infinity,srid:7203}", `{"$type":"Point","_value":"SRID=7203;POINT (1 -Infinity)"}`},
		{"a point as an export writes it", "p:point", "SRID=4326;POINT (1 2)", `{"$type":"Point","_value":"SRID=4326;POINT (1 2)"}`},
		{"bytes", "b:byte[]", "1;-1", `{"$type":"Base64","_value":"Af8="}`},
		{"no bytes", "b:byte[]", "", `{"$type":"Base64","_value":""}`},
		{"bytes in Base64", "b:bytes", "Af8=", `{"$type":"Base64","_value":"Af8="}`},
		{"JSON", "j:json", "[1, \"a;b\"]", `[1, "a;b"]`},
		{"an empty text", "a", "", `""`},
		{"an empty list", "a:int[]", "", `[]`},
		{"a name with a colon", "rdfs:label:string", "x", `"x"`},
		{"line breaks", "a", "x\r\ny\rz\n", `"x\r\ny\rz\n"`},
		{"spaces", "a", "  x ", `"  x "`},
	} {
		t.Run(test.name, func(t *testing.T) {
			quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
			lines, rejected, err := convert(CSV{Types: []string{"T"}}, quote(test.header)+"\n"+quote(test.cell)+"\n")
			require.NoError(t, err)
			if test.want == "" {
				require.NotEmpty(t, rejected)
				return
			}
			require.Empty(t, rejected)
			name, _, _ := strings.Cut(test.header, ":")
			if strings.HasPrefix(test.header, "rdfs") {
				name = "rdfs:label"
			}
			require.Equal(t, `{"kind":"node","labels":["T"],"properties":{"`+name+`":`+test.want+"}}\n", lines)
		})
	}
}

// utf16 encodes ASCII in UTF-16 with a byte order mark.
func utf16(ascii string) string {
	text := "\xff\xfe"
	for _, c := range []byte(ascii) {
		text += string([]byte{c, 0})
	}
	return text
}

func TestCSVDialects(t *testing.T) {
	want := `{"kind":"node","labels":["T"],"properties":{"a":"x","b":["1","2"]}}` + "\n"
	for name, test := range map[string]struct {
		options CSV
		csv     string
	}{
		"semicolons":                    {CSV{}, "a;b:string[]\nx;\"1;2\"\n"},
		"bars, as LDBC has them":        {CSV{}, "a|b:STRING[]\nx|1;2\n"},
		"tabs":                          {CSV{}, "a\tb:string[]\nx\t1;2\n"},
		"a given delimiter":             {CSV{Delimiter: '^', ListDelimiter: '|'}, "a^b:string[]\nx^1|2\n"},
		"carriage returns end lines":    {CSV{}, "a,b:string[]\rx,1;2\r"},
		"lines end in both":             {CSV{}, "a,b:string[]\r\nx,1;2\r\n\r\n\r\n"},
		"no line break at the end":      {CSV{}, "a,b:string[]\n\nx,1;2"},
		"an absent value":               {CSV{Null: `\N`}, "a,b:string[],c\nx,1;2,\\N\n"},
		"UTF-16 with a byte order mark": {CSV{}, utf16("a,b:string[]\nx,1;2")},
		"a name in JSON":                {CSV{}, "\"\"\"a\"\"\",b:string[]\nx,1;2\n"},
		"an ignored column":             {CSV{}, "a,b:string[],c:IGNORE\nx,1;2,z\n"},
	} {
		test.options.Types = []string{"T"}
		lines, rejected, err := convert(test.options, test.csv)
		require.NoError(t, err, name)
		require.Empty(t, rejected, name)
		require.Equal(t, want, lines, name)
	}
	lines, rejected, err := convert(CSV{Encoding: "windows-1252"}, "name\nM\xfcller \x80\n")
	require.NoError(t, err)
	require.Empty(t, rejected)
	require.Contains(t, lines, `"Müller €"`)
	_, rejected, err = convert(CSV{Encoding: "shift_jis"}, "name\nok\n\x85\xff\n")
	require.NoError(t, err)
	require.Contains(t, rejected[2], "not in the encoding")
	require.ErrorContains(t, CheckText(strings.NewReader("a\nb\n\xfc\n"), ""), "line 3 is not in UTF-8; give --encoding")
	require.NoError(t, CheckText(strings.NewReader("a\n\xfc\n"), "windows-1252"))
	lines, rejected, err = convert(CSV{}, "name\n\"x\nnever closed\n")
	require.NoError(t, err)
	require.Equal(t, "\n", lines)
	require.Contains(t, rejected[1], "the quote that opens in line 2 is not closed")
}

// Ids of different spaces are different refs, whatever their texts.
func TestIDSpacesAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A0-9:/()]{0,4}`)
		space, id, otherSpace, otherID := text.Draw(t, "a"), text.Draw(t, "b"), text.Draw(t, "c"), text.Draw(t, "d")
		require.Equal(t, space == otherSpace && id == otherID, qualifyID(space, id) == qualifyID(otherSpace, otherID))
	})
	long := strings.Repeat("x", 300)
	require.LessOrEqual(t, len(qualifyID("S", long)), maxRef)
	require.NotEqual(t, qualifyID("S", long), qualifyID("", "S"+long))
}

// An import with the same key gives a record the same id, and no other record.
func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, key := range []string{"a", "b"} {
		for file := range uint16(3) {
			last := ""
			for record := range int64(9) {
				id := NewKey(key).ID(file, record)
				require.False(t, seen[id])
				require.Less(t, last, id)
				require.Empty(t, graph.GivenIDProblem(graph.NodeKind, id, false))
				seen[id], last = true, id
			}
		}
	}
	require.True(t, seen[NewKey("b").ID(2, 8)])
}

// What the web interface exports as CSV is imported with equal values. Its unit tests write both files.
func TestTablesOfTheWebInterface(t *testing.T) {
	table, err := os.ReadFile("testdata/web-nodes.csv")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/web-nodes.ndjson")
	require.NoError(t, err)
	lines, rejected, err := convert(CSV{}, string(table))
	require.NoError(t, err)
	require.Empty(t, rejected)
	require.Equal(t, readNodes(t, string(want)), readNodes(t, lines))
}

// readNodes reads lines of nodes, without their ids. The values are written again, so that equal ones have one text.
func readNodes(t *testing.T, lines string) []string {
	t.Helper()
	var texts []string
	for line := range strings.Lines(lines) {
		o, f := typedjson.ParseObject([]byte(line))
		require.Nil(t, f, line)
		node := graph.Node{Properties: o.NewProperties("properties", true, graph.DefaultLimits)}
		node.Labels = o.Strings("labels")
		for _, name := range []string{"kind", "ref", "id", "type"} {
			o.Null(name)
		}
		require.Nil(t, o.Finish(), line)
		texts = append(texts, string(typedjson.AppendNode(nil, &node)))
	}
	return texts
}
