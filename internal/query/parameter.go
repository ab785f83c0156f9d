package query

import (
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// Parameter is a parameter of a query.
type Parameter struct {
	Name        string
	Schema      string // JSON Schema of its values, without the members below
	Description string
	Default     graph.Value // of a call without the parameter, if Optional
	Optional    bool
	Choices     string // a saved query whose first column lists values for forms; empty for none
	From        string // what of the caller fills it; empty: the call gives it
}

// What of the caller fills a parameter.
const (
	fromUsername   = "$user.username"
	fromID         = "$user.id"
	fromAttributes = "$user.attributes."
)

const maxParameterName = 64

var parameterName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// formatParameter is the name of a query parameter of runs.
const formatParameter = "format"

// parseParameters reads the parameters of a definition.
func parseParameters(o *typedjson.Object, field string, tree any) []Parameter {
	members, isObject := tree.(map[string]any)
	if !isObject {
		o.Invalid(field, "must be an object of parameters by name")
		return nil
	}
	if len(members) > MaxParameters {
		o.Invalid(field, "must have at most %d parameters", MaxParameters)
		return nil
	}
	list := make([]Parameter, 0, len(members))
	for name, schema := range members {
		at := graph.FieldPath(field, name)
		switch {
		case name == formatParameter:
			o.Invalid(at, "cannot be the name of a parameter: runs have the query parameter format")
		case len(name) > maxParameterName || !parameterName.MatchString(name):
			o.Invalid(at, "must be named by at most %d letters, digits and underscores, the first a letter", maxParameterName)
		}
		list = append(list, parseParameter(o, at, name, schema))
	}
	slices.SortFunc(list, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func parseParameter(o *typedjson.Object, at, name string, tree any) Parameter {
	p := Parameter{Name: name}
	members, isObject := tree.(map[string]any)
	if !isObject {
		o.Invalid(at, "must be a JSON Schema that is an object")
		return p
	}
	text := func(member string) string {
		value, given := members[member]
		delete(members, member)
		s, isText := value.(string)
		if given && !isText {
			o.Invalid(at+"."+member, "must be a text")
		}
		return s
	}
	p.Description, p.Choices, p.From = text("description"), text("choices"), text("from")
	if p.Choices != "" && !rules.IsQueryName(p.Choices) {
		o.Invalid(at+".choices", "must be the name of a saved query")
	}
	if value, given := members["default"]; given {
		delete(members, "default")
		var f *fault.Error
		p.Default, f = typedjson.ParseValue(at+".default", string(typedjson.AppendTree(nil, value)))
		o.Add(f)
		p.Optional = true
	}
	if p.From != "" {
		attribute, isAttribute := strings.CutPrefix(p.From, fromAttributes)
		if p.From != fromUsername && p.From != fromID && (!isAttribute || attribute == "") {
			o.Invalid(at+".from", "must be %s, %s or %s and the name of an attribute", fromUsername, fromID, fromAttributes)
		}
		if p.Optional || p.Choices != "" {
			o.Invalid(at+".from", "cannot be combined with default or choices: the parameter is filled from the caller")
		}
	}
	p.Schema = string(typedjson.AppendTree(nil, members))
	return p
}

// appendParameters appends the parameters as they are saved: an object by name.
func appendParameters(dst []byte, list []Parameter) []byte {
	dst = append(dst, '{')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(typedjson.AppendString(dst, list[i].Name), ':')
		dst = list[i].appendJSON(dst)
	}
	return append(dst, '}')
}

// appendJSON appends the schema with the members that are no keywords of it.
func (p *Parameter) appendJSON(dst []byte) []byte {
	dst = append(dst, strings.TrimSuffix(p.Schema, "}")...)
	member := func(name string, write func([]byte) []byte) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(typedjson.AppendString(dst, name), ':')
		dst = write(dst)
	}
	for _, each := range []struct{ name, value string }{{"description", p.Description}, {"choices", p.Choices}, {"from", p.From}} {
		if each.value != "" {
			member(each.name, func(b []byte) []byte { return typedjson.AppendString(b, each.value) })
		}
	}
	if p.Optional {
		member("default", func(b []byte) []byte { return typedjson.AppendValue(b, p.Default) })
	}
	return append(dst, '}')
}

// inputs are the compiled parameters of a query.
type inputs struct {
	byName map[string]*input
	rules  *declared.Rules // of the parameters that calls give
}

type input struct {
	*Parameter
	literal string // the type of a value in a URL, as in filters; empty if the text says it
	list    bool
	null    bool          // its schema names null among its types
	samples []graph.Value // one of each type that its values can have; none if they can have any
}

// compileInputs compiles the schemas. The faults name parameters.
func compileInputs(list []Parameter) (*inputs, error) {
	in := &inputs{byName: map[string]*input{}}
	properties, required := []byte(`{`), []string{}
	for i := range list {
		p := &list[i]
		in.byName[p.Name] = newInput(p)
		if p.From != "" {
			continue
		}
		if len(properties) > 1 {
			properties = append(properties, ',')
		}
		properties = append(append(typedjson.AppendString(properties, p.Name), ':'), p.Schema...)
		if !p.Optional {
			required = append(required, p.Name)
		}
	}
	properties = append(properties, '}')
	schema := append(append([]byte(`{"type":"object","properties":`), properties...), `,"required":`...)
	schema = typedjson.AppendList(schema, required, func(b []byte, name *string) []byte { return typedjson.AppendString(b, *name) })
	schema = append(schema, '}')
	compiled, err := declared.Compile(graph.Declaration{
		Kind: graph.NodeKind, Type: "parameters", Level: graph.LevelStrict, Schema: string(schema),
	})
	if err != nil {
		return nil, renameFields(err, "schema.properties", parametersField)
	}
	in.rules = compiled
	return in, nil
}

const parametersField = "parameters"

// renameFields replaces the beginning of the fields of a fault.
func renameFields(err error, from, to string) error {
	f := fault.As(err)
	if f == nil {
		return err
	}
	for i := range f.Details {
		if rest, found := strings.CutPrefix(f.Details[i].Field, from); found {
			f.Details[i].Field = strings.TrimPrefix(to+rest, ".")
		}
	}
	return f
}

func newInput(p *Parameter) *input {
	in := &input{Parameter: p}
	tree, f := typedjson.ParseTree("schema", p.Schema)
	members, _ := tree.(map[string]any)
	if f != nil {
		return in
	}
	in.samples = p.typeSamples(members)
	types, _ := members["type"].([]any)
	in.null = slices.Contains(types, any("null")) || members["type"] == "null"
	name, _ := members["neo4jType"].(string)
	if name == "" {
		name = jsonTypes[soleType(members["type"])]
	}
	if inner, isList := strings.CutPrefix(name, "List"); isList {
		in.list = true
		name = strings.Trim(inner, "<>")
	}
	if in.list && name == "" {
		if items, isObject := members["items"].(map[string]any); isObject {
			if name, _ = items["neo4jType"].(string); name == "" {
				name = jsonTypes[soleType(items["type"])]
			}
		}
	}
	in.literal = strings.ToLower(name)
	return in
}

// jsonTypes are the types of JSON Schema as neo4jType names them. A number may be an integer or a float: its text says which.
var jsonTypes = map[string]string{"string": "String", "integer": "Integer", "boolean": "Boolean", "array": "List"}

// soleType is the one type of a schema beside null; empty if there are several or none.
func soleType(types any) string {
	switch types := types.(type) {
	case string:
		return types
	case []any:
		others := slices.DeleteFunc(slices.Clone(types), func(name any) bool { return name == "null" })
		if len(others) == 1 {
			name, _ := others[0].(string)
			return name
		}
	}
	return ""
}

// typeSamples returns a value of each type that a parameter can have; none if it can have any.
func (p *Parameter) typeSamples(schema map[string]any) (samples []graph.Value) {
	if p.From != "" {
		if p.From == fromUsername || p.From == fromID {
			return []graph.Value{""}
		}
		return nil // attributes are of any type
	}
	if values, given := schema["enum"].([]any); given {
		for _, tree := range values {
			if v, f := typedjson.ParseValue("", string(typedjson.AppendTree(nil, tree))); f == nil && v != nil {
				samples = append(samples, v)
			}
		}
		return samples
	}
	types, given := schema["neo4jType"]
	if !given {
		types = schema["type"]
	}
	names, isList := types.([]any)
	if !isList {
		names = []any{types}
	}
	for _, each := range names {
		name, _ := each.(string)
		values, known := samplesByType[name]
		if strings.HasPrefix(name, "List") {
			values, known = samplesByType["array"], true
		}
		if !known {
			return nil
		}
		samples = append(samples, values...)
	}
	return samples
}

// samplesByType has values of the types of JSON Schema, but object, which typed values of several types are, and of those of neo4jType.
var samplesByType = map[string][]graph.Value{
	"string": {""}, "integer": {int64(0)}, "number": {int64(0), 0.0}, "boolean": {false}, "array": {[]graph.Value{""}}, "null": {},
	"String": {""}, "Integer": {int64(0)}, "Float": {0.0}, "Boolean": {false}, "Date": {graph.Date{}}, "Time": {graph.OffsetTime{}},
	"LocalTime": {graph.LocalTime{}}, "ZonedDateTime": {graph.DateTime{}}, "OffsetDateTime": {graph.DateTime{}},
	"LocalDateTime": {graph.LocalDateTime{}}, "Duration": {graph.Duration{}}, "Point": {graph.Point{}}, "Base64": {graph.Bytes{}},
}
