package clientgen

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// pythonTypes are the types of values in Python.
var pythonTypes = map[string]string{
	"String": "str", "Integer": "int", "Float": "float", "Boolean": "bool", "Date": "DateValue", "Time": "TimeValue",
	"LocalTime": "LocalTimeValue", "OffsetDateTime": "OffsetDateTimeValue", "LocalDateTime": "LocalDateTimeValue",
	"ZonedDateTime": "Union[ZonedDateTimeValue, OffsetDateTimeValue]", // the database does not tell them apart
	"Duration":      "DurationValue", "Point": "PointValue", "Base64": "Base64Value", "List": "List[Scalar]",
}

// pythonType is the type of a value with one of the types.
func pythonType(types []string) string {
	switch all := typesOf(types, pythonTypes, func(element string) string { return "List[" + element + "]" }); len(all) {
	case 0:
		return "Value"
	case 1:
		return all[0]
	default:
		return "Union[" + strings.Join(all, ", ") + "]"
	}
}

func pythonParts(d description) map[string]string {
	parts := map[string]string{"types": pythonTypeDefinitions(d), "queries": pythonQueries(d.queries)}
	for _, m := range pythonMethods {
		types := d.nodes
		if m.edges {
			types = d.edges
		}
		parts["overloads "+m.name] = m.overloads(types)
	}
	return parts
}

func pythonTypeDefinitions(d description) string {
	var b strings.Builder
	for _, t := range d.nodes {
		t.definePython(&b, "Node")
	}
	for _, t := range d.edges {
		t.definePython(&b, "Edge")
	}
	return b.String()
}

func (t entityType) definePython(b *strings.Builder, kind string) {
	name := t.identifier + kind
	fmt.Fprintf(b, "%sProperties = TypedDict(\n    \"%sProperties\",\n    {\n", name, name)
	for _, p := range t.properties {
		fmt.Fprintf(b, "        %s: %s,\n", pythonString(p.name), pythonType(p.types))
	}
	fmt.Fprintf(b, "    },\n    total=False,\n)\n%s = %s[%sProperties]\n", name, kind, name)
}

// pythonMethod is a method that knows the types of an entity by its type. The fallback takes every type, and none where it may be left
// out.
type pythonMethod struct {
	name       string
	edges      bool
	parameters string // with {type}, the parameter type, and {properties}
	list       bool
	optional   bool // type may be left out
}

const (
	pythonListOptions = "filter: Optional[Filter] = ..., any_of: Sequence[Filter] = ..., sort: Optional[Sequence[str]] = ..., " +
		"fields: Optional[Sequence[str]] = ..., page_size: int = ..., count: Optional[Literal[\"exact\"]] = ..."
	pythonNode = "Union[str, Node[Any]]"
)

var pythonMethods = []pythonMethod{
	{name: "create_node", parameters: "{type}, properties: {properties}, *, idempotency_key: Optional[str] = ..."},
	{name: "get_node", parameters: "id: " + pythonNode + ", *, {type}, at: Optional[str] = ...", optional: true},
	{name: "list_nodes", parameters: "{type}, *, " + pythonListOptions, list: true, optional: true},
	{
		name: "create_edge", edges: true, parameters: "{type}, source: " + pythonNode + ", target: " + pythonNode +
			", properties: Optional[{properties}] = ..., *, idempotency_key: Optional[str] = ...",
	},
	{name: "get_edge", edges: true, parameters: "id: Union[str, Edge[Any]], *, {type}, at: Optional[str] = ...", optional: true},
	{
		name: "list_edges", edges: true, list: true, optional: true, parameters: "{type}, *, source: Optional[" + pythonNode +
			"] = ..., target: Optional[" + pythonNode + "] = ..., node: Optional[" + pythonNode + "] = ..., " + pythonListOptions,
	},
}

// overloads are one for each type and the fallback, whose result is Any so that it does not contradict them; nothing without types.
func (m pythonMethod) overloads(types []entityType) string {
	if len(types) == 0 {
		return ""
	}
	kind := "Node"
	if m.edges {
		kind = "Edge"
	}
	var b strings.Builder
	for _, t := range types {
		properties := t.identifier + kind + "Properties"
		accepted := "Union[" + properties + ", Properties]"
		if t.closed {
			accepted = properties
		}
		m.write(&b, "type: Literal["+pythonString(t.name)+"]", accepted, kind+"["+properties+"]")
	}
	anyType := "type: str"
	if m.optional {
		anyType = "type: Optional[str] = ..."
	}
	m.write(&b, anyType, "Properties", kind+"[Any]")
	return b.String()
}

func (m pythonMethod) write(b *strings.Builder, ofType, properties, result string) {
	if m.list {
		result = "Pages[" + result + "]"
	}
	parameters := strings.NewReplacer("{type}", ofType, "{properties}", properties).Replace(m.parameters)
	fmt.Fprintf(b, "    @overload\n    def %s(self, %s) -> %s: ...\n\n", m.name, parameters, result)
}

var pythonKeywords = strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for
	from global if import in is lambda nonlocal not or pass raise return try while with yield self parameters`)

var pythonIdentifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// pythonQueries are a method for each saved query, with a keyword argument for each parameter; with one dictionary if a name is none.
func pythonQueries(queries []savedQuery) string {
	var b strings.Builder
	for _, q := range queries {
		arguments, sent := pythonArguments(q.parameters)
		docstring := pythonString(cmp.Or(q.description, "Runs the saved query "+q.name+"."))
		fmt.Fprintf(&b, "    def run_%s(self%s) -> QueryResult:\n        %s\n", q.name, arguments, docstring)
		fmt.Fprintf(&b, "        parameters: Dict[str, Any] = %s\n", sent)
		fmt.Fprintf(&b, "        return self.run(%s, {k: v for k, v in parameters.items() if v is not None})\n\n", pythonString(q.name))
	}
	return b.String()
}

func pythonArguments(parameters []member) (arguments, sent string) {
	if len(parameters) == 0 {
		return "", "{}"
	}
	var named, members []string
	for _, required := range []bool{true, false} {
		for _, p := range parameters {
			if p.required != required {
				continue
			}
			if !pythonIdentifier.MatchString(p.name) || slices.Contains(pythonKeywords, p.name) {
				return ", given: Mapping[str, Any]", "dict(given)"
			}
			text := p.name + ": " + pythonType(p.types)
			if !required {
				text = p.name + ": Optional[" + pythonType(p.types) + "] = None"
			}
			named = append(named, text)
			value := p.name
			if slices.Equal(p.types, []string{"Float"}) { // type checkers accept an int for a float
				value = "None if " + p.name + " is None else float(" + p.name + ")"
			}
			members = append(members, pythonString(p.name)+": "+value)
		}
	}
	return ", *, " + strings.Join(named, ", "), "{" + strings.Join(members, ", ") + "}"
}

// pythonString is a literal of a text.
func pythonString(text string) string {
	return quote(text, '"', func(r rune) string {
		if r > 0xFFFF {
			return fmt.Sprintf(`\U%08x`, r)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}
