package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

// refineOperations completes every operation with the data of its route and the rules for all responses.
func refineOperations(doc *openapi3.T) error {
	addErrorSchemas(doc)
	doc.Components.Parameters = sharedParameters()
	doc.Components.Responses = openapi3.ResponseBodies{}
	rows := map[string]httpapi.Route{}
	for _, r := range httpapi.Routes() {
		rows[r.Method+" "+r.Template()] = r
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			row, known := rows[method+" "+path]
			if !known {
				return fmt.Errorf("%s %s is annotated but is not a route", method, path)
			}
			if err := refineOperation(doc, operation, row); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
		}
	}
	return addLinks(doc)
}

func refineOperation(doc *openapi3.T, o *openapi3.Operation, row httpapi.Route) error {
	for _, tag := range o.Tags {
		if declared := doc.Tags.Get(tag); declared == nil || declared.Description == "" {
			return fmt.Errorf("the tag %q has no description in internal/httpapi/openapi.go", tag)
		}
	}
	o.OperationID = row.Operation()
	o.Extensions = map[string]any{"x-permission": row.Access.String(), "x-rules": row.Rules.String()}
	o.Description = strings.TrimSpace(o.Description + "\n\n" + describeAccess(row))
	o.Security = openapi3.NewSecurityRequirements()
	if !row.Access.Public() {
		o.Security.With(openapi3.NewSecurityRequirement().Authenticate("BearerAuth"))
	}
	if err := refineParameters(o, row); err != nil {
		return err
	}
	if o.RequestBody != nil {
		o.RequestBody.Value.Extensions = nil
	}
	for status, response := range o.Responses.Map() {
		code, err := strconv.Atoi(status)
		if err != nil {
			return fmt.Errorf("response %q: %w", status, err)
		}
		addHeaders(response.Value, code, row)
	}
	return addErrorResponses(doc, o, row)
}

// describeAccess returns who may call the operation, as text.
func describeAccess(row httpapi.Route) string {
	switch who := row.Access.String(); who {
	case "public":
		return "Needs no token."
	case "signed in":
		return "Needs a token, and no permission."
	case "user":
		return "Needs a token of a user, not a service token, and no permission."
	case "login":
		return "Needs the token of a login, not a service token or a personal token, and no permission."
	case "admin":
		return "Needs a token of an administrator."
	case "console":
		return "Needs the permission **console**. No role grants it."
	case "query":
		return "Needs the permission **query**. A role that names the query suffices; other queries answer 404 then."
	default:
		return "Needs the permission **" + who + "**. " + describeRules(row.Rules.String())
	}
}

// describeRules returns how an operation with a permission obeys the rules of roles, as text.
func describeRules(obeyed string) string {
	if obeyed == "permission" {
		return "Roles that grant it for parts of the graph do not suffice."
	}
	return "Roles may grant it for parts of the graph (" + obeyed + "); what they do not grant does not exist for the user."
}

// responseHeaders returns the headers of every response with the status, besides the annotated ones. Requests with an invalid token,
// and requests that fail in the service, may not have been counted, so they have no rate-limit headers.
func responseHeaders(status int, row httpapi.Route) []string {
	names := []string{"X-Request-ID"}
	switch {
	case status == 401:
		names = append(names, "WWW-Authenticate")
	case !row.Access.Public() && status < 500:
		names = append(names, "RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
	}
	switch {
	case status == 429 || status == 503:
		names = append(names, "Retry-After")
	case status == 304:
		names = append(names, "ETag")
	case status < 300 && row.GivesBookmark():
		names = append(names, graph.BookmarkHeader)
	}
	return names
}

// addHeaders completes the headers of a response.
func addHeaders(r *openapi3.Response, status int, row httpapi.Route) {
	names := responseHeaders(status, row)
	for name := range r.Headers {
		names = append(names, name)
	}
	r.Headers = openapi3.Headers{}
	for _, name := range names {
		r.Headers[name] = &openapi3.HeaderRef{Ref: "#/components/headers/" + name}
	}
}
