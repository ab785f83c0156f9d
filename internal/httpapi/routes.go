package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/oidc"
)

// Routes returns the table of all routes; each GET has a HEAD and most PUTs have a PATCH.
func Routes() []Route {
	return slices.Concat(
		// Nodes
		abandonable(
			getRoutes(
				"/api/nodes",
				needs(auth.Read), rulesApplied(graph.NodeKind),
				(*API).listNodes,
				"type",
				"limit",
				"offset",
				"cursor",
				"filter",
				"sort",
				"fields",
				"count",
			),
		),
		postRoute("/api/nodes", needs(auth.Create), rulesApplied(graph.NodeKind), (*API).createNode),
		getRoutes("/api/nodes/:node_id", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getNode, "at"),
		putRoutes("/api/nodes/:node_id", needs(auth.Edit), rulesApplied(graph.NodeKind), (*API).updateNode),
		[]Route{newRoute(http.MethodDelete, "/api/nodes/:node_id", needs(auth.Delete), rulesApplied(graph.NodeKind), (*API).deleteNode, "detach")},
		abandonable(getRoutes("/api/nodes/:node_id/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listNodeEdges,
			"direction", "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends")),

		abandonable(getRoutes("/api/nodes/:node_id/degree", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getDegree)),
		abandonable(getRoutes("/api/nodes/:node_id/neighbors", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).getNeighbors,
			"direction", "edge_type", "node_type", "depth", "limit", "max_degree")),
		abandonable(
			getRoutes(
				"/api/paths",
				needs(auth.Read), rulesApplied(graph.NodeKind),
				(*API).findPaths,
				"source_id",
				"target_id",
				"edge_type",
				"direction",
				"max_depth",
				"all",
			),
		),

		abandonable(
			getRoutes(
				"/api/search",
				needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind),
				(*API).search,
				"q",
				"index",
				"kind",
				"type",
				"property",
				"limit",
				"offset",
				"cursor",
			),
		),

		// Edges
		abandonable(getRoutes("/api/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listEdges,
			"type", "source_id", "target_id", "node_id", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends")),
		readingRoute("/api/edges/among", rulesApplied(graph.EdgeKind), (*API).listEdgesAmong),
		postRoute("/api/edges", needs(auth.Create), rulesApplied(graph.EdgeKind), (*API).createEdge),
		getRoutes("/api/edges/:id", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).getEdge, "at", "ends"),
		putRoutes("/api/edges/:id", needs(auth.Edit), rulesApplied(graph.EdgeKind), (*API).updateEdge),
		[]Route{newRoute(http.MethodDelete, "/api/edges/:id", needs(auth.Delete), rulesApplied(graph.EdgeKind), (*API).deleteEdge)},

		aggregateRoutes(),
		[]Route{batchRoute()},

		changeSetRoutes(),
		savedViewRoutes(),

		// Whole graphs
		[]Route{importRoute()},
		streaming(getRoutes("/api/export", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).exportGraph, "node_type", "edge_type")),

		// History
		getRoutes("/api/nodes/:node_id/history", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).listNodeHistory, "limit", "cursor"),
		getRoutes("/api/edges/:id/history", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listEdgeHistory, "limit", "cursor"),
		getRoutes("/api/trash", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).listTrash,
			"type", "kind", "user", "since", "until", "limit", "cursor"),
		postRoute("/api/undo", needsAny(auth.Create, auth.Edit, auth.Delete), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).undo),
		streaming(getRoutes(feedPath, needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).readChanges,
			"since", "kind", "type", "action", "last", "limit", "wait")),

		// Schema
		getRoutes("/api/schema", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getSchema),
		getRoutes("/api/schema/nodes", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getNodeTypes),
		getRoutes("/api/schema/edges", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).getEdgeTypes),

		// Authentication
		postRoute("/api/auth/login", public, noRules, (*API).login),
		[]Route{newRoute(http.MethodPost, "/api/auth/logout", usersOnly, noRules, (*API).logout)},
		getRoutes("/api/auth/me", signedIn, noRules, (*API).me),
		[]Route{changePasswordRoute()},
		getRoutes("/api/auth/methods", public, noRules, (*API).getLoginMethods),
		singleSignOnRoutes(),

		// Administration of users
		getRoutes("/api/admin/users", admin, noRules, (*API).listUsers, "limit", "offset", "cursor"),
		postRoute("/api/admin/users", admin, noRules, (*API).createUser),
		getRoutes("/api/admin/users/:username", admin, noRules, (*API).getUser),
		putRoutes("/api/admin/users/:username", admin, noRules, (*API).updateUser),
		[]Route{newRoute(http.MethodDelete, "/api/admin/users/:username", admin, noRules, (*API).deleteUser)},

		// Administration of roles
		getRoutes("/api/admin/roles", admin, noRules, (*API).listRoles, "limit", "offset", "cursor"),
		postRoute("/api/admin/roles", admin, noRules, (*API).createRole),
		[]Route{previewRoute()},
		getRoutes("/api/admin/roles/:name", admin, noRules, (*API).getRole),
		putRoutes("/api/admin/roles/:name", admin, noRules, (*API).updateRole),
		[]Route{newRoute(http.MethodDelete, "/api/admin/roles/:name", admin, noRules, (*API).deleteRole)},

		postRoute("/api/admin/explain", admin, noRules, (*API).explain),

		// Administration of service tokens
		getRoutes("/api/admin/tokens", admin, noRules, (*API).listServiceTokens, "limit", "offset", "cursor"),
		postRoute("/api/admin/tokens", admin, noRules, (*API).createServiceToken),
		[]Route{newRoute(http.MethodDelete, "/api/admin/tokens/:id", admin, noRules, (*API).deleteServiceToken)},

		// Administration of search indexes
		getRoutes("/api/admin/search-indexes", admin, noRules, (*API).listSearchIndexes),
		postRoute("/api/admin/search-indexes", admin, noRules, (*API).createSearchIndex),
		getRoutes("/api/admin/search-indexes/:name", admin, noRules, (*API).getSearchIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/search-indexes/:name", admin, noRules, (*API).deleteSearchIndex)},

		// Administration of other indexes
		getRoutes("/api/admin/indexes", admin, noRules, (*API).listIndexes),
		postRoute("/api/admin/indexes", admin, noRules, (*API).createIndex),
		getRoutes("/api/admin/indexes/:name", admin, noRules, (*API).getIndex),
		[]Route{newRoute(http.MethodDelete, "/api/admin/indexes/:name", admin, noRules, (*API).deleteIndex)},

		getRoutes("/api/admin/index-advice", admin, noRules, (*API).adviseIndexes),

		// Audit log
		getRoutes("/api/admin/audit", admin, noRules, (*API).listAudit,
			"user", "action", "kind", "entity", "outcome", "request_id", "since", "until", "limit", "cursor"),

		[]Route{newRoute(http.MethodDelete, "/api/admin/history/:kind/:id", admin, noRules, (*API).eraseHistory)},

		// Administration of webhooks
		getRoutes("/api/admin/webhooks", admin, noRules, (*API).listWebhooks),
		postRoute("/api/admin/webhooks", admin, noRules, (*API).createWebhook),
		getRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).getWebhook),
		putRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).updateWebhook),
		[]Route{newRoute(http.MethodDelete, "/api/admin/webhooks/:name", admin, noRules, (*API).deleteWebhook)},
		getRoutes("/api/admin/webhooks/:name/deliveries", admin, noRules, (*API).listDeliveries, "state", "limit", "cursor"),
		[]Route{newRoute(http.MethodPost, "/api/admin/webhooks/:name/deliveries/:id/retry", admin, noRules, (*API).retryDelivery)},

		// Administration of types
		getRoutes("/api/admin/types", admin, noRules, (*API).listDeclaredTypes, "limit", "offset", "cursor"),
		getRoutes("/api/admin/types/:kind/:type", admin, noRules, (*API).getDeclaredType),
		[]Route{
			declareTypeRoute(),
			newRoute(http.MethodDelete, "/api/admin/types/:kind/:type", admin, noRules, (*API).undeclareType),
			newRoute(http.MethodPost, "/api/admin/types/:kind/:type/propose", admin, noRules, (*API).proposeType),
		},
		abandonable(getRoutes("/api/admin/types/:kind/:type/violations", admin, noRules, (*API).listViolations, "limit", "offset", "cursor")),
		typeStyleRoutes(),

		// Pages and probes
		pageRoutes("/healthz", (*API).healthz),
		pageRoutes("/readyz", (*API).readyz),
		pageRoutes("/docs", (*API).serveDocs),
		pageRoutes("/docs/*asset", (*API).serveDocs),

		// The web interface: the paths of its router (App.tsx), and its files
		pageRoutes("/", (*API).serveWeb),
		pageRoutes("/explore", (*API).serveWeb),
		pageRoutes("/schema", (*API).serveWeb),
		pageRoutes("/users", (*API).serveWeb),
		pageRoutes("/roles", (*API).serveWeb),
		pageRoutes("/explain", (*API).serveWeb),
		pageRoutes("/tokens", (*API).serveWeb),
		pageRoutes("/webhooks", (*API).serveWeb),
		pageRoutes("/webhooks/:name", (*API).serveWeb),
		pageRoutes("/changes", (*API).serveWeb),
		pageRoutes("/trash", (*API).serveWeb),
		pageRoutes("/change-sets", (*API).serveWeb),
		pageRoutes("/change-sets/:id", (*API).serveWeb),
		pageRoutes("/views/:id", (*API).serveWeb),
		pageRoutes("/declared-types", (*API).serveWeb),
		pageRoutes("/search-indexes", (*API).serveWeb),
		pageRoutes("/audit", (*API).serveWeb),
		pageRoutes("/assets/*asset", (*API).serveWeb),
		pageRoutes("/static/*asset", (*API).serveWeb),
	)
}

