// Package declared validates entities against the declarations of their types. A declaration is a JSON Schema of the properties and
// some additional rules. github.com/santhosh-tekuri/jsonschema compiles and applies the schema; it loads no external documents and
// compiles patterns with Go's regexp, whose time is linear in the length of the text.
package declared

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Limits of a declaration.
const (
	MaxSchema     = 64 << 10 // bytes of the schema's text
	maxUniqueKeys = 10
	maxKeyParts   = 8
	maxEndTypes   = 100
)

const schemaField = "schema"

// Rules is a compiled declaration. It is safe for concurrent use.
type Rules struct {
	graph.Declaration
	schema     *jsonschema.Schema
	unreadable bool // the schema cannot be compiled: no entity is valid
}

// Compile validates and compiles a declaration, and rewrites its schema in the canonical form that is stored. VALIDATION_ERROR
// names the problems.
func Compile(d graph.Declaration) (*Rules, error) {
	faults := checkRules(d)
	if len(d.Schema) > MaxSchema {
		return nil, fault.Invalid(schemaField, "must be at most %d bytes long", MaxSchema)
	}
	tree, f := typedjson.ParseTree(schemaField, d.Schema)
	if f != nil {
		return nil, fault.Merge(append(faults, f)...)
	}
	if _, is := tree.(map[string]any); !is {
		return nil, fault.Merge(append(faults, fault.Invalid(schemaField, "must be a JSON Schema that is an object"))...)
	}
	found := inspect(tree)
	if faults = append(faults, found...); len(found) > 0 {
		return nil, fault.Merge(faults...)
	}
	d.Schema = string(typedjson.AppendTree(nil, tree))
	schema, err := compile(tree)
	if err != nil {
		faults = append(faults, schemaFaults(err)...)
	}
	faults = append(faults, checkTypeNames(tree, schemaField)...)
	if err := fault.Merge(faults...); err != nil {
		return nil, err
	}
	return &Rules{Declaration: d, schema: schema}, nil
}

// LoadStored compiles a declaration that was accepted before. If it cannot be compiled, since another version of the service wrote
// it, every entity violates it.
func LoadStored(d graph.Declaration) *Rules {
	rules, err := Compile(d)
	if err != nil {
		return &Rules{Declaration: d, unreadable: true}
	}
	return rules
}

// schemaURI identifies the schema to the library; nothing is loaded from it.
const schemaURI = "urn:graphrest:declaration"

func compile(tree any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.AssertFormat()
	c.RegisterVocabulary(neo4jTypes())
	c.AssertVocabs()
	if err := c.AddResource(schemaURI, tree); err != nil {
		return nil, err
	}
	return c.Compile(schemaURI)
}

// noLoader is a loader that rejects every request.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// checkRules validates the rules besides the schema.
func checkRules(d graph.Declaration) []*fault.Error {
	var faults []*fault.Error
	if !slices.Contains(graph.DeclarationLevels(), d.Level) {
		faults = append(faults, fault.Invalid("level", "must be none, new, moderate or strict"))
	}
	if len(d.Unique) > maxUniqueKeys {
		faults = append(faults, fault.Invalid("unique", "must have at most %d keys", maxUniqueKeys))
	}
	seen := map[string]bool{}
	for i, key := range d.Unique {
		path := elementPath("unique", i)
		if len(key) == 0 || len(key) > maxKeyParts {
			faults = append(faults, fault.Invalid(path, "must name 1 to %d properties", maxKeyParts))
			continue
		}
		over, wrong := graph.CheckProperties(path, asProperties(key), graph.DefaultLimits, false)
		faults = append(append(faults, wrong...), over.Faults()...)
		if len(asProperties(key)) != len(key) {
			faults = append(faults, fault.Invalid(path, "must name each property once"))
		}
		sorted := slices.Sorted(slices.Values(key))
		if all := fmt.Sprintf("%q", sorted); seen[all] {
			faults = append(faults, fault.Invalid(path, "occurs twice"))
		} else {
			seen[all] = true
		}
	}
	for name, types := range map[string][]graph.TypeName{"source_types": d.SourceTypes, "target_types": d.TargetTypes} {
		switch {
		case len(types) > 0 && d.Kind == graph.NodeKind:
			faults = append(faults, fault.Invalid(name, "is allowed for edge types only"))
		case len(types) > maxEndTypes:
			faults = append(faults, fault.Invalid(name, "must have at most %d types", maxEndTypes))
		}
	}
	return faults
}

// asProperties returns properties with these names, to validate the names.
func asProperties(names []string) graph.Properties {
	p := graph.Properties{}
	for _, name := range names {
		p[name] = true
	}
	return p
}

// checkTypeNames reports unknown type names.
func checkTypeNames(s any, path string) []*fault.Error {
	var faults []*fault.Error
	members, _ := s.(map[string]any)
	for key, content := range members {
		at := graph.FieldPath(path, key)
		if key == typeKeyword {
			names := stringOrList(content)
			if all, isList := content.([]any); len(names) == 0 || isList && len(all) != len(names) ||
				slices.ContainsFunc(names, func(n string) bool { return !knownType(n) }) {
				faults = append(faults,
					fault.Invalid(at, "must be one or more of %s, and List or List<...> of one of them", strings.Join(scalarTypes, ", ")))
			}
			continue
		}
		visitSchemas(keywords[key], content, at, func(s any, path string) { faults = append(faults, checkTypeNames(s, path)...) })
	}
	return faults
}

// schemaFaults converts an error of the schema compiler.
func schemaFaults(err error) []*fault.Error {
	var invalid *jsonschema.SchemaValidationError
	var violated *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &violated) {
		var faults []*fault.Error
		for _, leaf := range leaves(violated) {
			path := schemaField
			for _, token := range leaf.InstanceLocation {
				path = graph.FieldPath(path, token)
			}
			faults = append(faults, fault.Invalid(path, "%s", describe(leaf)))
		}
		return faults
	}
	var pattern *jsonschema.InvalidRegexError
	if errors.As(err, &pattern) {
		return []*fault.Error{fault.Invalid(schemaField, "contains a pattern that is not a regular expression in RE2 syntax: %s", pattern.Regex)}
	}
	return []*fault.Error{
		fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: schemaField, Message: "is not a JSON Schema of draft 2020-12"}),
	}
}

// Mentions reports whether the schema describes or requires a property.
func (r *Rules) Mentions(property string) bool {
	tree, _ := typedjson.ParseTree(schemaField, r.Schema)
	members, _ := tree.(map[string]any)
	properties, _ := members["properties"].(map[string]any)
	_, described := properties[property]
	return described || slices.Contains(stringOrList(members["required"]), property)
}
