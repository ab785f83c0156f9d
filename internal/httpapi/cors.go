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

// checkOrigin accepts an origin just as a browser sends it: scheme and host, in lower case, and a port other than the
// scheme's own. No wildcards, no patterns, not "null".
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && origin == u.Scheme+"://"+u.Host &&
		origin == strings.ToLower(origin) && !strings.ContainsAny(origin, "*, ") {
		return nil
	}
	return fmt.Errorf("httpapi: CORS origin %q: must be scheme://host or scheme://host:port in lower case", origin)
}

// crossOrigin lets pages of the configured origins read answers. It never allows credentials: tokens travel in a header that
// no browser adds by itself. To any other origin it says nothing at all, so that its browser hides the answer.
func (a *API) crossOrigin() gin.HandlerFunc {
	allowed := slices.Clone(a.options.CORSOrigins)
	answer := cors.New(cors.Config{
		AllowOrigins: allowed,
		AllowMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowHeaders: []string{"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-ID", graph.BookmarkHeader},
		ExposeHeaders: []string{
			"ETag", "Location", "Link", "X-Request-ID", "Idempotent-Replayed", graph.BookmarkHeader, "RateLimit", "RateLimit-Policy",
			"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After",
		},
		MaxAge: time.Hour,
	})
	return func(gc *gin.Context) {
		gc.Header("Vary", "Origin") // caches must not give one origin's answer to another
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

// preflight says whether an OPTIONS request asks about a path that exists (Fetch standard, "CORS-preflight request").
// Gin has set Allow by then when there is any method for the path.
func preflight(gc *gin.Context) bool {
	return gc.GetHeader("Access-Control-Request-Method") != "" && gc.Writer.Header().Get("Allow") != ""
}
