// Package openapi generates the OpenAPI 3.0.3 description of the service: swag reads the annotations of the handlers,
// kin-openapi converts them, and this package adds what swag cannot express: from the route table (operation ids, permissions),
// from overlay.json (schemas and headers) and from the rules that apply to every response. It runs at build time only.
package openapi

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/swaggo/swag"

	"graphrest/internal/graph"
)

// overlay is a JSON merge patch (RFC 7396) for the converted document.
//
//go:embed overlay.json
var overlay []byte

// Generate generates the description from the source below the root of the repository. The same source gives the same bytes. The
// error names an annotation that cannot be parsed, or why the result is not a valid OpenAPI document.
func Generate(root string) ([]byte, error) {
	annotated, err := readAnnotations(root)
	if err != nil {
		return nil, fmt.Errorf("read the annotations: %w", err)
	}
	examples := parameterExamples(annotated)
	converted, err := openapi2conv.ToV3(annotated)
	if err != nil {
		return nil, fmt.Errorf("convert to OpenAPI 3: %w", err)
	}
	for at, example := range examples {
		converted.Paths.Value(at.path).GetOperation(at.method).Parameters.GetByInAndName(at.in, at.name).Example = example
	}
	doc, err := withOverlay(converted)
	if err != nil {
		return nil, err
	}
	doc.Components.Schemas["TypedValue"] = typedValue()
	doc.Components.Schemas["PageInfo"].Value.Properties["limit"].Value.WithMin(1).WithMax(graph.MaxLimit)
	typeNullableReferences(doc.Components.Schemas)
	if err := addAuditEnumerations(doc); err != nil {
		return nil, err
	}
	if err := refineOperations(doc); err != nil {
		return nil, err
	}
	return encode(doc)
}

// typeNullableReferences gives a property that is an object of another schema or null the type of that object: "nullable" has an effect
// only beside "type" (OpenAPI 3.0.3, Schema Object). swag writes such a property as an allOf of one reference.
func typeNullableReferences(schemas openapi3.Schemas) {
	for _, schema := range schemas {
		for _, property := range schema.Value.Properties {
			p := property.Value
			if property.Ref != "" || !p.Nullable || p.Type != nil || len(p.AllOf) != 1 {
				continue
			}
			if object := schemas[strings.TrimPrefix(p.AllOf[0].Ref, "#/components/schemas/")]; object != nil {
				p.Type = object.Value.Type
			}
		}
	}
}

// readAnnotations returns Swagger 2.0, the only format of swag's stable versions.
func readAnnotations(root string) (*openapi2.T, error) {
	parser := swag.New(swag.SetDebugger(log.New(io.Discard, "", 0)), swag.SetStrict(true))
	parser.RequiredByDefault = true // members of responses are always present, unless marked optional
	if err := parser.ParseAPI(filepath.Join(root, "internal", "httpapi"), "openapi.go", 1); err != nil {
		return nil, err
	}
	text, err := json.Marshal(parser.GetSwagger())
	if err != nil {
		return nil, err
	}
	if text, err = nameAnswers(text); err != nil {
		return nil, err
	}
	var doc openapi2.T
	return &doc, json.Unmarshal(text, &doc)
}

// genericAnswer is swag's name of a generic type with its parameter, as the name of a schema or the end of a reference to it.
var genericAnswer = regexp.MustCompile(`(["/])(List)?Answer-(array_)?(\w+)"`)

// nameAnswers renames the schemas of the generic answers in a JSON document: Answer-Node to NodeAnswer, and ListAnswer-Node and
// Answer-array_Node to NodeListAnswer. It returns an error if two would have the same name.
func nameAnswers(document []byte) ([]byte, error) {
	before := map[string]string{}
	var failed error
	renamed := genericAnswer.ReplaceAllFunc(document, func(found []byte) []byte {
		parts := genericAnswer.FindSubmatch(found)
		old, name := string(found[1:]), string(parts[4])
		if len(parts[2])+len(parts[3]) > 0 {
			name += "List"
		}
		name += `Answer"`
		if other, used := before[name]; used && other != old {
			failed = fmt.Errorf("two schemas have the name %s", strings.TrimSuffix(name, `"`))
		}
		before[name] = old
		return append(parts[1], name...)
	})
	return renamed, failed
}

// parameterKey identifies a parameter of an operation.
type parameterKey struct{ path, method, in, name string }

// parameterExamples collects the examples of parameters, which the conversion loses.
func parameterExamples(doc *openapi2.T) map[parameterKey]any {
	examples := map[parameterKey]any{}
	for path, item := range doc.Paths {
		for method, operation := range item.Operations() {
			for _, p := range operation.Parameters {
				if example, given := p.Extensions["example"]; given {
					examples[parameterKey{path, method, p.In, p.Name}] = example
				}
			}
		}
	}
	return examples
}

func withOverlay(converted *openapi3.T) (*openapi3.T, error) {
	text, err := json.Marshal(converted)
	if err != nil {
		return nil, err
	}
	var target, patch any
	if err := json.Unmarshal(text, &target); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(overlay, &patch); err != nil {
		return nil, fmt.Errorf("overlay.json: %w", err)
	}
	if text, err = json.Marshal(merge(target, patch)); err != nil {
		return nil, err
	}
	var doc openapi3.T
	return &doc, json.Unmarshal(text, &doc)
}

// merge applies a JSON merge patch (RFC 7396, section 2).
func merge(target, patch any) any {
	changes, is := patch.(map[string]any)
	if !is {
		return patch
	}
	merged, is := target.(map[string]any)
	if !is {
		merged = map[string]any{}
	}
	for name, change := range changes {
		if change == nil {
			delete(merged, name)
		} else {
			merged[name] = merge(merged[name], change)
		}
	}
	return merged
}

// encode validates the document with its references resolved, and writes it with the members of every object sorted.
func encode(doc *openapi3.T) ([]byte, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	read, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	if err := read.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		return nil, fmt.Errorf("the document is not valid: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
