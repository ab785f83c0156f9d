package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

// bookmarkName is the component of the header that every operation on the graph accepts.
const bookmarkName = "bookmark"

// viewAsName is the component of the header that every read of the graph accepts.
const viewAsName = "viewAs"

// sharedParameters returns the components of the parameters that mean the same in every operation: those of lists, by their
// names (filter and any also of aggregates), and the bookmark. Annotations leave them out; the row of a route names those of its list.
func sharedParameters() openapi3.ParametersMap {
	text := openapi3.NewStringSchema
	exact := text().WithEnum("exact")
	conditions := openapi3.NewObjectSchema().WithAdditionalProperties(text())
	conditions.Example = map[string]any{"born": "1960"}
	limit := openapi3.NewInt32Schema().WithMin(1).WithMax(graph.MaxLimit).WithDefault(graph.DefaultLimit)
	shared := openapi3.ParametersMap{}
	add := func(p *openapi3.Parameter, name, description string, schema *openapi3.Schema, example any) {
		p.Description, p.Schema, p.Example = description, schema.NewRef(), example
		shared[name] = &openapi3.ParameterRef{Value: p}
	}
	query := openapi3.NewQueryParameter
	add(query("limit"), "limit", "Entries per page", limit, nil)
	add(query("offset"), "offset", "Entries to skip; not together with cursor", openapi3.NewInt64Schema().WithMin(0), nil)
	add(query("cursor"), "cursor", "next_cursor of the previous page", text().WithPattern(`^[A-Za-z0-9_-]+$`).WithMaxLength(maxCursor), nil)
	add(query("sort"), "sort", "Properties to sort by, comma-separated; a minus sign sorts in descending order; "+
		"id is the last sort key, and entities without the property come last. "+
		"Of edges, source:name and target:name are properties of the ends", text(), "-born,name")
	add(query("fields"), "fields", "Returns only these properties: comma-separated names, or a JSON array of names", text(), "name,born")
	add(query("count"), "count", "exact: returns meta.page.total, whatever the cost", exact, nil)
	filter, explode := query("filter"), true
	filter.Style, filter.Explode = openapi3.SerializationDeepObject, &explode // a second pair of brackets contains the operator
	add(filter, "filter",
		"Conditions, all of which must match: filter[property][operator]=value; of edges the property may be one of an end, "+
			"source:name or target:name. See the guide on lists", conditions, nil)
	alternatives := query("any")
	alternatives.Style, alternatives.Explode = openapi3.SerializationDeepObject, &explode
	add(alternatives, "any", "Alternatives, of which one must match: any[1][property][operator]=value is a condition of the first one. "+
		"See the guide on lists", conditions, nil)
	add(openapi3.NewHeaderParameter(graph.BookmarkHeader), bookmarkName, "The value of this header in the answer to a write: "+
		"the request sees at least that write, whichever gateway and database server it reaches",
		text().WithPattern(`^[A-Za-z0-9_-]+$`).WithMinLength(1).WithMaxLength(maxCursor), nil)
	add(openapi3.NewHeaderParameter(httpapi.ViewAsHeader), viewAsName,
		"user: or role: and a percent-encoded name: the answer is the one that the user, "+
			"or somebody with only this role, would get. For administrators with the permission read; see the guide on permissions",
		text().WithPattern("^(user|role):[\\x21-\\x7e]+$").WithMaxLength(maxCursor), "user:ann")
	return shared
}

// refineParameters completes the annotated parameters of an operation and adds the shared ones of its route.
func refineParameters(o *openapi3.Operation, row httpapi.Route) error {
	for _, p := range o.Parameters {
		p.Value.Extensions = nil
		refineParameter(p.Value)
	}
	var shared []string
	isList := slices.Contains(row.Query(), "cursor")
	for _, name := range row.Query() {
		common := (isList || name == "filter" || name == "any") && sharedParameters()[name] != nil
		annotated := o.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) != nil
		switch {
		case common && annotated:
			return fmt.Errorf("remove the annotation of the parameter %s: it is the same in every list", name)
		case common:
			shared = append(shared, name)
		case !annotated:
			return fmt.Errorf("the parameter %s is not annotated", name)
		}
	}
	if row.TakesBookmark() {
		shared = append(shared, bookmarkName)
	}
	if row.TakesViewAs() {
		shared = append(shared, viewAsName)
	}
	for _, name := range shared {
		o.Parameters = append(o.Parameters, &openapi3.ParameterRef{Ref: "#/components/parameters/" + name})
	}
	return nil
}

const (
	entityTags = `^(\*|(W/)?"[\x21\x23-\x7e]*"(, ?(W/)?"[\x21\x23-\x7e]*")*)$`
	maxID      = 1024
	maxCursor  = 8192 // also of a bookmark
)

// refineParameter adds constraints on a parameter's values that swag cannot express.
func refineParameter(p *openapi3.Parameter) {
	s := p.Schema.Value
	switch p.Name {
	case "type", "edge_type", "node_type":
		p.Schema = openapi3.NewSchemaRef("#/components/schemas/TypeName", nil)
	case "limit", "depth", "max_depth", "max_degree", "wait":
		s.Format = "int32"
	case "node_id", "id":
		s.WithMaxLength(maxID)
		if p.In == "path" {
			s.WithMinLength(1)
		}
	case "source_id", "target_id":
		s.WithMaxLength(maxID)
	case "q", "group_by":
		s.WithMinLength(1)
	case "kind":
		if p.In == openapi3.ParameterInPath && len(s.Enum) == 0 {
			s.WithEnum("nodes", "edges")
		}
	case "username", "name", "user", "entity", "request_id", "at", "since":
		s.WithMinLength(1).WithMaxLength(maxID)
	case "If-Match", "If-None-Match":
		s.WithPattern(entityTags).WithMinLength(1)
	case "Idempotency-Key":
		s.WithPattern(`^[\x21-\x7e]+$`).WithMinLength(1).WithMaxLength(255)
	}
}
