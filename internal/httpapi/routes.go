package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/oidc"
)

// Routes returns the table of all routes; each GET has a HEAD and most PUTs have a PATCH. The rows stand below, by resource.
func Routes() []Route {
	return slices.Concat(
		nodeRoutes(),
		aroundRoutes(),
		searchRoutes(),
		edgeRoutes(),
		aggregateRoutes(),
		matchRoutes(),
		batchRoutes(),
		changeSetRoutes(),
		savedViewRoutes(),
		queryRoutes(),
		bulkRoutes(),
		historyRoutes(),
		schemaRoutes(),
		authenticationRoutes(),
		singleSignOnRoutes(),
		userRoutes(),
		roleRoutes(),
		explainRoutes(),
		serviceTokenRoutes(),
		personalTokenRoutes(),
		getRoutes("/api/admin/system", admin, noRules, (*API).system),
		getRoutes("/api/admin/system/findings", admin, noRules, (*API).findings),
		getRoutes("/api/admin/system/sizes", admin, noRules, (*API).sizes),
		searchIndexRoutes(), indexRoutes(),
		auditRoutes(),
		webhookRoutes(),
		declaredTypeRoutes(),
		typeStyleRoutes(),
		probeRoutes(),
		documentationRoutes(),
		webInterfaceRoutes(),
	)
}

func nodeRoutes() []Route {
	nodes := rulesApplied(graph.NodeKind)
	return slices.Concat(
		abandonable(getRoutes("/api/nodes", needs(auth.Read), nodes, (*API).listNodes,
			"type", "limit", "offset", "cursor", "filter", "sort", "fields", "count")),
		withConflict(postRoute("/api/nodes", needs(auth.Create), nodes, (*API).createNode), constraintViolated),
		getRoutes("/api/nodes/:node_id", needs(auth.Read), nodes, (*API).getNode, "at"),
		withConflict(putRoutes("/api/nodes/:node_id", needs(auth.Edit), nodes, (*API).updateNode), constraintViolated, nodeIDShared),
		deleteRoute("/api/nodes/:node_id", needs(auth.Delete), nodes, (*API).deleteNode, "detach"),
	)
}

// aroundRoutes read what is connected with a node.
func aroundRoutes() []Route {
	nodes := rulesApplied(graph.NodeKind)
	return abandonable(slices.Concat(
		withConflict(getRoutes("/api/nodes/:node_id/edges", needs(auth.Read), rulesApplied(graph.EdgeKind), (*API).listNodeEdges,
			"direction", "type", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends"), nodeIDShared),
		withConflict(getRoutes("/api/nodes/:node_id/degree", needs(auth.Read), nodes, (*API).getDegree), nodeIDShared),
		withConflict(getRoutes("/api/nodes/:node_id/neighbors", needs(auth.Read), nodes, (*API).getNeighbors,
			"direction", "edge_type", "node_type", "depth", "limit", "max_degree"), nodeIDShared),
		withConflict(getRoutes("/api/paths", needs(auth.Read), nodes, (*API).findPaths,
			"source_id", "target_id", "edge_type", "direction", "max_depth", "all"), nodeIDShared),
	))
}

func searchRoutes() []Route {
	return abandonable(getRoutes("/api/search", needs(auth.Read), rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).search,
		"q", "fuzzy", "index", "kind", "type", "property", "limit", "offset", "cursor"))
}

func edgeRoutes() []Route {
	edges := rulesApplied(graph.EdgeKind)
	return slices.Concat(
		withConflict(abandonable(getRoutes("/api/edges", needs(auth.Read), edges, (*API).listEdges,
			"type", "source_id", "target_id", "node_id", "limit", "offset", "cursor", "filter", "sort", "fields", "count", "ends")), nodeIDShared),
		readingRoute("/api/edges/among", edges, (*API).listEdgesAmong),
		withConflict(postRoute("/api/edges", needs(auth.Create), edges, (*API).createEdge), constraintViolated, nodeIDShared),
		getRoutes("/api/edges/:id", needs(auth.Read), edges, (*API).getEdge, "at", "ends"),
		withConflict(putRoutes("/api/edges/:id", needs(auth.Edit), edges, (*API).updateEdge), constraintViolated, edgeIDShared),
		deleteRoute("/api/edges/:id", needs(auth.Delete), edges, (*API).deleteEdge),
	)
}

// aggregateRoutes read all entities of a list.
func aggregateRoutes() []Route {
	return slices.Concat(
		abandonable(getRoutes("/api/aggregate/nodes", needs(auth.Read), rulesApplied(graph.NodeKind), (*API).aggregateNodes,
			"type", "filter", "group_by", "bin", "measure", "limit")),
		withConflict(abandonable(getRoutes("/api/aggregate/edges", needs(auth.Read), rulesApplied(graph.EdgeKind),
			(*API).aggregateEdges, "type", "source_id", "target_id", "node_id", "filter", "group_by", "bin", "measure", "limit")), nodeIDShared),
	)
}

// matchRoutes has one row: questions over several hops.
func matchRoutes() []Route {
	rows := readingRoute(questionPath, rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).match)
	rows[0].query = []string{"explain"}
	return withConflict(rows, nodeIDShared)
}

