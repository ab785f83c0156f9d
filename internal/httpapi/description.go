package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"

	"graphrest/internal/auth"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// descriptionPath is the path of the OpenAPI description. It is public; a token adds the types that its caller sees.
const descriptionPath = "/docs/openapi.json"

// serveDescription answers a request for the description with a valid token, which counts against the user's rate limit, and reports
// whether it did. False leaves the public description to the caller.
func (c *call) serveDescription() (bool, error) {
	if c.gin.Request.URL.Path != descriptionPath {
		return false, nil
	}
	c.gin.Writer.Header().Add("Vary", "Authorization")
	if len(c.gin.Request.Header["Authorization"]) == 0 || c.api.options.Description == nil {
		return false, nil
	}
	if err := c.identify(); fault.CodeOf(err) == fault.DatabaseUnavailable {
		return false, err
	} else if err != nil {
		return false, nil //nolint:nilerr // the path is public, also to those whose token has ended
	}
	if err := c.enforceLimitOf(c.principal); err != nil {
		return false, err
	}
	sees := readsSomePart(c.principal)
	if !sees && !c.principal.MayRunQueries() {
		return false, nil // the caller sees no type, and runs no query
	}
	var schema graph.Schema
	var err error
	if sees {
		if schema, err = c.api.options.Schema.Schema(rules.WithView(c.ctx(), c.principal.View)); err != nil {
			return false, err
		}
	}
	runnable, err := c.describeQueries()
	if err != nil {
		return false, err
	}
	document, err := declared.AddToDescription(c.api.options.Description, schema, runnable)
	if err != nil {
		return false, err
	}
	c.gin.Writer.Header().Set("Cache-Control", "private, no-cache") // cached, but revalidated with the token
	sum := sha256.Sum256(document)
	revision := graph.Revision(hex.EncodeToString(sum[:16]))
	c.setETag(revision)
	if _, tags, _ := parseTags(c.gin.Request.Header["If-None-Match"]); slices.Contains(tags, revision) {
		c.gin.Status(http.StatusNotModified)
		c.gin.Writer.WriteHeaderNow()
		return true, nil
	}
	c.sendRaw(http.StatusOK, document)
	return true, nil
}

// readsSomePart reports whether a user may read the graph or, by a grant, a part of it.
func readsSomePart(p auth.Principal) bool {
	return needs(auth.Read).Allows(p) || rulesApplied(graph.NodeKind, graph.EdgeKind).allows(p.View, auth.Read)
}