// aggregateRoutes read all entities of a list.
func aggregateRoutes() []Route {
	return slices.Concat(
		abandonable(getRoutes("/api/aggregate/nodes", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).aggregateNodes,
			"type", "filter", "group_by", "bin", "measure", "limit")),
		abandonable(getRoutes("/api/aggregate/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).aggregateEdges,
			"type", "source_id", "target_id", "node_id", "filter", "group_by", "bin", "measure", "limit")),
	)
}

// importRoute also needs the permission edit, or a grant, if lines may change existing entities, and ends when its user loses a privilege.
func importRoute() Route {
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/import", needs(auth.Create), obeyed, (*API).importGraph, "on_conflict")
	r.body, r.stream = ndjsonBody, true
	r.extraPermission, r.checkPrivileges = editIfMerge, checkImportPrivileges
	return r
}

// batchRoute needs the permission of each of its operations, or a grant, which the handler checks.
func batchRoute() Route {
	access, obeyed := needsAny(auth.Create, auth.Edit, auth.Delete), rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/batch", access, obeyed, (*API).applyBatch, "dry_run")
	r.body = jsonBody
	return r
}

// changeSetRoutes are the rows of change sets. Those that need the permissions of the operations check them in the handler, as batchRoute
// does; those of the author need the permission read too, because they answer the change set. Grants suffice for parts of the graph.
func changeSetRoutes() []Route {
	const one = "/api/changesets/:id"
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	anyWrite := needsAny(auth.Create, auth.Edit, auth.Delete)
	rows := getRoutes("/api/changesets", needs(auth.Read), obeyed, (*API).listChangeSets, "status", "author", "limit", "cursor")
	rows = append(rows, postRoute("/api/changesets", needs(auth.Read), obeyed, (*API).proposeChangeSet)...)
	rows = append(rows, getRoutes(one, needs(auth.Read), obeyed, (*API).getChangeSet)...)
	rows = append(rows, putRoutes(one, needs(auth.Read), obeyed, (*API).updateChangeSet)...)
	rows = append(rows, abandonable(getRoutes(one+"/diff", needs(auth.Read), obeyed, (*API).diffChangeSet))...)
	rows = append(rows, postRoute(one+"/comments", needs(auth.Read), obeyed, (*API).commentOnChangeSet)...)
	return append(
		rows,
		newRoute(http.MethodPost, one+"/approve", anyWrite, obeyed, (*API).approveChangeSet),
		newRoute(http.MethodPost, one+"/reject", anyWrite, obeyed, (*API).rejectChangeSet),
		newRoute(http.MethodPost, one+"/apply", anyWrite, obeyed, (*API).applyChangeSet),
		newRoute(http.MethodPost, one+"/withdraw", needs(auth.Read), obeyed, (*API).withdrawChangeSet),
	)
}

