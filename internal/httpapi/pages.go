package httpapi

// serveWeb hands the web interface's own addresses and files to its own handler.
func (a *API) serveWeb(c *call) error { return c.servePages(a.options.Web) }

// serveDocs hands /docs and everything below it to the documentation's own handler, save for a description with declared types.
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
