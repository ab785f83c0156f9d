package httpapi

import (
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"graphrest/internal/fault"
)

// General information for swag (v1.16). The operations are annotated at their handlers, the bodies in document.go.
//
//	@title						Graph Data Service
//	@version					1.0
//	@description				A REST interface to a graph of nodes and edges stored in Neo4j.
//	@description
//	@description				1. `POST /api/auth/login` returns an `access_token`. On this page, log in at the top.
//	@description				2. Every other request sends it: `Authorization: Bearer <access_token>`.
//	@description				   A program may use a service token instead, which an administrator creates.
//	@description				3. A user has any of the permissions `read`, `create`, `edit` and `delete`; each operation states which one it needs.
//	@description
//	@description				Answers are `{"data": ..., "meta": {"status": "success", "timestamp": ...}}`, errors are
//	@description				`{"error": {"code", "message", "details"}}` with the codes named at each operation. An unknown path is
//	@description				404 `NOT_FOUND`, an unknown method 405 `METHOD_NOT_ALLOWED`. Unknown members and query parameters are rejected.
//	@description				`HEAD` works wherever `GET` does and returns the same headers; it is not listed.
//	@license.name				Apache 2.0
//	@license.url				https://www.apache.org/licenses/LICENSE-2.0
//	@BasePath					/
//	@accept						json
//	@produce					json
//	@tag.name					Nodes
//	@tag.description			Nodes have a type and properties.
//	@tag.name					Edges
//	@tag.description			Edges have a type, a source node, a target node and properties.
//	@tag.name					Batches
//	@tag.description			Several operations in one transaction.
//	@tag.name					Change sets
//	@tag.description			Operations that another user must approve before they are applied.
//	@tag.name					Queries
//	@tag.description			Queries that administrators saved, run by their names with typed parameters; the console runs others.
//	@tag.name					Saved queries
//	@tag.description			For administrators: Cypher that others run by its name, in versions.
//	@tag.name					Saved views
//	@tag.description			What users saved of the pages of a client, private or shared.
//	@tag.name					Patterns
//	@tag.description			Questions over several hops.
//	@tag.name					Paths
//	@tag.description			Paths through the graph.
//	@tag.name					Search
//	@tag.description			Full-text search and its indexes; only administrators change them.
//	@tag.name					Whole graphs
//	@tag.description			Import and export, as streams of lines.
//	@tag.name					History
//	@tag.description			Recorded changes: history, the trash, undo and the change feed.
//	@tag.name					Webhooks
//	@tag.description			Recorded changes sent to HTTP endpoints; administrators only.
//	@tag.name					Schema
//	@tag.description			The types of the graph.
//	@tag.name					Declared types
//	@tag.description			Rules for the entities of a type; administrators only.
//	@tag.name					Type styles
//	@tag.description			How types are drawn, the same for all users; only administrators change them.
//	@tag.name					Indexes
//	@tag.description			Range, text and point indexes, and which would help; administrators only.
//	@tag.name					Authentication
//	@tag.description			Tokens and your own account.
//	@tag.name					Users
//	@tag.description			Administration of users; administrators only.
//	@tag.name					Roles
//	@tag.description			Parts of the graph that users may see and change; administrators only.
//	@tag.name					Service tokens
//	@tag.description			Credentials of programs; administrators only.
//	@tag.name					Personal tokens
//	@tag.description			Credentials that users make for programs, which act as them; administrators see and delete those of others.
//	@tag.name					Audit
//	@tag.description			The audit log; administrators only.
//	@tag.name					Operation
//	@tag.description			Health and readiness probes, and the state of the gateway for administrators.
//	@securityDefinitions.apikey	BearerAuth
//	@in							header
//	@name						Authorization

// Template returns the path in OpenAPI's format: /api/nodes/{node_id}.
func (r Route) Template() string {
	segments := strings.Split(r.Path, "/")
	for i, segment := range segments {
		if name, is := strings.CutPrefix(segment, ":"); is {
			segments[i] = "{" + name + "}"
		}
	}
	return strings.Join(segments, "/")
}

// Query returns the names of the query parameters that are allowed.
func (r Route) Query() []string { return r.query }

// Operation returns the operation id, unique in the table except that HEAD has that of its GET: the handler's name, with "patch"
// instead of "update" for PATCH.
func (r Route) Operation() string {
	// Of a method expression this is "graphrest/internal/httpapi.(*API).updateNode".
	name := runtime.FuncForPC(reflect.ValueOf(r.handle).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '.')+1:]
	if rest, is := strings.CutPrefix(name, "update"); is && r.Method == http.MethodPatch {
		return "patch" + rest
	}
	return name
}

// Conflicts returns the reasons for CONFLICT that the row states.
func (r Route) Conflicts() []Conflict { return slices.Clone(r.conflicts) }

// DescribeConflicts returns the reasons for CONFLICT that the row states as a part of a sentence; empty if there is none.
func (r Route) DescribeConflicts() string {
	reasons := make([]string, len(r.conflicts))
	for i, reason := range r.conflicts {
		reasons[i] = string(reason)
	}
	return strings.Join(reasons, ", or ")
}

// ErrorCodes returns the codes that the row implies: those of the checks before the handler, those of any use of the database, and the
// conflict that it states. The handler may return more, which its annotations name. Pages and probes have none.
func (r Route) ErrorCodes() []fault.Code {
	if r.anyQuery {
		return nil
	}
	codes := []fault.Code{fault.Validation, fault.Internal, fault.DatabaseUnavailable, fault.DatabaseTimeout}
	if !r.Access.Public() {
		codes = append(codes, fault.Unauthenticated, fault.InvalidToken, fault.TokenExpired, fault.TokenRevoked, fault.RateLimited)
	}
	if slices.Contains([]accessKind{accessUser, accessLogin, accessPermission, accessAdmin}, r.Access.kind) {
		codes = append(codes, fault.PermissionDenied)
	}
	if strings.Contains(r.Path, ":") {
		codes = append(codes, fault.NotFound)
	}
	if len(r.conflicts) > 0 {
		codes = append(codes, fault.Conflict)
	}
	switch r.body {
	case jsonBody:
		codes = append(codes, fault.UnsupportedMediaType, fault.PayloadTooLarge)
	case ndjsonBody:
		codes = append(codes, fault.UnsupportedMediaType)
	}
	return codes
}