// savedViewRoutes are the rows of saved views. Whoever may read a part of the graph may use them, for a saved view shows nothing of the
// graph; it belongs to a user, so service tokens only read what is shared.
func savedViewRoutes() []Route {
	const one = savedViewsPath + "/:id"
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	ofUsers := needs(auth.Read).ofUsers()
	rows := slices.Concat(
		getRoutes(savedViewsPath, needs(auth.Read), obeyed, (*API).listSavedViews, "page", "owner", "limit", "cursor"),
		postRoute(savedViewsPath, ofUsers, obeyed, (*API).createSavedView),
		getRoutes(one, needs(auth.Read), obeyed, (*API).getSavedView),
		putRoutes(one, ofUsers, obeyed, (*API).updateSavedView),
		[]Route{newRoute(http.MethodDelete, one, ofUsers, obeyed, (*API).deleteSavedView)},
	)
	for i := range rows {
		rows[i].personal = true
	}
	return rows
}

// singleSignOnRoutes are the routes of logins at an identity provider. The callback allows any query: providers add their own
// parameters.
func singleSignOnRoutes() []Route {
	callback := getRoutes(oidc.CallbackPath, public, noRules, (*API).finishSignOn)
	for i := range callback {
		callback[i].anyQuery = true
	}
	return append(append(getRoutes("/api/auth/oidc/start", public, noRules, (*API).startSignOn), callback...),
		newRoute(http.MethodPost, "/api/auth/oidc/session", public, noRules, (*API).redeemSignOn))
}

