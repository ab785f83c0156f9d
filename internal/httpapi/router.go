package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"graphrest/internal/fault"
)

// newEngine builds gin's router from the route table. It never redirects: a path matches a route exactly or is NOT_FOUND. Paths
// are matched in their escaped form, so that an id with an escaped slash stays one segment.
func (a *API) newEngine() (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.RedirectFixedPath = false
	e.RemoveExtraSlash = false
	e.HandleMethodNotAllowed = true
	e.UseEscapedPath = true
	// gin would unescape path values as query text, where "+" means a space; readPathValue does it as RFC 3986 says.
	e.UnescapePathValues = false
	// gin trusts every proxy by default; an empty list trusts none.
	if err := e.SetTrustedProxies(a.options.TrustedProxies); err != nil {
		return nil, fmt.Errorf("httpapi: trusted proxies: %w", err)
	}

	e.Use(normalizeAddresses, a.accessLog, a.recover, a.rejectAmbiguousPaths)
	if len(a.options.CORSOrigins) > 0 {
		e.Use(a.crossOrigin())
	}
	e.NoRoute(a.noRoute)
	e.NoMethod(a.methodNotAllowed)
	for _, r := range Routes() {
		e.Handle(r.Method, r.Path, a.serve(r))
	}
	for _, r := range a.agentRoutes() {
		if r.Path == mcpPath {
			e.Handle(r.Method, r.Path, a.checkAgentOrigin, a.serve(r))
		} else {
			e.Handle(r.Method, r.Path, a.serve(r))
		}
	}
	return e, nil
}

// methodNotAllowed answers 405 and sorts the Allow header, which gin builds in the order of its trees.
func (a *API) methodNotAllowed(gc *gin.Context) {
	allow := strings.Split(gc.Writer.Header().Get("Allow"), ", ")
	slices.Sort(allow)
	gc.Header("Allow", strings.Join(allow, ", "))
	a.fail(gc, fault.New(fault.MethodNotAllowed, "This path does not support the method; see the Allow header"))
}

// notFound is the error for a path that is not a route.
func notFound() *fault.Error {
	return fault.New(fault.NotFound, "There is nothing at this path")
}

// guidesFrontPage is the only address that ends in a slash, besides "/": the addresses in the guides are relative to it.
const guidesFrontPage = "/docs/guides/"

// rejectAmbiguousPaths answers NOT_FOUND to paths that other software may interpret differently than gin: empty segments
// (doubled or trailing slashes) and dot segments, also if percent-encoded (RFC 3986, section 5.2.4).
func (a *API) rejectAmbiguousPaths(gc *gin.Context) {
	if ambiguousPath(gc.Request) {
		a.fail(gc, notFound())
	}
}

func ambiguousPath(r *http.Request) bool {
	path := r.URL.EscapedPath()
	if path == "/" || path == guidesFrontPage {
		return false
	}
	if !strings.HasPrefix(path, "/") {
		return true
	}
	for segment := range strings.SplitSeq(path[1:], "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case "", ".", "..":
			return true
		}
	}
	return false
}