// batchRoutes has one row, which needs the permission of each of its operations, or a grant, which the handler checks.
func batchRoutes() []Route {
	access, obeyed := needsAny(auth.Create, auth.Edit, auth.Delete), rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/batch", access, obeyed, (*API).applyBatch, "dry_run")
	r.body = jsonBody
	return []Route{r}
}

// changeSetRoutes are the rows of change sets. Those that need the permissions of the operations check them in the handler, as that
// of batches does; those of the author need the permission read too, because they answer the change set. Grants suffice for parts of
// the graph.
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
		deleteRoute(one, ofUsers, obeyed, (*API).deleteSavedView),
	)
	for i := range rows {
		rows[i].personal = true
	}
	return rows
}

// queryRoutes are the rows of saved queries and of the console. A query obeys no rules: it runs with the rights of its definition.
func queryRoutes() []Route {
	const one, ofAdmin = queriesPath + "/:name", adminQueriesPath + "/:name"
	mayRun := needs(auth.Query).orQueries()
	return slices.Concat(
		getRoutes(queriesPath, mayRun, noRules, (*API).listQueries, "limit", "offset", "cursor"),
		getRoutes(one, mayRun, noRules, (*API).getQuery),
		readingQuery(getRoutes(one+"/run", mayRun, noRules, (*API).runQuery, "format")),
		readingQuery(postRoute(one+"/run", mayRun, noRules, (*API).runQueryWithBody)),
		readingQuery(postRoute("/api/query", needs(auth.Console), noRules, (*API).runText)),
		getRoutes(adminQueriesPath, admin, noRules, (*API).listSavedQueries, "limit", "offset", "cursor"),
		postRoute(adminQueriesPath, admin, noRules, (*API).createSavedQuery),
		getRoutes(ofAdmin, admin, noRules, (*API).getSavedQuery),
		putRoutes(ofAdmin, admin, noRules, (*API).updateSavedQuery),
		deleteRoute(ofAdmin, admin, noRules, (*API).deleteSavedQuery),
		getRoutes(ofAdmin+"/versions", admin, noRules, (*API).listSavedQueryVersions),
	)
}

// bulkRoutes import and export whole graphs.
func bulkRoutes() []Route {
	return append([]Route{importRoute()}, streaming(getRoutes("/api/export", needs(auth.Read),
		rulesApplied(graph.NodeKind, graph.EdgeKind), (*API).exportGraph, "node_type", "edge_type"))...)
}

// importRoute also needs the permission edit, or a grant, if lines may change existing entities, and ends when its user loses a privilege.
func importRoute() Route {
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	r := newRoute(http.MethodPost, "/api/import", needs(auth.Create), obeyed, (*API).importGraph, "on_conflict", "errors")
	r.body, r.stream = ndjsonBody, true
	r.extraPermission, r.checkPrivileges = editIfMerge, checkImportPrivileges
	return r
}

// historyRoutes are the rows of recorded changes: histories, the trash, undo and the feed.
func historyRoutes() []Route {
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	return withConflict(slices.Concat(
		withConflict(getRoutes("/api/nodes/:node_id/history", needs(auth.Read), rulesApplied(graph.NodeKind),
			(*API).listNodeHistory, "limit", "cursor"), nodeIDShared),
		withConflict(getRoutes("/api/edges/:id/history", needs(auth.Read), rulesApplied(graph.EdgeKind),
			(*API).listEdgeHistory, "limit", "cursor"), edgeIDShared),
		getRoutes("/api/trash", needs(auth.Read), obeyed, (*API).listTrash, "type", "kind", "user", "since", "until", "limit", "cursor"),
		postRoute("/api/undo", needsAny(auth.Create, auth.Edit, auth.Delete), obeyed, (*API).undo),
		streaming(getRoutes(feedPath, needs(auth.Read), obeyed, (*API).readChanges, "since", "kind", "type", "action", "last", "limit", "wait")),
		withConflict(deleteRoute("/api/admin/history/:kind/:id", admin, noRules, (*API).eraseHistory), nodeIDShared, edgeIDShared),
	), notRecorded)
}

