package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-contrib/cors"
	"github.com/gin-gonic/gin"

	"graphrest/internal/graph"
)

// checkOrigin accepts an origin exactly as a browser sends it: scheme and host in lower case, and the port unless it is the
// scheme's default. It rejects wildcards, patterns and "null".
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && origin == u.Scheme+"://"+u.Host &&
		origin == strings.ToLower(origin) && !strings.ContainsAny(origin, "*, ") {
		return nil
	}
	return fmt.Errorf("httpapi: CORS origin %q: must be scheme://host or scheme://host:port in lower case", origin)
}

// crossOrigin lets pages of the configured origins read responses. It never allows credentials: tokens are sent in a header that
// browsers do not add by themselves. Other origins get no CORS header, so that the browser hides the response.
func (a *API) crossOrigin() gin.HandlerFunc {
	allowed := slices.Clone(a.options.CORSOrigins)
	answer := cors.New(cors.Config{
		AllowOrigins: allowed,
		AllowMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowHeaders: []string{
			"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "X-Request-ID",
			"Traceparent", "Tracestate", graph.BookmarkHeader, ViewAsHeader, "Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name",
		},
		ExposeHeaders: []string{
			"ETag", "Location", "Link", "X-Request-ID", "Idempotent-Replayed", asOfHeader, graph.BookmarkHeader, "RateLimit", "RateLimit-Policy",
			"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "WWW-Authenticate", "Allow",
			truncatedHeader,
		},
		MaxAge: time.Hour,
	})
	return func(gc *gin.Context) {
		gc.Header("Vary", "Origin") // caches must not serve one origin's response to another
		origin := gc.GetHeader("Origin")
		if !slices.Contains(allowed, origin) {
			return
		}
		if gc.Request.Method == http.MethodOptions && !preflight(gc) {
			return // 404 or 405, as without CORS
		}
		answer(gc)
	}
}

// preflight reports whether an OPTIONS request is a preflight for an existing path (Fetch standard, "CORS-preflight request").
// Gin has already set Allow if the path has any method.
func preflight(gc *gin.Context) bool {
	return gc.GetHeader("Access-Control-Request-Method") != "" && gc.Writer.Header().Get("Allow") != ""
}
