package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/mcp"
)

// mcpPath is the endpoint of agents.
const mcpPath = "/mcp"

// serveAgent answers POST /mcp: one message of an agent. Its requests to the API are not counted again.
func (a *API) serveAgent(c *call) error {
	if err := checkMedia(c.gin.Request.Header, "application/json"); err != nil {
		return err
	}
	if c.gin.Request.ContentLength > a.options.MaxBody {
		return c.rejectTooLarge(a.options.MaxBody)
	}
	ctx, cancel := context.WithTimeout(c.gin.Request.Context(), a.options.QueryTimeout+deadlineMargin)
	defer cancel()
	r := c.gin.Request.WithContext(ctx)
	r.Header = r.Header.Clone()
	r.Header.Set("Accept", "application/json, text/event-stream") // the answer is JSON whatever the client says
	answer := newRecorder()
	a.options.Agents.Serve(answer, r, &agentGateway{call: c, request: r})
	if answer.status >= http.StatusBadRequest && !strings.HasPrefix(answer.header.Get("Content-Type"), "application/json") {
		return agentFault(answer)
	}
	h := c.gin.Writer.Header()
	for name, values := range answer.header {
		h[name] = values
	}
	if answer.status != http.StatusAccepted { // a notification has no answer
		h.Set("Content-Type", jsonMediaType)
	}
	c.gin.Writer.WriteHeader(answer.status)
	_, _ = c.gin.Writer.Write(answer.body.Bytes()) // the access log shows a failure
	c.gin.Writer.WriteHeaderNow()
	return nil
}

// agentFault is the fault of a message that the protocol refuses.
func agentFault(answer *recorder) error {
	message := strings.TrimSpace(answer.body.String())
	switch answer.status {
	case http.StatusRequestEntityTooLarge:
		return fault.New(fault.PayloadTooLarge, "The message is too large")
	case http.StatusUnsupportedMediaType:
		return fault.New(fault.UnsupportedMediaType, message)
	case http.StatusInternalServerError:
		return fault.New(fault.Internal, "Internal error")
	}
	return fault.New(fault.Validation, "Invalid input", fault.Detail{Field: "body", Message: message})
}

// checkAgentOrigin rejects requests of browsers' pages of other origins (DNS rebinding): those that are not the gateway's own and not in
// Options.CORSOrigins.
func (a *API) checkAgentOrigin(gc *gin.Context) {
	origins := gc.Request.Header["Origin"]
	if len(origins) == 0 ||
		len(origins) == 1 && (slices.Contains(a.options.CORSOrigins, origins[0]) || a.isOwnOrigin(origins[0], gc.Request)) {
		return
	}
	a.fail(gc, fault.New(fault.PermissionDenied,
		"Permission denied: pages of this origin may not call the gateway; see GRAPHREST_CORS_ORIGINS"))
}

// isOwnOrigin reports whether an origin is the gateway's: the configured one or, without one, that with the host of the request.
func (a *API) isOwnOrigin(origin string, r *http.Request) bool {
	if a.options.PublicOrigin != "" {
		return origin == a.options.PublicOrigin
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// protectedResourcePath is where clients find which identity provider issues tokens (RFC 9728); the second form names the endpoint.
const protectedResourcePath = "/.well-known/oauth-protected-resource"

// getProtectedResource answers GET /.well-known/oauth-protected-resource (RFC 9728, section 3.2).
func (a *API) getProtectedResource(c *call) error {
	text, err := json.Marshal(map[string]any{
		"resource": a.publicOrigin(c.gin.Request) + a.address(mcpPath), "authorization_servers": []string{a.options.AgentIssuer},
		"bearer_methods_supported": []string{"header"}, "resource_name": "Graph Data Service",
	})
	if err != nil {
		return err
	}
	c.sendRaw(http.StatusOK, append(text, '\n'))
	return nil
}

// publicOrigin is the configured origin or, without one, that of a request.
func (a *API) publicOrigin(r *http.Request) string {
	switch {
	case a.options.PublicOrigin != "":
		return a.options.PublicOrigin
	case r.TLS != nil:
		return "https://" + r.Host
	default:
		return "http://" + r.Host
	}
}

// challengeAgent adds to the challenge of a 401 where clients find the identity provider (RFC 9728, section 5.1).
func (a *API) challengeAgent(gc *gin.Context) {
	if a.options.AgentIssuer != "" && gc.FullPath() == mcpPath {
		h := gc.Writer.Header()
		h.Set("WWW-Authenticate", h.Get("WWW-Authenticate")+`, resource_metadata="`+
			a.publicOrigin(gc.Request)+a.address(protectedResourcePath+mcpPath)+`"`)
	}
}

// agentCall marks a request to the API that a tool makes: it acts as the caller, who was authenticated and counted.
type agentCall struct {
	principal            auth.Principal
	agent                audit.Agent
	requestID, gatewayID string
}

type agentCallKey struct{}

func agentCallOf(ctx context.Context) *agentCall {
	made, _ := ctx.Value(agentCallKey{}).(*agentCall)
	return made
}

// agentGateway is the API as the caller of a message sees it.
type agentGateway struct {
	call    *call
	request *http.Request // whose context ends when the client leaves
}

var _ mcp.Gateway = (*agentGateway)(nil)

// routesByPattern has the rows of the API by method and path.
var routesByPattern = sync.OnceValue(func() map[string]Route {
	rows := map[string]Route{}
	for _, r := range Routes() {
		rows[r.Method+" "+r.Path] = r
	}
	return rows
})

// Allows reports whether the caller may use a route.
func (g *agentGateway) Allows(method, pattern string) bool {
	r, known := routesByPattern()[method+" "+pattern]
	return known && r.Allows(g.call.principal)
}

// Do sends a request through the router, so that it passes the checks of its route.
func (g *agentGateway) Do(ctx context.Context, by audit.Agent, r mcp.Request) mcp.Answer {
	n := requestLogOf(g.call.gin)
	ctx = context.WithValue(ctx, agentCallKey{}, &agentCall{g.call.principal, by, n.requestID, n.gatewayID})
	target := &url.URL{RawQuery: r.Query.Encode()}
	target.Path, target.RawPath = r.Path, r.Path
	if path, err := url.PathUnescape(r.Path); err == nil {
		target.Path = path
	}
	body := io.NopCloser(bytes.NewReader(r.Body))
	inner := &http.Request{
		Method: r.Method, URL: target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: body,
		ContentLength: int64(len(r.Body)), Host: g.request.Host, RemoteAddr: g.request.RemoteAddr, RequestURI: target.RequestURI(),
	}
	for _, name := range addressHeaders {
		if values, given := g.request.Header[name]; given {
			inner.Header[name] = slices.Clone(values)
		}
	}
	if r.Body != nil {
		inner.Header.Set("Content-Type", "application/json")
	}
	answer := newRecorder()
	g.call.api.engine.ServeHTTP(answer, inner.WithContext(ctx))
	return mcp.Answer{Status: answer.status, Body: answer.body.Bytes()}
}

// Called records a call of a tool.
func (g *agentGateway) Called(tool string, code fault.Code) {
	g.call.api.options.Observer.ToolCalled(tool, code)
}

// RequestID returns the id under which the changes of the message are recorded.
func (g *agentGateway) RequestID() string { return requestLogOf(g.call.gin).gatewayID }

// MaxBatch returns the number of operations of a batch.
func (g *agentGateway) MaxBatch() int { return g.call.api.options.MaxBatch }

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}, status: http.StatusOK} }

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// Flush implements http.Flusher.
func (r *recorder) Flush() {}
