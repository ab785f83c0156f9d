package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// address returns the address of a path of the service for clients: a relative reference, which is correct whatever host they use.
func (a *API) address(path string) string { return a.options.BasePath + path }

// setLocation sets the header Location of something that was created in a collection.
func (c *call) setLocation(collection, name string) {
	c.gin.Header("Location", c.api.address(collection+"/"+url.PathEscape(name)))
}

// withoutBasePath returns the request as the routes know it. Proxies pass the base path on or remove it; both are accepted.
func (a *API) withoutBasePath(r *http.Request) *http.Request {
	base := a.options.BasePath
	if base == "" {
		return r
	}
	escaped := r.URL.EscapedPath()
	rest, under := strings.CutPrefix(escaped, base)
	switch {
	case !under || rest != "" && rest[0] != '/':
		return r
	case rest == "":
		rest = "/"
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return r
	}
	stripped := new(http.Request)
	*stripped = *r
	stripped.URL = new(url.URL)
	*stripped.URL = *r.URL
	stripped.URL.Path, stripped.URL.RawPath = path, rest
	return stripped
}

// checkBasePath refuses a base path that begins as a route does: without it, a request could mean two things.
func checkBasePath(base string) error {
	if base == "" {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(base, "/"), "/")
	for _, r := range Routes() {
		if own, _, _ := strings.Cut(r.Path[1:], "/"); own != "" && own == first {
			return fmt.Errorf("GRAPHREST_BASE_PATH: /%s is a path of the gateway itself; choose another, such as /graph", first)
		}
	}
	return nil
}