func schemaRoutes() []Route {
	obeyed := rulesApplied(graph.NodeKind, graph.EdgeKind)
	return slices.Concat(
		getRoutes("/api/schema", needs(auth.Read), obeyed, (*API).getSchema),
		getRoutes("/api/schema/nodes", needs(auth.Read), obeyed, (*API).getNodeTypes),
		getRoutes("/api/schema/edges", needs(auth.Read), obeyed, (*API).getEdgeTypes),
	)
}

func authenticationRoutes() []Route {
	return slices.Concat(
		postRoute("/api/auth/login", public, noRules, (*API).login, "me"),
		[]Route{newRoute(http.MethodPost, "/api/auth/logout", loginOnly, noRules, (*API).logout)},
		getRoutes("/api/auth/me", signedIn, noRules, (*API).me),
		[]Route{changePasswordRoute()},
		getRoutes("/api/auth/methods", public, noRules, (*API).getLoginMethods),
	)
}

// changePasswordRoute has no PATCH twin: a password is replaced as a whole.
func changePasswordRoute() Route {
	r := newRoute(http.MethodPut, "/api/auth/password", loginOnly, noRules, (*API).changePassword)
	r.body = jsonBody
	return r
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

func userRoutes() []Route {
	return slices.Concat(
		getRoutes("/api/admin/users", admin, noRules, (*API).listUsers, "limit", "offset", "cursor"),
		postRoute("/api/admin/users", admin, noRules, (*API).createUser),
		getRoutes("/api/admin/users/:username", admin, noRules, (*API).getUser),
		putRoutes("/api/admin/users/:username", admin, noRules, (*API).updateUser),
		deleteRoute("/api/admin/users/:username", admin, noRules, (*API).deleteUser),
	)
}

func roleRoutes() []Route {
	return slices.Concat(
		getRoutes("/api/admin/roles", admin, noRules, (*API).listRoles, "limit", "offset", "cursor"),
		postRoute("/api/admin/roles", admin, noRules, (*API).createRole),
		[]Route{previewRoute()},
		getRoutes("/api/admin/roles/:name", admin, noRules, (*API).getRole),
		putRoutes("/api/admin/roles/:name", admin, noRules, (*API).updateRole),
		deleteRoute("/api/admin/roles/:name", admin, noRules, (*API).deleteRole),
	)
}

// previewRoute tells about the whole graph by its counts.
func previewRoute() Route {
	r := newRoute(http.MethodPost, "/api/admin/roles/preview", admin, noRules, (*API).previewRole)
	r.body = jsonBody
	return alsoNeedsRead(r)[0]
}

func explainRoutes() []Route {
	return postRoute("/api/admin/explain", admin, noRules, (*API).explain)
}

// personalTokenRoutes are the rows of a user's own personal tokens, and of those of others for administrators.
func personalTokenRoutes() []Route {
	const own, ofUser = "/api/auth/tokens", "/api/admin/users/:username/tokens"
	return slices.Concat(
		getRoutes(own, usersOnly, noRules, (*API).listPersonalTokens, "limit", "offset", "cursor"),
		postRoute(own, loginOnly, noRules, (*API).createPersonalToken),
		deleteRoute(own+"/:id", usersOnly, noRules, (*API).deletePersonalToken),
		getRoutes(ofUser, admin, noRules, (*API).listTokensOfUser, "limit", "offset", "cursor"),
		deleteRoute(ofUser+"/:id", admin, noRules, (*API).deleteTokenOfUser),
	)
}

func serviceTokenRoutes() []Route {
	return slices.Concat(
		getRoutes("/api/admin/tokens", admin, noRules, (*API).listServiceTokens, "limit", "offset", "cursor"),
		postRoute("/api/admin/tokens", admin, noRules, (*API).createServiceToken),
		deleteRoute("/api/admin/tokens/:id", admin, noRules, (*API).deleteServiceToken),
	)
}

func searchIndexRoutes() []Route {
	return slices.Concat(
		getRoutes("/api/admin/search-indexes", admin, noRules, (*API).listSearchIndexes),
		postRoute("/api/admin/search-indexes", admin, noRules, (*API).createSearchIndex),
		getRoutes("/api/admin/search-indexes/:name", admin, noRules, (*API).getSearchIndex),
		deleteRoute("/api/admin/search-indexes/:name", admin, noRules, (*API).deleteSearchIndex),
	)
}

// indexRoutes are the rows of indexes that serve filters, and of the advice about them.
func indexRoutes() []Route {
	return slices.Concat(
		getRoutes("/api/admin/indexes", admin, noRules, (*API).listIndexes),
		postRoute("/api/admin/indexes", admin, noRules, (*API).createIndex),
		getRoutes("/api/admin/indexes/:name", admin, noRules, (*API).getIndex),
		deleteRoute("/api/admin/indexes/:name", admin, noRules, (*API).deleteIndex),
		getRoutes("/api/admin/index-advice", admin, noRules, (*API).adviseIndexes),
	)
}

func auditRoutes() []Route {
	return getRoutes("/api/admin/audit", admin, noRules, (*API).listAudit,
		"user", "action", "kind", "entity", "outcome", "request_id", "since", "until", "limit", "cursor")
}

func webhookRoutes() []Route {
	return withConflict(slices.Concat(
		getRoutes("/api/admin/webhooks", admin, noRules, (*API).listWebhooks),
		postRoute("/api/admin/webhooks", admin, noRules, (*API).createWebhook),
		getRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).getWebhook),
		putRoutes("/api/admin/webhooks/:name", admin, noRules, (*API).updateWebhook),
		deleteRoute("/api/admin/webhooks/:name", admin, noRules, (*API).deleteWebhook),
		getRoutes("/api/admin/webhooks/:name/deliveries", admin, noRules, (*API).listDeliveries, "state", "limit", "cursor"),
		[]Route{newRoute(http.MethodPost, "/api/admin/webhooks/:name/deliveries/:id/retry", admin, noRules, (*API).retryDelivery)},
	), notRecorded)
}

