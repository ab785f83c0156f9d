package transfer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
			`{"kind":"node","ref":"Airport/ARN","labels":["Airport","Hub"],"properties":{"code":"ARN","name":"Arlanda, Stockholm",` +
				`"elevation":42,"opened":{"$type":"Date","_value":"1962-04-01"}}}
{"kind":"node","ref":"Airport/XXX","labels":["Airport"],"properties":{"code":"XXX"}}
`,
		},
		{
			"edges with a type for all", ":START_ID(Airport),:END_ID(Airport),km:float\nARN,XXX,12\n",
			[]string{"ROUTE"},
			`{"kind":"edge","source_ref":"Airport/ARN","target_ref":"Airport/XXX","type":"ROUTE","properties":{"km":12.0}}` + "\n",
		},
		{
			"edges with a column", ":START_ID,:TYPE,:END_ID\na,KNOWS,b\n", nil,
			`{"kind":"edge","source_ref":"a","target_ref":"b","type":"KNOWS","properties":{}}` + "\n",
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
			require.NoError(t, WriteCSV(strings.NewReader(test.csv), test.types, &out))
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

func TestCSVErrors(t *testing.T) {
	for csv, wantMessage := range map[string]string{
		"":                            "empty",
		"a:nonsense\n":                `"nonsense" is not a type`,
		":START_ID,x\n":               ":END_ID",
		":START_ID,:END_ID\n":         "column :TYPE",
		":ID,:TYPE\n":                 "no column :TYPE",
		"a:int\n1\nx\n":               "record 2: a: \"x\" is not a 64-bit integer",
		"a:boolean\nperhaps\n":        "record 1",
		"a:point\n{x:1}\n":            "record 1",
		"a,b\n1\n":                    "wrong number of fields",
		"x:LABEL\n":                   "takes no name",
		"a:float\nabc\n":              "is not a number",
		":\n":                         "does not have the format",
		":int\n":                      "names no property",
		"a:long\n9223372036854775808": "64-bit",
	} {
		err := WriteCSV(strings.NewReader(csv), nil, &strings.Builder{})
		require.ErrorContains(t, err, wantMessage, csv)
	}
}
