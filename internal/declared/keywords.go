package declared

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// keywordKind is the kind of a keyword's value, as far as it contains schemas.
type keywordKind int

const (
	noSchema        keywordKind = iota // contains no schema
	oneSchema                          // a schema
	schemaList                         // a list of schemas
	schemaMap                          // an object of schemas
	propertyValues                     // a list of values of properties
	propertyValue                      // a value of a property
	schemaReference                    // a reference to a schema
	formatName                         // the name of a format
	dialect                            // the name of a draft
)

// keywords are the keywords allowed in a declaration: those of draft 2020-12 that apply to flat properties, and neo4jType. Others are
// rejected, since an unknown keyword is more likely a typing error than an annotation.
var keywords = map[string]keywordKind{
	"$schema": dialect, "$comment": noSchema, "$defs": schemaMap, "$ref": schemaReference,
	"title": noSchema, "description": noSchema, "default": propertyValue, "examples": propertyValues, "deprecated": noSchema,
	"type": noSchema, "enum": propertyValues, "const": propertyValue, typeKeyword: noSchema,
	"multipleOf": noSchema, "minimum": noSchema, "maximum": noSchema, "exclusiveMinimum": noSchema, "exclusiveMaximum": noSchema,
	"minLength": noSchema, "maxLength": noSchema, "pattern": noSchema, "format": formatName,
	"items": oneSchema, "prefixItems": schemaList, "contains": oneSchema, "minContains": noSchema, "maxContains": noSchema,
	"minItems": noSchema, "maxItems": noSchema, "uniqueItems": noSchema, "unevaluatedItems": oneSchema,
	"properties": schemaMap, "patternProperties": schemaMap, "additionalProperties": oneSchema, "unevaluatedProperties": oneSchema,
	"propertyNames": oneSchema, "required": noSchema, "minProperties": noSchema, "maxProperties": noSchema,
	"dependentRequired": noSchema, "dependentSchemas": schemaMap,
	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "not": oneSchema,
	"if": oneSchema, "then": oneSchema, "else": oneSchema,
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// formats are the formats that are validated. Others would be ignored.
var formats = []string{
	"date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
	"uri-template", "uuid", "regex", "json-pointer", "relative-json-pointer",
}

// maxWeight is the maximum number of schemas that one validation may apply, with every reference followed: a few references that
// double at each step could otherwise use a CPU for hours.
const maxWeight = 2000

// inspector validates a schema before the library compiles it.
type inspector struct {
	root    any
	faults  []*fault.Error
	weights map[string]int // by reference; -1 while it is being computed
}

// inspect reports what a declaration must not contain, and rewrites property values in their canonical form for comparison.
func inspect(schema any) []*fault.Error {
	in := &inspector{root: schema, weights: map[string]int{"#": -1}}
	in.inspectSchema(schema, schemaField)
	if len(in.faults) == 0 && in.weight(schema, schemaField) > maxWeight {
		in.reject(schemaField, "is too complex: one validation would apply more than %d schemas", maxWeight)
	}
	return in.faults
}

func (in *inspector) reject(path, format string, args ...any) {
	in.faults = append(in.faults, fault.Invalid(path, format, args...))
}

func (in *inspector) inspectSchema(s any, path string) {
	members, is := s.(map[string]any)
	if !is {
		return // true, false, or a problem that the library reports
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		at := graph.FieldPath(path, key)
		kind, known := keywords[key]
		if !known {
			in.reject(at, "is not a keyword of declarations; the keywords are %s", strings.Join(slices.Sorted(maps.Keys(keywords)), ", "))
			continue
		}
		switch content := members[key]; kind {
		case dialect:
			if content != draft {
				in.reject(at, "must be %s, or be left out", draft)
			}
		case propertyValue:
			members[key] = in.canonical(content, at)
		case propertyValues:
			all, _ := content.([]any)
			for i, v := range all {
				all[i] = in.canonical(v, elementPath(at, i))
			}
		case formatName:
			if name, is := content.(string); is && !slices.Contains(formats, name) {
				in.reject(at, "must be one of %s", strings.Join(formats, ", "))
			}
		case schemaReference:
			if target, is := content.(string); is && target != "#" && !strings.HasPrefix(target, "#/") {
				in.reject(at, "must refer to a part of this schema, such as #/$defs/name")
			}
		default:
			visitSchemas(kind, content, at, in.inspectSchema)
		}
	}
}

// visitSchemas visits the schemas in the value of a keyword.
func visitSchemas(kind keywordKind, content any, path string, visit func(s any, path string)) {
	switch kind {
	case oneSchema:
		visit(content, path)
	case schemaList:
		all, _ := content.([]any)
		for i, s := range all {
			visit(s, elementPath(path, i))
		}
	case schemaMap:
		members, _ := content.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			visit(members[name], graph.FieldPath(path, name))
		}
	}
}

func elementPath(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// canonical returns a property value in the form that validation compares, since a date can be written in several ways.
func (in *inspector) canonical(v any, path string) any {
	if holdsTag(v) {
		parsed, f := typedjson.ParseValue(path, string(typedjson.AppendTree(nil, v)))
		if f != nil {
			in.faults = append(in.faults, f)
			return v
		}
		return jsonValue(parsed)
	}
	return v
}

func holdsTag(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		_, tagged := v["$type"]
		return tagged
	case []any:
		return slices.ContainsFunc(v, holdsTag)
	}
	return false
}

// weight returns the number of schemas that a validation with this one applies.
func (in *inspector) weight(s any, path string) int {
	members, is := s.(map[string]any)
	if !is {
		return 1
	}
	total := 1
	for key, content := range members {
		switch kind := keywords[key]; {
		case key == "$defs":
		case kind == schemaReference:
			target, _ := content.(string)
			total += in.referenceWeight(target, graph.FieldPath(path, key))
		default:
			visitSchemas(kind, content, graph.FieldPath(path, key), func(s any, path string) { total = min(total+in.weight(s, path), maxWeight+1) })
		}
		total = min(total, maxWeight+1)
	}
	return total
}

// referenceWeight returns the weight of the target of a reference. Recursive references are rejected: validation would not end, and
// properties are flat.
func (in *inspector) referenceWeight(target, path string) int {
	switch weight, known := in.weights[target]; {
	case known && weight < 0:
		in.reject(path, "must not refer to itself")
		return 0
	case known:
		return weight
	}
	s, found := resolvePointer(in.root, target)
	if !found {
		in.reject(path, "refers to nothing")
		return 0
	}
	in.weights[target] = -1
	weight := in.weight(s, path)
	in.weights[target] = weight
	return weight
}

// resolvePointer follows a JSON pointer (RFC 6901) in a URI fragment.
func resolvePointer(root any, target string) (any, bool) {
	at := root
	for i, token := range strings.Split(strings.TrimPrefix(target, "#"), "/") {
		if i == 0 {
			continue
		}
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		members, _ := at.(map[string]any)
		next, found := members[token]
		if !found {
			return nil, false
		}
		at = next
	}
	return at, true
}
