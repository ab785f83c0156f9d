package httpapi

import (
	"net/http"
	"strconv"
)

const homePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Graph Data Service</title></head>
<body>
<h1>Graph Data Service</h1>
<p>A REST interface to a graph of nodes and edges.</p>
<ul>
<li><a href="/docs">Interactive API documentation</a></li>
<li><a href="/readyz">Readiness</a></li>
</ul>
</body>
</html>
`

// home answers GET / with a page for people.
func (a *API) home(c *call) error {
	h := c.gin.Writer.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(homePage)))
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	c.gin.Writer.WriteHeader(http.StatusOK)
	_, _ = c.gin.Writer.WriteString(homePage)
	return nil
}

// serveDocs hands /docs and everything below it to the documentation's own handler.
func (a *API) serveDocs(c *call) error {
	if a.options.Docs == nil || !a.options.Docs.Serve(c.gin.Writer, c.gin.Request) {
		return notFound()
	}
	return nil
}