func declaredTypeRoutes() []Route {
	const one = "/api/admin/types/:kind/:type"
	return slices.Concat(
		getRoutes("/api/admin/types", admin, noRules, (*API).listDeclaredTypes, "limit", "offset", "cursor"),
		getRoutes(one, admin, noRules, (*API).getDeclaredType),
		[]Route{declareTypeRoute()},
		deleteRoute(one, admin, noRules, (*API).undeclareType),
		alsoNeedsRead(newRoute(http.MethodPost, one+"/propose", admin, noRules, (*API).proposeType)),
		alsoNeedsRead(abandonable(getRoutes(one+"/violations", admin, noRules, (*API).listViolations, "limit", "offset", "cursor"))...),
	)
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
		deleteRoute(one, admin, noRules, (*API).deleteTypeStyle),
	)
}

// agentRoutes are the rows of the endpoint of agents. They are no rows of Routes: they exist if the setting says so, and messages are
// described by the Model Context Protocol, not by OpenAPI. A token in the address is ignored, as every parameter there.
func (a *API) agentRoutes() []Route {
	if a.options.Agents == nil {
		return nil
	}
	r := newRoute(http.MethodPost, mcpPath, signedIn, noRules, (*API).serveAgent)
	r.anyQuery = true
	rows := []Route{r}
	if a.options.AgentIssuer != "" {
		get := (*API).getProtectedResource
		rows = slices.Concat(rows, pageRoutes(protectedResourcePath, get), pageRoutes(protectedResourcePath+mcpPath, get))
	}
	return rows
}

func probeRoutes() []Route {
	return append(pageRoutes("/healthz", (*API).healthz), pageRoutes("/readyz", (*API).readyz)...)
}

func documentationRoutes() []Route {
	docs := pageRoutes("/docs", (*API).serveDocs)
	return slices.Concat(docs, pageRoutes("/docs/*asset", (*API).serveDocs), pageRoutes("/llms.txt", (*API).serveDocs))
}

// webInterfaceRoutes are the rows of the web interface: the paths of its router (App.tsx), and its files.
func webInterfaceRoutes() []Route {
	var rows []Route
	for _, path := range []string{
		"/", "/explore", "/ask", "/schema", "/queries", "/queries/:name", "/console", "/users", "/roles", "/explain", "/tokens",
		"/webhooks", "/webhooks/:name", "/changes", "/trash", "/change-sets", "/change-sets/:id", "/views/:id", "/declared-types",
		"/search-indexes", "/audit", "/system", "/assets/*asset", "/static/*asset",
	} {
		rows = append(rows, pageRoutes(path, (*API).serveWeb)...)
	}
	return rows
}
