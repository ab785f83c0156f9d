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

// typeKeyword is the keyword for Neo4j types, as GET /api/schema shows them: one name or a list of names.
const typeKeyword = "neo4jType"

// scalarTypes are the allowed names, besides List<...> of each.
var scalarTypes = []string{
	"String", "Integer", "Float", "Boolean", "Date", "Time", "LocalTime", "ZonedDateTime", "OffsetDateTime", "LocalDateTime",
	"Duration", "Point", "Base64",
}

const listType = "List"

// knownType reports whether the keyword allows a name.
func knownType(name string) bool {
	inner, isList := strings.CutPrefix(name, listType+"<")
	if isList {
		closed := strings.HasSuffix(inner, ">")
		inner = strings.TrimSuffix(inner, ">")
		return closed && inner != "Base64" && slices.Contains(scalarTypes, inner)
	}
	return name == listType || slices.Contains(scalarTypes, name)
}

// jsonObject converts an entity's properties for the library. Types that JSON lacks are in typed JSON.
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
	_ = json.Unmarshal(typedjson.AppendValue(nil, v), &tagged) // it is an object with two strings
	return tagged
}

// typeOf returns the name of a value's type; an empty list has the type List.
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

// typeMatches reports whether a value of type got has type want: Neo4j calls a date and time with an offset a zoned one and bytes a
// list of integers, and any list is a List.
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

// neo4jTypes returns the vocabulary that the service adds. It also restricts "integer" to Neo4j integers, which 1.0 is not.
func neo4jTypes() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{URL: "urn:graphrest:types", Schema: acceptAll(), Compile: compileTypes}
}

// acceptAll is a schema that accepts everything, since checkTypeNames has validated the vocabulary's keyword.
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

// stringOrList converts a string or a list of strings.
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

// Validate is called by the library for each value that the schema applies to.
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

// KeywordPath returns the path of the keyword below its schema.
func (*typeMismatch) KeywordPath() []string { return []string{typeKeyword} }

// LocalizedString returns the message, always in English.
func (w *typeMismatch) LocalizedString(*message.Printer) string {
	return describeTypeMismatch(w.got, w.want)
}
