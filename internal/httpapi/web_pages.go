package httpapi

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// serveWeb serves the paths and files of the web interface.
func (a *API) serveWeb(c *call) error { return c.servePages(a.options.Web) }

// serveDocs serves /docs and everything below it. The description for a token is that of its caller.
func (a *API) serveDocs(c *call) error {
	if served, err := c.serveDescription(); served || err != nil {
		return err
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
	asksForPage := r.Method == http.MethodGet && asksFor(r.Header, "text/html") &&
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
