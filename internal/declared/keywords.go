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

// shape is what stands behind a keyword, as far as schemas are in it.
type shape int

const (
	plain      shape = iota // no schema
	one                     // a schema
	list                    // a list of schemas
	named                   // an object of schemas
	values                  // a list of values of properties
	value                   // a value of a property
	reference               // the place of a schema
	formatName              // the name of a format
	dialect                 // the name of a draft
)

// keywords are all that a declaration may use: those of draft 2020-12 that make sense for properties, which are flat, and our own.
// A keyword that nobody knows is a mistake more likely than an annotation, so it is refused.
var keywords = map[string]shape{
	"$schema": dialect, "$comment": plain, "$defs": named, "$ref": reference,
	"title": plain, "description": plain, "default": value, "examples": values, "deprecated": plain,
	"type": plain, "enum": values, "const": value, typeKeyword: plain,
	"multipleOf": plain, "minimum": plain, "maximum": plain, "exclusiveMinimum": plain, "exclusiveMaximum": plain,
	"minLength": plain, "maxLength": plain, "pattern": plain, "format": formatName,
	"items": one, "prefixItems": list, "contains": one, "minContains": plain, "maxContains": plain,
	"minItems": plain, "maxItems": plain, "uniqueItems": plain, "unevaluatedItems": one,
	"properties": named, "patternProperties": named, "additionalProperties": one, "unevaluatedProperties": one, "propertyNames": one,
	"required": plain, "minProperties": plain, "maxProperties": plain, "dependentRequired": plain, "dependentSchemas": named,
	"allOf": list, "anyOf": list, "oneOf": list, "not": one, "if": one, "then": one, "else": one,
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// formats are those that are checked. Others would be ignored.
var formats = []string{
	"date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
	"uri-template", "uuid", "regex", "json-pointer", "relative-json-pointer",
}

// maxWeight is how many schemas one check may come to, every reference followed: a few references that double at each step could
// otherwise keep a processor busy for hours.
const maxWeight = 2000

// inspector looks a schema through before the library sees it.
type inspector struct {
	root   any
	faults []*fault.Error
	weighs map[string]int // by reference; -1 while it is being weighed
}

// inspect refuses what a declaration may not hold, and writes values of properties in the one form in which they are compared.
func inspect(schema any) []*fault.Error {
	in := &inspector{root: schema, weighs: map[string]int{"#": -1}}
	in.schema(schema, field)
	if len(in.faults) == 0 && in.weight(schema, field) > maxWeight {
		in.refuse(field, "is too complex: one check would come to more than %d schemas", maxWeight)
	}
	return in.faults
}

func (in *inspector) refuse(path, format string, args ...any) {
	in.faults = append(in.faults, fault.Invalid(path, format, args...))
}

func (in *inspector) schema(s any, path string) {
	members, is := s.(map[string]any)
	if !is {
		return // true, false, or a mistake that the library reports
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		at := graph.FieldPath(path, key)
		kind, known := keywords[key]
		if !known {
			in.refuse(at, "is no keyword that declarations know; they know %s", strings.Join(slices.Sorted(maps.Keys(keywords)), ", "))
			continue
		}
		switch content := members[key]; kind {
		case dialect:
			if content != draft {
				in.refuse(at, "must be %s, or be left out", draft)
			}
		case value:
			members[key] = in.canonical(content, at)
		case values:
			all, _ := content.([]any)
			for i, v := range all {
				all[i] = in.canonical(v, element(at, i))
			}
		case formatName:
			if name, is := content.(string); is && !slices.Contains(formats, name) {
				in.refuse(at, "must be one of %s", strings.Join(formats, ", "))
			}
		case reference:
			if target, is := content.(string); is && target != "#" && !strings.HasPrefix(target, "#/") {
				in.refuse(at, "must be a place in this very schema, such as #/$defs/name")
			}
		default:
			eachSchema(kind, content, at, in.schema)
		}
	}
}

// eachSchema visits the schemas behind a keyword.
func eachSchema(kind shape, content any, path string, visit func(s any, path string)) {
	switch kind {
	case one:
		visit(content, path)
	case list:
		all, _ := content.([]any)
		for i, s := range all {
			visit(s, element(path, i))
		}
	case named:
		members, _ := content.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			visit(members[name], graph.FieldPath(path, name))
		}
	}
}

func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// canonical writes a value of a property as the check of an entity does: the same date has many spellings.
func (in *inspector) canonical(v any, path string) any {
	if holdsTag(v) {
		parsed, f := typedjson.ParseValue(path, string(typedjson.AppendTree(nil, v)))
		if f != nil {
			in.faults = append(in.faults, f)
			return v
		}
		return instance(parsed)
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

// weight is how many schemas a check by this one comes to.
func (in *inspector) weight(s any, path string) int {
	members, is := s.(map[string]any)
	if !is {
		return 1
	}
	total := 1
	for key, content := range members {
		switch kind := keywords[key]; {
		case key == "$defs":
		case kind == reference:
			target, _ := content.(string)
			total += in.referenced(target, graph.FieldPath(path, key))
		default:
			eachSchema(kind, content, graph.FieldPath(path, key), func(s any, path string) { total = min(total+in.weight(s, path), maxWeight+1) })
		}
		total = min(total, maxWeight+1)
	}
	return total
}

// referenced is the weight of what a reference leads to. One that leads to itself would have no end, and properties are flat.
func (in *inspector) referenced(target, path string) int {
	switch weight, known := in.weighs[target]; {
	case known && weight < 0:
		in.refuse(path, "must not lead back to itself")
		return 0
	case known:
		return weight
	}
	s, found := in.find(target)
	if !found {
		in.refuse(path, "leads to nothing")
		return 0
	}
	in.weighs[target] = -1
	weight := in.weight(s, path)
	in.weighs[target] = weight
	return weight
}

// find follows a JSON pointer (RFC 6901) in the form of a fragment.
func (in *inspector) find(target string) (any, bool) {
	at := in.root
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
