package httpapi

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"graphrest/internal/auth"
	"graphrest/internal/declared"
)

// serveWeb serves the paths and files of the web interface.
func (a *API) serveWeb(c *call) error { return c.servePages(a.options.Web) }

// serveDocs serves /docs and everything below it. It adds the declared types to the description if the user may read them.
func (a *API) serveDocs(c *call) error {
	if c.serveDescription() {
		return nil
	}
	return c.servePages(a.options.Docs)
}

func (c *call) servePages(p Pages) error {
	if p == nil || !p.Serve(c.gin.Writer, c.gin.Request) {
		return notFound()
	}
	return nil
}

// noRoute answers 404: a browser that asks for a page gets the web interface, which reports that there is none, everybody else the error.
func (a *API) noRoute(gc *gin.Context) {
	r := gc.Request
	asksForPage := r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!strings.HasPrefix(r.URL.Path, "/api/")
	if asksForPage && a.options.Web != nil {
		start := r.Clone(r.Context())
		start.URL.Path = "/"
		start.Header.Del("If-None-Match") // the answer must be 404, not 304
		if a.options.Web.Serve(notFoundWriter{gc.Writer}, start) {
			return
		}
	}
	a.fail(gc, notFound())
}

// notFoundWriter sends 404 instead of 200.
type notFoundWriter struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w notFoundWriter) WriteHeader(status int) {
	if status == http.StatusOK {
		w.Header().Del("ETag")
		status = http.StatusNotFound
	}
	w.ResponseWriter.WriteHeader(status)
}

// descriptionPath is the path of the OpenAPI description. It is public; a user with the permission read also gets the declared types.
const descriptionPath = "/docs/openapi.json"

// serveDescription answers a request for the description with a token, which counts against the user's rate limit, and reports whether it
// did. It returns false if the user may not read the declared types or they cannot be read now: the caller then serves the public
// description.
func (c *call) serveDescription() bool {
	header := c.gin.Request.Header["Authorization"]
	if c.gin.Request.URL.Path != descriptionPath || len(header) == 0 || c.api.options.Description == nil {
		return false
	}
	p, err := c.api.options.Accounts.Authenticate(c.ctx(), header)
	if err != nil {
		return false
	}
	if err := c.enforceLimitOf(p); err != nil {
		c.api.fail(c.gin, err)
		return true
	}
	if !p.May(auth.Read) {
		return false
	}
	types, err := c.api.options.Types.DeclaredTypes(c.ctx())
	if err != nil || len(types) == 0 {
		return false
	}
	document, err := declared.AddToDescription(c.api.options.Description, types)
	if err != nil {
		return false
	}
	c.gin.Header("Cache-Control", "no-store")
	c.gin.Header("Vary", "Authorization")
	c.sendRaw(http.StatusOK, document)
	return true
}
