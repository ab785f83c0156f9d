package httpapi

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
