package declared

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// typeKeyword names types of Neo4j, as GET /api/schema shows them: one name or a list of them.
const typeKeyword = "neo4jType"

// scalarTypes are its names, save for List<...> of each.
var scalarTypes = []string{
	"String", "Integer", "Float", "Boolean", "Date", "Time", "LocalTime", "ZonedDateTime", "OffsetDateTime", "LocalDateTime",
	"Duration", "Point", "Base64",
}

const listType = "List"

// knownType says whether a name is one that the keyword takes.
func knownType(name string) bool {
	inner, isList := strings.CutPrefix(name, listType+"<")
	if isList {
		closed := strings.HasSuffix(inner, ">")
		inner = strings.TrimSuffix(inner, ">")
		return closed && inner != "Base64" && slices.Contains(scalarTypes, inner)
	}
	return name == listType || slices.Contains(scalarTypes, name)
}

// jsonObject is an entity's properties as the library takes them. What JSON lacks is in typed JSON.
func jsonObject(p graph.Properties) map[string]any {
	members := make(map[string]any, len(p))
	for key, v := range p {
		if v != nil {
			members[key] = jsonValue(v)
		}
	}
	return members
}

func jsonValue(v graph.Value) any {
	switch v := v.(type) {
	case nil, bool, int64, string:
		return v
	case float64:
		if v-v == 0 {
			return v
		}
	case []graph.Value:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = jsonValue(e)
		}
		return all
	}
	var tagged map[string]any
	_ = json.Unmarshal(typedjson.AppendValue(nil, v), &tagged) // it is an object of two texts
	return tagged
}

// typeOf is the name of an instance's type; that of an empty list is just List.
func typeOf(v any) string {
	switch v := v.(type) {
	case bool:
		return "Boolean"
	case int64:
		return "Integer"
	case float64:
		return "Float"
	case string:
		return "String"
	case []any:
		if len(v) == 0 {
			return listType
		}
		return listType + "<" + typeOf(v[0]) + ">"
	case map[string]any:
		name, _ := v["$type"].(string)
		return name
	}
	return ""
}

// typeMatches says whether a value of one type is one of another: a date and time with an offset is what Neo4j calls a zoned one,
// bytes are what it calls a list of integers, and any list is a List.
func typeMatches(got, want string) bool {
	switch {
	case got == want:
		return true
	case got == "Base64":
		return want == "List<Integer>" || want == listType
	case want == listType || got == listType:
		return strings.HasPrefix(got, listType) && strings.HasPrefix(want, listType)
	default:
		return strings.ReplaceAll(got, "OffsetDateTime", "ZonedDateTime") == want
	}
}

// neo4jTypes is the vocabulary that the service adds. It also makes "integer" mean an integer of Neo4j, which 1.0 is not.
func neo4jTypes() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{URL: "urn:graphrest:types", Schema: acceptAll(), Compile: compileTypes}
}

// acceptAll is a schema that all is valid by: checkTypeNames has looked at the vocabulary's own keyword.
var acceptAll = sync.OnceValue(func() *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURI, map[string]any{}); err != nil {
		panic(err)
	}
	return c.MustCompile(schemaURI)
})

func compileTypes(_ *jsonschema.CompilerContext, members map[string]any) (jsonschema.SchemaExt, error) {
	var check typeCheck
	for _, name := range stringOrList(members["type"]) {
		check.integer = check.integer || name == "integer"
		check.number = check.number || name == "number"
	}
	check.names = stringOrList(members[typeKeyword])
	if check.names == nil && !check.integer {
		return nil, nil
	}
	return &check, nil
}

// stringOrList reads a text or a list of texts.
func stringOrList(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var names []string
		for _, e := range v {
			if name, is := e.(string); is {
				names = append(names, name)
			}
		}
		return names
	}
	return nil
}

type typeCheck struct {
	integer, number bool
	names           []string
}

// Validate is called by the library with each value that the schema is put to.
func (c *typeCheck) Validate(ctx *jsonschema.ValidatorContext, v any) {
	got := typeOf(v)
	if c.integer && !c.number && got == "Float" {
		ctx.AddError(&typeMismatch{got: got, want: []string{"Integer"}})
		return
	}
	if len(c.names) > 0 && !slices.ContainsFunc(c.names, func(want string) bool { return typeMatches(got, want) }) {
		ctx.AddError(&typeMismatch{got: got, want: c.names})
	}
}

// typeMismatch is a jsonschema.ErrorKind.
type typeMismatch struct {
	got  string
	want []string
}

// KeywordPath is where the keyword is below its schema.
func (*typeMismatch) KeywordPath() []string { return []string{typeKeyword} }

// LocalizedString is the message; the service speaks English only.
func (w *typeMismatch) LocalizedString(*message.Printer) string {
	return describeTypeMismatch(w.got, w.want)
}