// previewRoute also needs the permission read, because its counts tell about the whole graph.
func previewRoute() Route {
	r := newRoute(http.MethodPost, "/api/admin/roles/preview", admin, noRules, (*API).previewRole)
	r.body = jsonBody
	r.extraPermission = func(*http.Request) auth.Permission { return auth.Read }
	return r
}

// declareTypeRoute has no PATCH twin: a declaration is replaced as a whole.
func declareTypeRoute() Route {
	r := newRoute(http.MethodPut, "/api/admin/types/:kind/:type", admin, noRules, (*API).declareType)
	r.body = jsonBody
	return r
}

// typeStyleRoutes are the rows of the styles of types. Users see the styles of the types that they may see in the schema.
func typeStyleRoutes() []Route {
	const one = typeStylesPath + "/:kind/:type"
	return slices.Concat(
		getRoutes(typeStylesPath, admin, noRules, (*API).listTypeStyles, "limit", "offset", "cursor"),
		getRoutes(one, admin, noRules, (*API).getTypeStyle),
		putRoutes(one, admin, noRules, (*API).updateTypeStyle),
		[]Route{newRoute(http.MethodDelete, one, admin, noRules, (*API).deleteTypeStyle)},
	)
}

// changePasswordRoute has no PATCH twin: a password is replaced as a whole.
func changePasswordRoute() Route {
	r := newRoute(http.MethodPut, "/api/auth/password", usersOnly, noRules, (*API).changePassword)
	r.body = jsonBody
	return r
}
