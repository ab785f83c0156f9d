package clientgen

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// typeScriptTypes are the types of values in TypeScript.
var typeScriptTypes = map[string]string{
	"String": "string", "Integer": "Integer", "Float": "number", "Boolean": "boolean", "Date": "DateValue", "Time": "TimeValue",
	"LocalTime": "LocalTimeValue", "OffsetDateTime": "OffsetDateTimeValue", "LocalDateTime": "LocalDateTimeValue",
	"ZonedDateTime": "ZonedDateTimeValue | OffsetDateTimeValue", // the database does not tell them apart
	"Duration":      "DurationValue", "Point": "PointValue", "Base64": "Base64Value", "List": "Scalar[]",
}

// typeScriptType is the type of a value with one of the types.
func typeScriptType(types []string) string {
	all := typesOf(types, typeScriptTypes, func(element string) string { return "(" + element + ")[]" })
	return cmp.Or(strings.Join(all, " | "), "Value")
}

func typeScriptParts(d description) map[string]string {
	var types, floats strings.Builder
	for _, kind := range []struct {
		name  string
		types []entityType
	}{{"Node", d.nodes}, {"Edge", d.edges}} {
		var byName strings.Builder
		for _, t := range kind.types {
			t.defineTypeScript(&types, kind.name)
			fmt.Fprintf(&byName, "  readonly %s: %s%sProperties;\n", typeScriptString(t.name), t.identifier, kind.name)
		}
		fmt.Fprintf(&types, "/** The properties by type. */\nexport interface TypesOf%ss {\n%s}\n\n", kind.name, byName.String())
		fmt.Fprintf(&floats, "const floatsOf%ss: Floats = new Map<string, ReadonlySet<string>>([\n", kind.name)
		for _, t := range kind.types {
			if names := floatMembers(t.properties); names != "" {
				fmt.Fprintf(&floats, "  [%s, new Set([%s])],\n", typeScriptString(t.name), names)
			}
		}
		floats.WriteString("]);\n")
	}
	return map[string]string{"types": types.String(), "floats": floats.String(), "queries": typeScriptQueries(d.queries)}
}

func (t entityType) defineTypeScript(b *strings.Builder, kind string) {
	name := t.identifier + kind
	fmt.Fprintf(b, "export interface %sProperties {\n", name)
	for _, p := range t.properties {
		fmt.Fprintf(b, "  %s?: %s;\n", typeScriptString(p.name), typeScriptType(p.types))
	}
	if !t.closed {
		b.WriteString("  [name: string]: Value | undefined;\n")
	}
	fmt.Fprintf(b, "}\nexport type %s = %s<%sProperties>;\n\n", name, kind, name)
}

// floatMembers are literals of the names of those that are floats only.
func floatMembers(members []member) string {
	var names []string
	for _, m := range members {
		floats := len(m.types) > 0
		for _, name := range m.types {
			floats = floats && (name == "Float" || name == "List<Float>")
		}
		if floats {
			names = append(names, typeScriptString(m.name))
		}
	}
	return strings.Join(names, ", ")
}

// typeScriptQueries are a method for each saved query. Its parameters are one object, whose members are named as in the query.
func typeScriptQueries(queries []savedQuery) string {
	var b strings.Builder
	for _, q := range queries {
		members, given := "", "?"
		for _, p := range q.parameters {
			optional := "?"
			if p.required {
				optional, given = "", ""
			}
			members += fmt.Sprintf(" readonly %s%s: Written<%s>;", typeScriptString(p.name), optional, typeScriptType(p.types))
		}
		fmt.Fprintf(&b, "  /** %s */\n", typeScriptComment(cmp.Or(q.description, "Runs the saved query "+q.name+".")))
		fmt.Fprintf(&b, "  async %s(parameters%s: {%s }): Promise<QueryResult> {\n", camelCase("run_"+q.name), given, members)
		fmt.Fprintf(&b, "    return this.run(%s, parameters, new Set([%s]));\n  }\n\n", typeScriptString(q.name), floatMembers(q.parameters))
	}
	return b.String()
}

var beginningOfWord = regexp.MustCompile(`_[a-z]`)

// camelCase joins words in lower case. An underscore before a digit stays, so that a_1 and a1 differ.
func camelCase(name string) string {
	return beginningOfWord.ReplaceAllStringFunc(name, func(found string) string { return strings.ToUpper(found[1:]) })
}

func typeScriptComment(text string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text), "*/", "* /")
}

// typeScriptString is a literal of a text.
func typeScriptString(text string) string {
	return quote(text, '\'', func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })
}
